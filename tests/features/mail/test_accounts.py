"""Messages to people with accounts: passwords, invitations, addresses and new browsers."""

import re
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, PASSWORD, World, client_of
from tests.features.mail.post_office import PostOffice

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import sessions, users
from kalends.cli import kalends
from kalends.store.rows import tasks

ANNA = "anna@example.org"


def give_address(world: World, who: str = "author", address: str = ANNA) -> None:
    with world.calendar.writing(SERVICE) as work:
        user = users.find_user(work, world.ids[who])
        user.email = address
        users.users.update_user(work.session, user)  # without a message


def text_of(message: Any) -> str:
    return str(message.get_body(("plain",)).get_content())


def subjects(office: PostOffice, address: str = ANNA) -> list[str]:
    return [message["Subject"] for message in office.to(address)]


def link_in(message: Any) -> str:
    found = re.search(r"https?://\S+/admin/link\?key=\S+", text_of(message))
    assert found
    return found[0]


def sign_in(world: World, client: httpx.Client | None = None, agent: str = "Firefox") -> httpx.Client:
    client = client or client_of(world.front)
    response = client.post(
        f"{BASE_URL}/admin/sign-in", data={"name": "author", "password": PASSWORD}, headers={"User-Agent": agent}
    )
    assert response.status_code == 303, response.text
    return client


def ask_for_password(world: World, name: str, **more: Any) -> httpx.Response:
    return client_of(world.front).post(f"{BASE_URL}/admin/forgotten", data={"name": name}, **more)


@pytest.mark.parametrize("name", ["author", ANNA, "ANNA@Example.org"])
def test_a_forgotten_password(mailing: World, office: PostOffice, name: str) -> None:
    give_address(mailing)
    assert ask_for_password(mailing, name, headers={"Host": "evil.example"}).status_code == 200
    mailing.calendar.background.run_due()
    mailing.calendar.background.run_due()
    (message,) = office.to(ANNA)
    link = link_in(message)
    assert link.startswith(f"{BASE_URL}/")  # whatever the request called itself
    client, key = client_of(mailing.front), link.partition("key=")[2]
    for _ in range(2):  # a scanner opens it first
        assert client.get(link).status_code == 200
    accepted = client.post(f"{BASE_URL}/admin/link", data={"key": key, "password": "another horse"})
    assert accepted.status_code == 303
    assert client.get(link).status_code == 404
    mailing.calendar.background.run_due()
    assert subjects(office)[1:] == ["Your password was changed"]


def test_nobody_learns_who_is_there(mailing: World, office: PostOffice) -> None:
    give_address(mailing)
    known, unknown = ask_for_password(mailing, ANNA), ask_for_password(mailing, "nobody@example.org")
    assert (known.status_code, known.text) == (unknown.status_code, unknown.text)
    # The request does the same for both: one task, and nothing that depends on who that is.
    with mailing.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM task WHERE kind = 'forgotten-password'") == 2
        assert session.value("SELECT count(*) FROM mail") == 0
    while mailing.calendar.background.run_due():
        pass
    assert office.recipients == [ANNA]
    with mailing.calendar.store.read() as session:
        assert "nobody" not in str(session.all("SELECT * FROM task"))


def test_a_hundred_requests_for_one_address(mailing: World, office: PostOffice) -> None:
    give_address(mailing)
    statuses = [ask_for_password(mailing, ANNA).status_code for _ in range(20)]
    assert statuses == [200] * 10 + [429] * 10
    for _ in range(5):
        mailing.clock.move(hours=1)
        ask_for_password(mailing, ANNA)
        mailing.calendar.background.run_due()
        mailing.calendar.background.run_due()
    assert len(office.messages) == 3


def test_a_disabled_person_and_one_without_address_get_nothing(mailing: World, office: PostOffice) -> None:
    give_address(mailing)
    mailing.calendar.write(SERVICE, users.change_user, mailing.ids["author"], disabled=True)
    for name in ("author", "editor"):
        assert ask_for_password(mailing, name).status_code == 200
    mailing.calendar.background.run_due()
    assert office.messages == []


def test_without_mail_nothing_is_promised(world: World) -> None:
    assert "/admin/forgotten" not in client_of(world.front).get(f"{BASE_URL}/admin/sign-in").text
    assert ask_for_password(world, "author").status_code == 303
    with world.calendar.store.read() as session:
        assert "forgotten-password" not in [count.kind for count in tasks.counts(session, "9999", "9999")]


