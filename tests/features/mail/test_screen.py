"""Mail in the settings of the admin."""

import html

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.mail.post_office import PostOffice

from kalends.calendar import letters
from kalends.languages import LANGUAGES, tag

PATH = "/admin/settings/mail"


def test_without_mail_the_admin_says_so(world: World) -> None:
    page = AdminClient(world, "administrator").get(PATH).text
    assert "No mail is set up" in page
    assert f"{PATH}/test" not in page


def test_a_test_and_what_became_of_it(mailing: World, office: PostOffice) -> None:
    admin = AdminClient(mailing, "administrator")
    admin.post(f"{PATH}/test", {"address": "anna@example.org"})
    mailing.calendar.background.run_due()
    assert office.recipients == ["anna@example.org"]
    assert "anna@example.org" in admin.get(PATH).text
    admin.post(f"{PATH}/test", {"address": "no address"}, status=400)
    office.answers["RCPT"] = "550 <nobody> here"
    admin.post(f"{PATH}/test", {"address": "bert@example.org"})
    mailing.calendar.background.run_due()
    page = html.unescape(admin.get(PATH).text)
    assert "The mail server refused the address. 550 <nobody> here" in page
    assert "Addresses that refuse" in page
    admin.post(f"{PATH}/accept", {"address": "bert@example.org"})
    assert "Addresses that refuse" not in admin.get(PATH).text


def test_the_password_of_the_server_is_nowhere(make_world: object, office: PostOffice) -> None:
    world = make_world(mail_server=f"smtp://anna:hunter2@127.0.0.1:{office.port}", base_url="http://calendar.test")  # type: ignore[operator]
    admin = AdminClient(world, "administrator")
    assert f"smtp://127.0.0.1:{office.port}" in admin.get(PATH).text
    for path in (PATH, "/admin/settings", "/admin/settings/about"):
        assert "hunter2" not in admin.get(path).text


def test_the_sender_is_a_setting_of_the_site(mailing: World, office: PostOffice) -> None:
    admin = AdminClient(mailing, "administrator")
    admin.post(PATH, {"mail_from": "Town, Hall <town@example.org>", "mail_reply_to": "office@example.org"})
    admin.post(f"{PATH}/test", {"address": "anna@example.org"})
    mailing.calendar.background.run_due()
    assert office.senders == ["town@example.org"]
    assert office.last()["From"].addresses[0].display_name == "Town, Hall"
    assert office.last()["Reply-To"] == "office@example.org"
    admin.post(PATH, {"mail_from": "nobody"}, status=400)


@pytest.mark.parametrize("who", ["editor", "author", "subscriber"])
def test_only_administrators_see_it(mailing: World, who: str) -> None:
    client = AdminClient(mailing, who)
    client.get(PATH, status=403)
    client.get(f"{PATH}/preview/digest", status=403)
    client.post(f"{PATH}/test", {"address": "anna@example.org"}, status=403)


def test_a_preview_of_every_message_in_every_language(mailing: World) -> None:
    admin = AdminClient(mailing, "administrator")
    page = admin.get(PATH).text
    for kind in letters.kinds():
        for language in LANGUAGES:
            assert f"{PATH}/preview/{kind}?lang={tag(language)}" in page
    for kind in letters.kinds():
        shown = admin.get(f"{PATH}/preview/{kind}?lang=ar")
        assert 'dir="rtl"' in shown.text
        assert "default-src 'none'" in shown.headers["Content-Security-Policy"]
    admin.get(f"{PATH}/preview/nothing", status=404)
