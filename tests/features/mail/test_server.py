"""The mail server as administrators set it up, and the test that shows what it said."""

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World
from tests.features.mail.post_office import PostOffice, post_office

from kalends.features.mail import mail_server

PATH = "/admin/settings/mail"


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with post_office(with_logins=True) as office:
        yield office


@pytest.fixture
def plain(make_world: Any) -> World:
    """A calendar without mail."""
    found: World = make_world(base_url=BASE_URL)
    return found


def fields(office: PostOffice, **more: str) -> dict[str, str]:
    return {"server_host": "127.0.0.1", "server_port": str(office.port), "server_security": "starttls"} | more


LOGIN = {"server_user": "anna", "server_password": "opens"}


def result_of_a_test(world: World, address: str = "bert@example.org") -> str:
    """What the settings say after a test."""
    admin = AdminClient(world, "administrator")
    waiting = admin.post(f"{PATH}/test", {"address": address}).headers["Location"].removeprefix(BASE_URL)
    assert 'http-equiv="refresh"' in admin.get(waiting).text
    world.calendar.background.run_due()
    assert admin.get(waiting, status=303).headers["Location"].endswith(PATH)
    return html.unescape(re.search(r'<div class="message.*?<p>(.*?)</p>', admin.get(PATH).text, re.DOTALL)[1])  # type: ignore[index]


@pytest.mark.both_stores
def test_a_server_with_a_login_is_set_up_and_tried(office: PostOffice, make_world: Any) -> None:
    world = make_world(base_url=BASE_URL, secret_key="the key of all nodes")
    neighbour = world.neighbour()
    admin = AdminClient(world, "administrator")
    assert "No mail is set up" in admin.get(PATH).text
    admin.post(f"{PATH}/server", fields(office, **LOGIN))
    assert result_of_a_test(world) == "The mail server took the test to bert@example.org: 250 taken"
    assert office.logins[-1][:2] == ("anna", "opens")
    page = admin.get(PATH).text
    assert 'value="anna"' in page
    with world.calendar.store.read() as session:
        stored = session.value("SELECT value FROM site WHERE key = 'settings'")
    assert "opens" not in page + stored
    assert "opens" not in repr(world.calendar.revision().settings)
    forgotten = neighbour.get(f"{BASE_URL}/admin/forgotten")  # another worker promises mail now
    assert forgotten.status_code == 200
    admin.post(f"{PATH}/server", fields(office, server_host=""))
    assert "No mail is set up" in admin.get(PATH).text
    assert neighbour.get(f"{BASE_URL}/admin/forgotten").status_code == 303


def test_a_password_stays_as_long_as_it_goes_to_the_same_server(plain: World, office: PostOffice) -> None:
    admin = AdminClient(plain, "administrator")
    admin.post(f"{PATH}/server", fields(office, **LOGIN))
    admin.post(f"{PATH}/server", fields(office, server_user="anna"))
    assert result_of_a_test(plain).startswith("The mail server took the test")
    for other in ({"server_host": "mail.example.net"}, {"server_port": "2525"}, {"server_user": "bert"}):
        page = admin.post(f"{PATH}/server", fields(office, server_user="anna") | other, status=400).text
        assert "another server" in error_beside(page, "server_password")
    assert result_of_a_test(plain).startswith("The mail server took the test")


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"server_host": "two words"}, "server_host"),
        ({"server_host": "a@b"}, "server_host"),
        ({"server_host": "x/y"}, "server_host"),
        ({"server_host": "", "server_user": "anna"}, "server_host"),
        ({"server_port": "0"}, "server_port"),
        ({"server_port": "65536"}, "server_port"),
        ({"server_port": "٢٥"}, "server_port"),
        ({"server_user": "", "server_password": "opens"}, "server_user"),
        ({"server_user": "anna"}, "server_password"),
        ({"server_user": "anna", "server_password": "two\nlines"}, "server_password"),
    ],
)
def test_bad_input_gets_a_sentence_and_changes_nothing(
    plain: World, office: PostOffice, sent: dict[str, str], field: str
) -> None:
    admin = AdminClient(plain, "administrator")
    before = plain.count()
    page = admin.post(f"{PATH}/server", fields(office) | sent, status=400).text
    assert error_beside(page, field)
    assert "opens" not in page
    assert plain.count() == before
    assert plain.calendar.revision().settings.mail_server is None


