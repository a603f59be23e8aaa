"""Every letter in every language as a message: what is in it, what never is, and what headers refuse."""

import re
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import settings_for
from tests.effort import crossed

from kalends.calendar import letters
from kalends.features.mail import messages
from kalends.features.mail.letters import rendering, samples
from kalends.features.mail.messages import Envelope, Letter
from kalends.languages import LANGUAGES, tag
from kalends.settings import Settings
from kalends.values import mail_addresses
from kalends.values.mail_addresses import Mailbox, NotAnAddress

BASE = "https://events.example.org/town"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_for(tmp_path, base_url=BASE, site_name="Town, <Events>", accent_color="#1f6f8b")


def opened(message: EmailMessage) -> Any:
    """As another program reads it."""
    return message_from_bytes(message.as_bytes(), policy=policy.default)


def sent(letter: Letter, recipient: str = "anna@example.org", **more: Any) -> Any:
    envelope = Envelope(
        recipient=recipient,
        sender=more.get("sender", Mailbox("events@example.org")),
        reply_to=more.get("reply_to"),
        message_id="<1@example.org>",
        written=datetime(2027, 3, 1, 12),
    )
    return opened(messages.build(letter, envelope))


@pytest.mark.parametrize(("kind", "language"), crossed(letters.kinds(), LANGUAGES))
def test_every_letter_in_every_language(kind: str, language: str, settings: Settings) -> None:
    letter = rendering.write(kind, letters.kinds()[kind].sample, language, settings)
    message = sent(letter)
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Content-Language"] == tag(language)
    assert message["Subject"].strip()
    text, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
    assert message.get_content_type() == "multipart/alternative"
    assert f'lang="{tag(language)}" dir="{"rtl" if language == "ar" else "ltr"}"' in html
    assert "{" not in text + message["Subject"]
    assert "Town, &lt;Events&gt;" in html
    # Nothing is fetched, and every address is one of the site.
    assert not re.search(r"<(?:script|link|iframe|object|video)|url\(|@import|<img(?! src=\"cid:)", html)
    for address in re.findall(r"https?://[^\s\"<>]+", text + html):
        assert address.startswith(BASE) or address == "https://example.org/hook"
    if letter.unsubscribe:
        assert message["List-Unsubscribe"] == f"<{letter.unsubscribe}>"
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert letter.unsubscribe in text


def test_only_what_can_be_ended_has_the_header(settings: Settings) -> None:
    ended = {
        kind
        for kind, template in letters.kinds().items()
        if rendering.write(kind, template.sample, "en", settings).unsubscribe
    }
    assert ended == {"digest", "reminder", "event_news"}


def test_markup_in_a_title_is_text(settings: Settings) -> None:
    event = samples.EVENT | {"title": '<script>alert("1")</script>{site}\u2028Bcc: x@y.org'}
    message = sent(rendering.write("event_published", {"entries": [{"event": event}]}, "en", settings))
    assert "<script" not in message.get_body(("html",)).get_content()
    assert message["Subject"] == 'Published: <script>alert("1")</script>{site} Bcc: x@y.org'
    assert message["Bcc"] is None


def test_a_logo_comes_with_the_message_or_not_at_all(settings: Settings, tmp_path: Path) -> None:
    class Files:
        def read(self, name: str) -> bytes:
            return b"picture" * (20_000 if "large" in name else 1)

    def written(logo: str) -> Any:
        with_logo = settings_for(tmp_path, base_url=BASE, logo=logo)
        return sent(rendering.write("test", {}, "en", with_logo, Files()))  # type: ignore[arg-type]

    message = written("2027/01/logo.png")
    parts = {part.get_content_type(): part for part in message.walk()}
    assert parts["image/png"].get_content() == b"picture"
    assert parts["image/png"]["Content-ID"] == "<logo>"
    assert 'src="cid:logo"' in parts["text/html"].get_content()
    for logo in ("2027/01/large.png", "2027/01/logo.webp", ""):
        assert "cid:" not in written(logo).get_body(("html",)).get_content()


def test_a_long_address_to_end_it_stays_in_one_piece() -> None:
    address = f"https://{'long.' * 40}example.org/mail/end?key=abc"
    message = sent(Letter("Title", "text", "<p>text</p>", "en", unsubscribe=address))
    assert message["List-Unsubscribe"] == f"<{address}>"


