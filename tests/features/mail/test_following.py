"""Following without an account: asked for, confirmed by a button, sent, ended by one click, and forgotten."""

import re
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World, client_of
from tests.effort import crossed, effort
from tests.features.mail.post_office import PostOffice

ANNA = "anna@example.org"


def run_all(world: World) -> None:
    """What is due, also what that causes; the task of digests runs once a minute."""
    world.clock.move(seconds=61)
    while world.calendar.background.run_due():
        pass


def ask(world: World, query: str = "", address: str = ANNA, rhythm: str = "weekly", **more: Any) -> httpx.Response:
    data = {"address": address, "rhythm": rhythm}
    return client_of(world.front).post(f"{BASE_URL}/follow{query}", data=data, **more)


def link_in(message: Any, path: str) -> str:
    found = re.search(rf"{BASE_URL}{path}\?key=\S+", message.get_body(("plain",)).get_content())
    assert found
    return found[0]


def text_of(message: Any) -> str:
    return str(message.get_body(("plain",)).get_content())


def follow(world: World, office: PostOffice, query: str = "", **more: Any) -> None:
    """Asks, and presses the button."""
    assert ask(world, query, **more).status_code == 200
    run_all(world)
    link = link_in(office.last(), "/mail/confirm")
    assert client_of(world.front).post(link).status_code == 200
    office.messages.clear()
    office.recipients.clear()


def everything(world: World) -> str:
    """Every row of every table that mail has, and of the tasks."""
    with world.calendar.store.read() as session:
        return "\n".join(
            str(session.all(f"SELECT * FROM {table}"))
            for table in ("follow", "mail", "refusing_address", "task", "throttle", "journal", "site", "submission")
        )


def test_nothing_comes_before_the_button_was_pressed(mailing: World, office: PostOffice) -> None:
    mailing.make("events", title="Concert", start_date="2026-11-18 20:00:00", end_date="2026-11-18 22:00:00")
    assert ask(mailing, headers={"Host": "evil.example"}).status_code == 200
    run_all(mailing)
    (message,) = office.to(ANNA)
    link = link_in(message, "/mail/confirm")
    client = client_of(mailing.front)
    for _ in range(3):  # a scanner
        assert "Press the button" in client.get(link).text
    mailing.clock.move(days=6)
    run_all(mailing)
    assert len(office.messages) == 1
    mailing.clock.move(days=2)
    run_all(mailing)
    assert ANNA not in everything(mailing)  # too late: it is forgotten
    assert client.get(link).status_code == 404
    assert client.post(link).status_code == 404


def test_a_weekly_mail_with_what_is_new_and_coming(mailing: World, office: PostOffice) -> None:
    music = mailing.make("categories", name="Music")
    follow(mailing, office, "?categories=music")
    mailing.clock.move(days=3)
    mailing.make("events", title="Soon", start_date="2026-11-24 20:00:00", end_date="2026-11-24 22:00:00",
                 categories=[music["id"]])  # fmt: skip
    mailing.make("events", title="In spring", categories=[music["id"]])
    mailing.make("events", title="A market", start_date="2026-11-24 20:00:00", end_date="2026-11-24 22:00:00")
    mailing.make("events", title="Secret", status="draft", start_date="2026-11-24 20:00:00",
                 end_date="2026-11-24 22:00:00", categories=[music["id"]])  # fmt: skip
    mailing.make("events", title="Masked", post_password="open sesame", start_date="2026-11-25 20:00:00",
                 end_date="2026-11-25 22:00:00", categories=[music["id"]],
                 venue={"venue": "Hidden cellar"})  # fmt: skip
    run_all(mailing)
    assert office.messages == []
    mailing.clock.move(days=4)
    run_all(mailing)
    (message,) = office.to(ANNA)
    text = text_of(message)
    assert "Soon" in text
    assert "In spring" in text
    for hidden in ("A market", "Secret", "Hidden cellar", "open sesame"):
        assert hidden not in text
    run_all(mailing)
    assert len(office.messages) == 1
    mailing.clock.move(days=7)
    run_all(mailing)
    assert len(office.messages) <= 2
    assert "In spring" not in "".join(text_of(one) for one in office.messages[1:])  # not new any more