def test_an_invitation_is_sent_and_brings_its_address(mailing: World, office: PostOffice) -> None:
    admin = AdminClient(mailing, "administrator")
    admin.post("/admin/people/invite", {"role": "editor", "note": "Bert", "email": "bert@example.org"})
    mailing.calendar.background.run_due()
    (message,) = office.to("bert@example.org")
    key = link_in(message).partition("key=")[2]
    client = client_of(mailing.front)
    client.post(f"{BASE_URL}/admin/link", data={"key": key, "name": "bert", "password": "another horse"})
    with mailing.calendar.reading_latest(SERVICE) as work:
        user = users.find_user_by_name(work, "bert")
    assert user is not None
    assert (user.role, user.email) == ("editor", "bert@example.org")


def test_an_invitation_without_an_address_is_handed_over(mailing: World, office: PostOffice) -> None:
    admin = AdminClient(mailing, "administrator")
    page = admin.post("/admin/people/invite", {"role": "editor", "note": "Bert", "email": ""}, status=200)
    assert "/admin/link?key=" in page.text
    admin.post("/admin/people/invite", {"role": "editor", "note": "Bert", "email": "no\r\naddress"}, status=400)
    mailing.calendar.background.run_due()
    assert office.messages == []


def test_a_link_from_people(mailing: World, office: PostOffice) -> None:
    give_address(mailing)
    admin = AdminClient(mailing, "administrator")
    admin.post(f"/admin/people/{mailing.ids['author']}/reset", {"send": "1"})
    mailing.calendar.background.run_due()
    assert subjects(office) == ["A new password for Test calendar"]


def ask_for_address(author: AdminClient, email: str, password: str = PASSWORD, status: int = 303) -> str:
    sent = {"email": email, "address_password": password}
    return author.post("/admin/profile/address", sent, status=status).text


def address_of(world: World) -> str:
    with world.calendar.reading_latest(SERVICE) as work:
        return users.find_user(work, world.ids["author"]).email


def link_to_confirm(office: PostOffice, address: str) -> str:
    found = re.search(rf"{BASE_URL}/admin/address\?key=(\S+)", text_of(office.to(address)[-1]))
    assert found
    return found[1]


def test_another_address_needs_the_password_and_is_confirmed_there(mailing: World, office: PostOffice) -> None:
    """A session that somebody else got hold of is not enough to have passwords sent elsewhere."""
    give_address(mailing)
    author, guest = AdminClient(mailing, "author"), client_of(mailing.front)
    author.post("/admin/profile", {"name": "author", "language": "", "email": "evil@example.org"})
    for password in ("", "wrong"):
        page = ask_for_address(author, "evil@example.org", password, 400)
        assert "This is not your password." in page
    for email in ("a\nb@example.org", "nothing", "x" * 320 + "@example.org"):
        ask_for_address(author, email, status=400)
    while mailing.calendar.background.run_due():
        pass
    assert (address_of(mailing), office.messages) == (ANNA, [])

    ask_for_address(author, "first@example.org")
    ask_for_address(author, "new@example.org")
    while mailing.calendar.background.run_due():
        pass
    assert office.recipients == ["first@example.org", "new@example.org"]
    key = link_to_confirm(office, "new@example.org")
    page = f"{BASE_URL}/admin/address"
    for _ in range(2):  # a scanner opens it
        assert "new@example.org" in guest.get(page, params={"key": key}).text
    assert guest.get(page, params={"key": link_to_confirm(office, "first@example.org")}).status_code == 404
    assert guest.get(f"{BASE_URL}/admin/link", params={"key": key}).status_code == 404
    taken = guest.post(f"{BASE_URL}/admin/link", data={"key": key, "password": "another horse"})
    assert taken.status_code == 404
    assert address_of(mailing) == ANNA

    done = guest.post(page, data={"key": key})
    assert "new@example.org" in done.text
    assert guest.get(f"{mailing.ns}/users/me").status_code == 401  # it opens no session
    assert address_of(mailing) == "new@example.org"
    assert guest.post(page, data={"key": key}).status_code == 404
    while mailing.calendar.background.run_due():
        pass
    assert sorted(office.recipients[2:]) == [ANNA, "new@example.org"]  # both hear of it
    assert "new@example.org" in text_of(office.to(ANNA)[0])