def test_who_sends_and_who_gets_replies(settings: Settings, tmp_path: Path) -> None:
    assert str(messages.sender_of(settings)) == "Town, <Events> <kalends@events.example.org>"
    chosen = settings_for(
        tmp_path, mail_from='"Rat, Haus" <events@bücher.example>', mail_reply_to="office@example.org"
    )
    letter = Letter("Title", "text", "<p>text</p>", "en")
    message = sent(letter, sender=messages.sender_of(chosen), reply_to=messages.reply_to_of(chosen))
    (sender,) = message["From"].addresses
    assert (sender.display_name, sender.addr_spec) == ("Rat, Haus", "events@xn--bcher-kva.example")
    assert message["Reply-To"] == "office@example.org"


@pytest.mark.parametrize(
    ("base_url", "host"),
    [
        ("http://127.0.0.1:8000", "localhost"),
        ("http://[::1]:8000", "localhost"),
        ("http://intranet", "intranet"),
        ("https://events.example.org/town", "events.example.org"),
    ],
)
def test_a_site_without_a_name_has_a_sender_too(base_url: str, host: str, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, base_url=base_url)
    assert messages.host_of(settings) == host
    sender = messages.sender_of(settings)
    assert sent(Letter("Title", "t", "h", "en"), sender=sender)["From"].addresses[0].addr_spec == f"kalends@{host}"


@pytest.mark.parametrize("language", ["ja", "de"])
def test_a_long_subject_comes_back_whole(language: str) -> None:
    subject = "音楽祭 " * 30 if language == "ja" else "Straßenmusik für Kinder, Jugendliche und Erwachsene " * 3
    assert sent(Letter(subject, "t", "h", language))["Subject"] == messages.one_line(subject)


@pytest.mark.parametrize(
    "address",
    [
        "anna@example.org",
        "anna+tag@sub.example.org",
        "o'hara@example.org",
        "anna@bücher.example",
        "änna@example.org",
        '"anna, at home"@example.org',
        '"a\\"b"@example.org',
        f"{'a' * 64}@{'b' * 60}.{'c' * 60}.{'d' * 60}.org",
    ],
)
def test_an_address_comes_through_as_it_is(address: str) -> None:
    found = mail_addresses.checked(address)
    assert found == address
    message = sent(Letter("Title", "text", "<p>text</p>", "en"), address)
    # The standard library reads letters of a header that is UTF-8 as bytes.
    read = message["To"].addresses[0].addr_spec.encode("utf-8", "surrogateescape").decode()
    assert read == mail_addresses.on_the_wire(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "anna",
        "@example.org",
        "anna@",
        "anna@localhost",
        "anna@127.0.0.1",
        "anna@[127.0.0.1]",
        "a@b@example.org",
        "anna bert@example.org",
        "anna@example.org,bert@example.org",
        "anna@example.org\r\nBcc: bert@example.org",
        "anna@example.org\n",
        '"anna\r\nBcc: bert"@example.org',
        '"anna\x00"@example.org',
        "anna\u2028@example.org",
        "anna\x85@example.org",
        "an\u200bna@example.org",
        "anna@-example.org",
        "anna@exa_mple.org",
        "anna..b@example.org",
        "anna@example..org",
        f"{'a' * 65}@example.org",
        f"anna@{'b.' * 130}org",
        f"{'a' * 64}@{'b' * 251}.org",
        "anna@" + "ü" * 70 + ".org",
        "<anna@example.org>",
        "anna\udce4@example.org",
    ],
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(NotAnAddress):
        mail_addresses.checked(address)


def test_one_address_in_two_ways_is_the_same() -> None:
    assert mail_addresses.key("Anna@BÜCHER.example") == mail_addresses.key("anna@xn--bcher-kva.example")
    assert mail_addresses.key("anna@example.org") != mail_addresses.key("anna@example.com")


@pytest.mark.parametrize("text", ["a\r\nBcc: x@y.org", "a\nb", "a\x00b", "a\u2029b", "a\x0bb"])
def test_a_header_takes_no_second_line(text: str) -> None:
    letter = Letter("Title", "text", "<p>text</p>", "en")
    with pytest.raises(NotAnAddress):
        sent(letter, sender=Mailbox("events@example.org", text))
    with pytest.raises(NotAnAddress):
        sent(Letter("Title", "text", "h", "en", unsubscribe=f"https://example.org/{text}"))
    assert len(sent(Letter(f"Title {text}", "text", "h", "en"))["Subject"].splitlines()) == 1