def test_no_digest_has_what_is_protected_or_not_published(mailing: World, office: PostOffice) -> None:
    """Whatever became of it between the last mail and this one, and whoever follows which list."""
    hall = mailing.make("venues", venue="Town hall")
    queries = ("", "?search=secret", f"?venue={hall['id']}")
    for number, query in enumerate(queries):
        assert ask(mailing, query, address=f"reader{number}@example.org", rhythm="daily").status_code == 200
    run_all(mailing)
    for message in office.messages:
        assert client_of(mailing.front).post(link_in(message, "/mail/confirm")).status_code == 200
    office.messages.clear()
    mailing.clock.move(minutes=1)
    soon = {"start_date": "2026-11-17 08:00:00", "end_date": "2026-11-17 09:00:00", "venue": hall["id"]}
    later = {"start_date": "2027-03-01 08:00:00", "end_date": "2027-03-01 09:00:00", "venue": hall["id"]}
    hidden = ["draft", "pending", "private", "scheduled", "trashed", "protected", "later protected", "withdrawn"]
    for dates in (soon, later):
        mailing.make("events", title="A public secret", **dates)
        for status in ("draft", "pending", "private"):
            mailing.make("events", title=f"secret {status}", status=status, **dates)
        mailing.make("events", title="secret scheduled", status="publish", date="2026-12-24 12:00:00", **dates)
        trashed = mailing.make("events", title="secret trashed", **dates)["id"]
        mailing.make("events", title="secret protected", post_password="sesame", **dates)
        protected = mailing.make("events", title="secret later protected", **dates)["id"]
        withdrawn = mailing.make("events", title="secret withdrawn", **dates)["id"]
        mailing.delete(f"/events/{trashed}")
        mailing.put(f"/events/{protected}", json={"post_password": "sesame"})
        mailing.put(f"/events/{withdrawn}", json={"status": "draft"})
    mailing.clock.move(days=1)
    run_all(mailing)
    assert len(office.messages) == len(queries)
    for message in office.messages:
        whole = message.as_string() + text_of(message) + message["Subject"]
        assert text_of(message).count("A public secret") == 2
        assert [word for word in hidden if f"secret {word}" in whole] == []
    with mailing.calendar.store.read() as session:
        stored = str(session.all("SELECT facts FROM mail WHERE kind = 'digest'"))
    assert [word for word in hidden if f"secret {word}" in stored] == []


def test_a_quiet_week_sends_nothing(mailing: World, office: PostOffice) -> None:
    follow(mailing, office, rhythm="daily")
    for _ in range(3):
        mailing.clock.move(days=1)
        run_all(mailing)
    assert office.messages == []


def test_one_click_ends_it_and_forgets_the_address(mailing: World, office: PostOffice) -> None:
    follow(mailing, office, rhythm="daily")
    mailing.make("events", title="Tomorrow", start_date="2026-11-17 10:00:00", end_date="2026-11-17 12:00:00")
    mailing.clock.move(days=1)
    run_all(mailing)
    (message,) = office.to(ANNA)
    address = message["List-Unsubscribe"].strip("<>")
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    client = client_of(mailing.front)
    assert client.get(address).status_code == 200
    assert ANNA in everything(mailing)  # a GET changes nothing
    # As mail programs send it: from elsewhere, without a cookie.
    sent = client.post(address, data={"List-Unsubscribe": "One-Click"}, headers={"Origin": "https://mail.example"})
    assert sent.status_code == 200
    assert ANNA not in everything(mailing)
    assert client.post(address).status_code == 200  # twice
    mailing.clock.move(days=1)
    run_all(mailing)
    assert len(office.messages) == 1


@pytest.mark.parametrize("change", [lambda key: key[:-1] + "0", lambda key: key.replace("f1-", "f2-"), lambda _: "",
                                    lambda _: "f1-", lambda _: "f" + "9" * 90, lambda _: "ü-ö"])  # fmt: skip
def test_a_link_for_another_address_does_nothing(mailing: World, office: PostOffice, change: Any) -> None:
    ask(mailing)
    run_all(mailing)
    key = link_in(office.last(), "/mail/confirm").partition("key=")[2]
    if change(key) == key:
        return
    client = client_of(mailing.front)
    for path in ("/mail/confirm", "/mail/end"):
        client.post(f"{BASE_URL}{path}", params={"key": change(key)})
        client.post(f"{BASE_URL}/mail/end", params={"key": key})  # that of another purpose
    with mailing.calendar.store.read() as session:
        assert session.all("SELECT confirmed_utc FROM follow") == [("",)]