def test_a_link_to_an_address_ends(mailing: World, office: PostOffice) -> None:
    """Late, after another password, for somebody who is disabled; and one address is not flooded."""
    author, guest = AdminClient(mailing, "author"), client_of(mailing.front)

    def ask() -> str:
        ask_for_address(author, ANNA)
        mailing.calendar.background.run_due()
        return link_to_confirm(office, ANNA)

    key = ask()
    mailing.clock.move(days=3)
    assert guest.post(f"{BASE_URL}/admin/address", data={"key": key}).status_code == 404
    author = AdminClient(mailing, "author")
    key = ask()
    mailing.calendar.write(SERVICE, users.change_user, mailing.ids["author"], password="another horse")
    assert guest.post(f"{BASE_URL}/admin/address", data={"key": key}).status_code == 404
    mailing.calendar.write(SERVICE, users.change_user, mailing.ids["author"], password=PASSWORD)
    author = AdminClient(mailing, "author")
    key = ask()
    for bad in ("", "x", key[:-1], "é", "y" * 500):
        assert guest.post(f"{BASE_URL}/admin/address", data={"key": bad}).status_code == 404
    ask()
    ask_for_address(author, ANNA, status=400)
    assert len([one for one in subjects(office) if one == "Is this your address?"]) == 4
    assert address_of(mailing) == ""


def test_without_mail_an_address_needs_the_password_alone(world: World) -> None:
    author = AdminClient(world, "author")
    ask_for_address(author, ANNA, "wrong", 400)
    ask_for_address(author, ANNA)
    assert address_of(world) == ANNA
    ask_for_address(author, "")
    assert address_of(world) == ""


def test_a_new_browser_is_told_once(mailing: World, office: PostOffice) -> None:
    give_address(mailing)
    client = sign_in(mailing, agent="Mozilla/5.0 Firefox/140")
    mailing.calendar.background.run_due()
    assert subjects(office) == ["A new sign-in to Test calendar"]
    assert "Firefox/140" in text_of(office.last())
    client.post(f"{BASE_URL}/admin/sign-out")
    sign_in(mailing, client)
    mailing.calendar.background.run_due()
    assert len(office.messages) == 1
    sign_in(mailing)
    mailing.calendar.background.run_due()
    assert len(office.messages) == 2


def test_a_program_that_signs_in_again_and_again_is_told_a_few_times_and_has_few_sessions(
    mailing: World, office: PostOffice
) -> None:
    give_address(mailing)
    for _ in range(sessions.MOST_SESSIONS + 5):
        client = sign_in(mailing)
    with mailing.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM mail") == sessions.MOST_TOLD_PER_DAY
        assert session.value("SELECT count(*) FROM session") == sessions.MOST_SESSIONS
    assert client.get(f"{BASE_URL}/admin/events").status_code == 200  # the newest


def test_email_in_the_interface(mailing: World, office: PostOffice) -> None:
    made = mailing.post(
        "/users", json={"name": "bert", "role": "author", "password": "long enough", "email": "bert@example.org"}
    ).json()
    assert made["email"] == "bert@example.org"
    changed = mailing.post(f"/users/{made['id']}", json={"email": "b2@example.org"}).json()
    assert changed["email"] == "b2@example.org"
    assert mailing.post(f"/users/{made['id']}", json={"email": ""}).json()["email"] == ""
    for bad in ("no address", "a@b", "a\r\nBcc: c@d.org@example.org"):
        assert mailing.post(f"/users/{made['id']}", json={"email": bad}).status_code == 400
    assert mailing.get("/users/me", "author").json()["email"] == ""
    assert "email" in mailing.get("/users", "administrator").json()["users"][0]
    assert mailing.get("/users", "editor").status_code == 403


def test_email_by_a_command(world: World) -> None:
    def run(*arguments: str) -> Any:
        return CliRunner().invoke(kalends, ["user", "email", *arguments, "--data", str(world.calendar.settings.data)])

    assert "anna@example.org" in run("author", ANNA).output
    assert world.get(f"/users/{world.ids['author']}", "administrator").json()["email"] == ANNA
    assert run("author", "nothing").exit_code != 0
    assert run("nobody", ANNA).exit_code != 0
    assert run("author", "").exit_code == 0


def test_the_profile_switches_messages_off(mailing: World) -> None:
    author = AdminClient(mailing, "author")
    assert "My event was published" in author.get("/admin/profile").text
    author.post("/admin/profile/messages", {"event_changed": "1", "password_link": "1"})
    with mailing.calendar.reading_latest(SERVICE) as work:
        off = users.find_user(work, mailing.ids["author"]).mail_off.split()
    assert off == ["event_published", "event_returned", "review_waiting", "source_failed", "webhook_failed"]