def test_a_refusal_is_shown_in_the_words_of_the_server_without_the_password(plain: World, office: PostOffice) -> None:
    admin = AdminClient(plain, "administrator")
    admin.post(f"{PATH}/server", fields(office, server_user="anna", server_password="hunter2"))
    said = result_of_a_test(plain)
    assert said.startswith("The test to bert@example.org was not sent. The mail server refused the login. 535")
    assert "hunter2" not in said + admin.get(PATH).text
    admin.post(f"{PATH}/server", fields(office, **LOGIN))
    office.answers["RCPT"] = "550 nobody here"
    assert result_of_a_test(plain, "eve@example.org").endswith("The mail server refused the address. 550 nobody here")
    admin.post(f"{PATH}/server", fields(office, server_port="1"))
    assert result_of_a_test(plain, "adam@example.org").startswith(
        "The test to adam@example.org was not sent. The mail server"
    )


def test_a_test_that_failed_is_not_tried_for_days(plain: World, office: PostOffice) -> None:
    admin = AdminClient(plain, "administrator")
    admin.post(f"{PATH}/server", fields(office))
    office.answers["RCPT"] = "450 later"
    assert result_of_a_test(plain).endswith("450 later")
    office.answers.clear()
    plain.clock.move(hours=1)
    plain.calendar.background.run_due()
    assert office.messages == []


def test_what_the_server_of_the_calendar_sets_wins(make_world: Any, office: PostOffice) -> None:
    world = make_world(base_url=BASE_URL, mail_server=f"smtp://127.0.0.1:{office.port}")
    admin = AdminClient(world, "administrator")
    page = admin.get(PATH).text
    assert "KALENDS_MAIL_SERVER" in page
    assert re.search(r'<input id="field-server_host"[^>]*value="127.0.0.1"[^>]* disabled', page)
    admin.post(f"{PATH}/server", fields(office, server_host="mail.example.net"))
    assert str(world.calendar.revision().settings.mail_server) == f"smtp://127.0.0.1:{office.port}"


def test_a_store_from_another_place_says_that_the_password_is_wanted_again(plain: World, office: PostOffice) -> None:
    AdminClient(plain, "administrator").post(f"{PATH}/server", fields(office, **LOGIN))
    (plain.calendar.settings.data / "secret.key").unlink()
    assert "Write it again" in result_of_a_test(plain)
    assert office.logins == []


@pytest.mark.both_stores
def test_several_nodes_need_a_key_for_a_password(make_world: Any, office: PostOffice, store_kind: str) -> None:
    world = make_world(base_url=BASE_URL)
    page = AdminClient(world, "administrator").post(
        f"{PATH}/server", fields(office, **LOGIN), status=303 if store_kind == "sqlite" else 400
    )
    assert store_kind == "sqlite" or "secret_key" in error_beside(page.text, "server_password")


def test_no_other_form_stores_a_server(plain: World) -> None:
    admin = AdminClient(plain, "administrator")
    admin.post(PATH, {"mail_server": "smtp://anna:opens@example.org", "mail_from": "a@example.org"})
    assert plain.calendar.revision().settings.mail_server is None


def test_only_administrators_set_it_and_the_log_knows(plain: World, office: PostOffice) -> None:
    for who in ("editor", "author", "subscriber"):
        AdminClient(plain, who).post(f"{PATH}/server", fields(office), status=403)
    admin = AdminClient(plain, "administrator")
    admin.post(f"{PATH}/server", fields(office, **LOGIN))
    log = admin.get("/admin/settings/security").text
    assert "mail_server" in log
    assert "opens" not in log


@pytest.mark.parametrize(
    "server",
    [
        mail_server.MailServer("mail.example.org", 587, user="a@b", password="p:/@%"),
        mail_server.MailServer("::1", 465, is_tls=True),
        mail_server.MailServer("mail.example.org", 25, user="anna", password="gAAA==", is_sealed=True),
    ],
)
def test_a_server_is_read_as_it_was_written(server: mail_server.MailServer) -> None:
    assert mail_server.parse(server.written) == server