def test_a_hundred_requests_for_one_address(mailing: World, office: PostOffice) -> None:
    statuses = [ask(mailing, f"?search=word{number}").status_code for number in range(25)]
    assert statuses == [200] * 20 + [429] * 5
    for _ in range(5):
        mailing.clock.move(hours=1)
        ask(mailing)
    run_all(mailing)
    assert len(office.messages) == 5


@pytest.mark.parametrize(
    "address", ["", "nobody", "a@b.org\r\nBcc: c@d.org", "a" * 320 + "@example.org", "a@localhost"]
)
def test_what_is_no_address_is_refused(mailing: World, office: PostOffice, address: str) -> None:
    assert ask(mailing, address=address).status_code == 400
    run_all(mailing)
    assert office.messages == []


def test_a_form_of_another_site_is_refused(mailing: World, office: PostOffice) -> None:
    assert ask(mailing, headers={"Origin": "https://evil.example"}).status_code == 403


def test_what_does_not_exist_cannot_be_followed(mailing: World, world: World) -> None:
    draft = mailing.make("events", title="Secret", status="draft")
    for query in (f"?event={draft['id']}", "?event=99", "?event=x", "?categories=nothing"):
        page = client_of(mailing.front).get(f"{BASE_URL}/follow{query}")
        assert page.status_code == 404, query
        assert "Secret" not in page.text
    assert client_of(world.front).get(f"{BASE_URL}/follow").status_code == 404  # no mail is set up


def test_a_reminder_a_day_and_an_hour_before(mailing: World, office: PostOffice) -> None:
    event = mailing.make("events", title="Fair", start_date="2026-11-20 12:00:00", end_date="2026-11-20 14:00:00")
    follow(mailing, office, f"?event={event['id']}")
    subjects = []
    for hours in (24, 24, 24, *effort([*[6] * 7, *[1] * 12, *[6] * 3], [1] * 72)):
        mailing.clock.move(hours=hours)
        mailing.calendar.background.run_due()
        mailing.calendar.background.run_due()
    subjects = [message["Subject"] for message in office.to(ANNA)]
    assert subjects == ["Tomorrow: Fair", "In an hour: Fair"]
    assert ANNA not in everything(mailing)  # it is over


@pytest.mark.both_stores
@pytest.mark.parametrize("away", ["the service", "the mail server"])
@pytest.mark.parametrize(
    ("late", "subject", "said"),
    [
        ({"minutes": 1}, "Tomorrow: Fair", "This begins in 1 day:"),
        ({"hours": 2}, "Tomorrow: Fair", "This begins in 22 hours:"),
        ({"hours": 9}, "In 15 hours: Fair", "This begins in 15 hours:"),
        ({"hours": 22, "minutes": 55}, "In an hour: Fair", "This begins in an hour:"),
        ({"hours": 23, "minutes": 30, "seconds": 20}, "In 30 minutes: Fair", "This begins in 30 minutes:"),
        ({"hours": 24, "minutes": 30}, "It has begun: Fair", "This has begun:"),
        ({"hours": 26}, "", ""),
    ],
)
def test_a_late_reminder_says_how_long_it_really_is(
    mailing: World, office: PostOffice, away: str, late: dict[str, int], subject: str, said: str
) -> None:
    """In a zone where the day is another one than in UTC: it begins at 15:00 there."""
    event = mailing.make("events", title="Fair", timezone="America/Los_Angeles",
                         start_date="2026-11-20 15:00:00", end_date="2026-11-20 17:00:00")  # fmt: skip
    follow(mailing, office, f"?event={event['id']}")
    mailing.clock.now = datetime(2026, 11, 19, 23)  # a day before, in UTC
    if away == "the mail server":
        office.answers["MAIL"] = "451 not now"
        while mailing.calendar.background.run_due():
            pass
        office.answers.clear()
    mailing.clock.move(**late)
    while mailing.calendar.background.run_due():
        pass
    found = [(str(message["Subject"]), said in text_of(message)) for message in office.to(ANNA)]
    assert found == ([(subject, True)] if subject else [])


@pytest.mark.parametrize(
    ("state", "is_waiting"), crossed(["cancelled", "postponed", "draft", "moved"], [False, True])
)
def test_nobody_is_reminded_of_what_does_not_take_place_then(
    mailing: World, office: PostOffice, state: str, is_waiting: bool
) -> None:
    event = mailing.make("events", title="Fair", start_date="2026-11-20 12:00:00", end_date="2026-11-20 14:00:00")
    follow(mailing, office, f"?event={event['id']}")

    def change() -> None:
        body = {"event_status": state} if state in ("cancelled", "postponed") else {"status": state}
        if state == "moved":
            body = {"start_date": "2026-12-24 12:00:00", "end_date": "2026-12-24 14:00:00"}
        assert mailing.put(f"/events/{event['id']}", json=body).status_code == 200

    if not is_waiting:
        change()
    mailing.clock.now = datetime(2026, 11, 19, 12)
    office.answers["MAIL"] = "451 not now"
    run_all(mailing)
    if is_waiting:
        change()
    office.answers.clear()
    for _ in range(14):
        mailing.clock.move(hours=3)
        run_all(mailing)
    (told,) = [message["Subject"].partition(":")[0] for message in office.to(ANNA)]
    assert told in ("Cancelled", "Changed", "No longer announced")


def test_news_of_a_change_and_of_cancellation(mailing: World, office: PostOffice) -> None:
    event = mailing.make("events", title="Fair", start_date="2026-12-20 12:00:00", end_date="2026-12-20 14:00:00")
    follow(mailing, office, f"?event={event['id']}")
    mailing.post(f"/events/{event['id']}", json={"description": "Only words."})
    run_all(mailing)
    assert office.messages == []
    mailing.post(
        f"/events/{event['id']}", json={"start_date": "2026-12-21 12:00:00", "end_date": "2026-12-21 14:00:00"}
    )
    run_all(mailing)
    mailing.post(f"/events/{event['id']}", json={"event_status": "cancelled"})
    mailing.clock.move(minutes=10)
    run_all(mailing)
    assert [message["Subject"] for message in office.to(ANNA)] == ["Changed: Fair", "Cancelled: Fair"]
    mailing.post(f"/events/{event['id']}", json={"status": "draft", "title": "Secret title"})
    mailing.clock.move(minutes=10)
    run_all(mailing)
    assert office.last()["Subject"] == "No longer announced: Fair"
    mailing.post(f"/events/{event['id']}", json={"title": "Another secret"})
    run_all(mailing)
    assert "ecret" not in "".join(text_of(message) + message["Subject"] for message in office.messages)


def test_lists_and_events_offer_it(mailing: World, world: World) -> None:
    event = mailing.make("events", title="Fair", start_date="2026-12-20 12:00:00", end_date="2026-12-20 14:00:00",
                         venue={"venue": "Hall"}, categories=["Music"])  # fmt: skip
    client = client_of(mailing.front)
    pages = {"/events/list/": "/follow", "/events/list/?search=fair": "/follow?search=fair",
             f"/event/{event['slug']}/": f"/follow?event={event['id']}",
             f"/venue/{event['venue']['slug']}/": "/follow?venue=",
             "/events/category/music/": "/follow?categories="}  # fmt: skip
    for path, link in pages.items():
        found = client.get(f"{BASE_URL}{path}")
        assert link in found.text, path
    for target in re.findall(r'href="(/follow[^"]*)"', client.get(f"{BASE_URL}/events/category/music/").text):
        assert client.get(BASE_URL + target).status_code == 200
    assert "/follow" not in client_of(world.front).get(f"{BASE_URL}/events/list/").text


def test_what_is_kept_is_exported_and_deleted_on_request(mailing: World, office: PostOffice) -> None:
    follow(mailing, office)
    admin = AdminClient(mailing, "administrator")
    shown = admin.post("/admin/settings/mail/address", {"address": "Anna@example.org"}, status=200)
    assert shown.headers["Content-Type"].startswith("application/json")
    assert shown.json()["follows"][0]["address"] == ANNA
    admin.post("/admin/settings/mail/forget", {"address": ANNA})
    assert ANNA not in everything(mailing)
    editor = AdminClient(mailing, "editor")
    editor.post("/admin/settings/mail/address", {"address": ANNA}, status=403)
    editor.post("/admin/settings/mail/forget", {"address": ANNA}, status=403)


@pytest.mark.both_stores
@pytest.mark.parametrize("ahead", [5, 400], ids=["days", "a year"])
def test_after_a_clock_that_was_ahead_a_list_comes_as_often_as_before(
    mailing: World, office: PostOffice, ahead: int
) -> None:
    follow(mailing, office, rhythm="daily")

    def announce(title: str, hours: int) -> None:
        start = mailing.clock() + timedelta(hours=hours)
        mailing.make("events", title=title, start_date=str(start), end_date=str(start + timedelta(hours=1)))

    mailing.clock.move(days=ahead)
    announce("Far", hours=12)
    run_all(mailing)
    office.messages.clear()
    office.recipients.clear()
    mailing.clock.move(days=-ahead)
    announce("Soon", hours=12)
    run_all(mailing)
    assert len(office.to(ANNA)) == 1  # not only when that day comes
    run_all(mailing)
    assert len(office.to(ANNA)) == 1
    mailing.clock.move(days=1)
    announce("Another", hours=500)
    run_all(mailing)
    assert len(office.to(ANNA)) == 2
    assert "Another" in text_of(office.last())


@pytest.mark.both_stores
def test_who_asks_while_the_clock_is_ahead_can_still_confirm(mailing: World, office: PostOffice) -> None:
    mailing.clock.move(days=400)
    for _ in range(5):  # as many as there are in a day
        ask(mailing)
    run_all(mailing)
    link = link_in(office.last(), "/mail/confirm")
    mailing.clock.move(days=-400)
    run_all(mailing)
    ask(mailing)
    run_all(mailing)
    assert len(office.to(ANNA)) == 6, "those of another time do not count"
    client = client_of(mailing.front)
    assert client.get(link).status_code == 200
    mailing.clock.move(days=8)
    run_all(mailing)
    assert ANNA not in everything(mailing)  # too late, and not only in a year


@pytest.mark.parametrize("merges", [False, True])
def test_following_goes_along_with_merges_and_new_slugs(mailing: World, office: PostOffice, merges: bool) -> None:
    old = mailing.make("categories", name="Jazz")
    new = mailing.make("categories", name="Music")
    follow(mailing, office, "?categories=jazz")
    if merges:
        AdminClient(mailing, "editor").post("/admin/categories/merge", {"id": str(old["id"]), "into": str(new["id"])})
    else:
        mailing.post(f"/categories/{old['id']}", json={"slug": "swing", "name": "Swing"})
        new = old
    # Somebody else takes the address that is free now.
    other = mailing.make("categories", name="Jazz", slug="jazz")
    times = {"start_date": "2026-11-26 20:00:00", "end_date": "2026-11-26 22:00:00"}
    mailing.make("events", title="Concert", categories=[new["id"]], **times)
    mailing.make("events", title="Not followed", categories=[other["id"]], **times)
    mailing.clock.move(days=7)
    run_all(mailing)
    text = text_of(office.last())
    assert ("Concert" in text, "Not followed" in text) == (True, False)
    link = re.search(rf"{BASE_URL}(/events/list/\?\S+)", text)
    assert link
    answer = client_of(mailing.front).get(link[0], follow_redirects=True)
    assert ("Not followed" in answer.text, answer.status_code) == (False, 200)


def test_an_old_filter_can_be_followed(mailing: World, office: PostOffice) -> None:
    made = mailing.make("categories", name="Jazz")
    mailing.post(f"/categories/{made['id']}", json={"slug": "swing", "name": "Swing"})
    assert "Swing" in client_of(mailing.front).get(f"{BASE_URL}/follow?categories=jazz").text
    follow(mailing, office, "?categories=jazz")


def test_the_page_behind_a_message_changes_the_rhythm_and_says_when_the_next_one_comes(
    mailing: World, office: PostOffice
) -> None:
    mailing.make("events", title="Every day", start_date="2026-11-16 10:00:00", end_date="2026-11-16 12:00:00",
                 recurrence="FREQ=DAILY;COUNT=60")  # fmt: skip
    assert ask(mailing).status_code == 200
    run_all(mailing)
    client = client_of(mailing.front)
    confirmed = client.post(link_in(office.last(), "/mail/confirm")).text
    assert "The next message comes on" in confirmed
    assert "Every message has a link" in confirmed
    office.messages.clear()
    mailing.clock.move(days=7)
    run_all(mailing)
    link = link_in(office.last(), "/mail/end")
    shown = client.get(link).text
    assert ("Every day instead" in shown, "Nov 29" in shown) == (True, True)
    shown = client.post(link, data={"rhythm": "daily"}).text
    assert ("Once a week instead" in shown, "Nov 23" in shown) == (True, True)
    assert "Once a week instead" in client.post(link, data={"rhythm": "hourly"}).text
    office.messages.clear()
    for _ in range(3):
        mailing.clock.move(days=1)
        run_all(mailing)
    assert len(office.messages) == 3
    assert client.post(link).status_code == 200
    assert client.post(link, data={"rhythm": "weekly"}).status_code == 404
