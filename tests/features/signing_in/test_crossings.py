"""Signing in, crossed with what the calendar had before: contract §19."""

from typing import Any

import pytest
from click.testing import CliRunner
from tests.admin.admin_client import AdminClient, key_in
from tests.conftest import BASE_URL, NS, PASSWORD, World
from tests.features.signing_in.test_provider import (
    BACK,
    SIGN_IN,
    begin,
    claims_for,
    come_back,
    linked,
    make,
    me,
    provider,
    signs_in,
)
from tests.features.signing_in.test_second_factor import add_app
from tests.features.signing_in.test_security_log import lines

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import one_time_links, users
from kalends.cli import kalends
from kalends.settings import load
from kalends.worker import make_app

__all__ = ["make", "provider"]  # fixtures
SETTINGS = "/admin/settings/security"
pytestmark = pytest.mark.both_stores


def run(world: World, *arguments: object, **settings: str) -> Any:
    """A command on the calendar of a world."""
    own = world.calendar.settings
    chosen = {"data": str(own.data)} | ({} if own.is_embedded else {"database": own.database}) | settings
    options = [part for name, value in chosen.items() for part in (f"--{name.replace('_', '-')}", value)]
    return CliRunner().invoke(kalends, [*map(str, arguments), *options])


def only_the_provider(world: World, local_admins: str = "administrator") -> AdminClient:
    owner = AdminClient(world, "administrator")
    owner.get(SETTINGS)
    owner.post(SETTINGS, {"oidc_only": "true", "local_admins": local_admins})
    return owner


def test_an_invitation_and_a_link_lead_to_the_provider(make: Any, provider: Any) -> None:
    world = make()
    owner = AdminClient(world, "administrator")
    owner.get("/admin/people")
    key = key_in(owner.post("/admin/people/invite", {"role": "author", "note": "Ada"}, status=200).text)
    with world.calendar.writing(SERVICE) as work:
        to_reset = {name: one_time_links.reset(work, world.ids[name]) for name in ("editor", "administrator")}
    assert "Choose a password" in AdminClient(world).get(f"/admin/link?key={key}").text
    only_the_provider(world)
    for link in (key, to_reset["editor"]):
        page = AdminClient(world).get(f"/admin/link?key={link}", status=400).text
        assert "No passwords are set here" in page
        assert "/admin/oidc?next" in page
    AdminClient(world).get(f"/admin/link?key={to_reset['administrator']}")  # an exception
    AdminClient(world).get("/admin/link?key=unknown", status=404)


def test_the_records_of_a_person_of_the_provider_are_handed_over(make: Any, provider: Any) -> None:
    world = make(oidc_default_role="author")
    id = me(signs_in(world, provider))["id"]
    event = world.make("events", title="Hers", start_date="2027-01-01", end_date="2027-01-01", author=id)
    owner = AdminClient(world, "administrator")
    owner.get("/admin/people")
    owner.post(f"/admin/people/{id}/remove", {"successor": str(world.ids["editor"])})
    assert world.get(f"/events/{event['id']}").json()["author"] == str(world.ids["editor"])
    with world.calendar.store.read() as session:
        for table in ("oidc_identity", "oidc_session"):
            assert session.value(f"SELECT count(*) FROM {table}") == 0
    assert me(signs_in(world, provider))["id"] != id


def test_who_loses_a_role_at_the_provider_loses_what_is_open_too(make: Any, provider: Any) -> None:
    world = make(oidc_roles="groups: staff=author, it=administrator")
    admin = signs_in(world, provider, groups=["it"])
    headers, path = {"X-Kalends-Token": admin_token(admin)}, f"{NS}/users/{me(admin)['id']}/tokens"
    token = admin.client.post(path, json={"name": "Robot"}, headers=headers).json()["token"]
    signs_in(world, provider, groups=["staff"])
    assert me(admin)["role"] == "author"
    admin.get("/admin/people", status=403)
    assert world.client.get(f"{NS}/users", headers={"Authorization": f"Bearer {token}"}).status_code == 403


def admin_token(admin: AdminClient) -> str:
    admin.get("/admin/profile")
    return admin.token


def test_a_state_is_good_once_on_all_nodes(make: Any, provider: Any) -> None:
    world = make(oidc_default_role="author")
    admin, other = AdminClient(world), AdminClient(world)
    other.client = world.neighbour()
    sent = begin(admin)
    other.client.cookies.set("kalends_oidc", str(admin.client.cookies.get("kalends_oidc")), domain="calendar.test")
    come_back(world, provider, other, sent)  # begun on one node, ended on the other
    assert me(other)["name"] == "ada"
    provider.codes["code"] = claims_for(world, provider, sent["nonce"]), sent["code_challenge"]
    admin.get(BACK, status=400, params={"code": "code", "state": sent["state"]})


def test_programs_go_on_where_only_the_provider_signs_in(make: Any, provider: Any) -> None:
    world = make(secret_key="a key of some length")
    made = world.post(f"/users/{world.ids['editor']}/tokens", json={"name": "App", "purpose": "application"}).json()[
        "token"
    ]
    add_app(world, "editor")
    only_the_provider(world)
    question = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Accept": "application/json, text/event-stream"}
    for password, status in ((PASSWORD, 401), (made, 200)):
        assert world.client.get(f"{NS}/users/me", auth=("editor", password)).status_code == status
        answer = world.client.post(f"{BASE_URL}/mcp", json=question, auth=("editor", password), headers=headers)
        assert answer.status_code == status
    assert world.get("/users/me", "editor").status_code == 200
    AdminClient(world).post(SIGN_IN, {"name": "editor", "password": made}, status=401)


def test_an_administrator_who_can_sign_in_stays(make: Any, provider: Any) -> None:
    world = make()
    with world.calendar.writing(SERVICE) as work:
        users.change_user(work, world.ids["editor"], role="administrator")
    owner = only_the_provider(world)
    path = f"/admin/people/{world.ids['administrator']}"
    refused = "first link an administrator"
    assert refused in owner.post(path, {"name": "administrator", "role": "editor"}, status=400).text
    other = AdminClient(world, "editor")
    other.get("/admin/people")
    assert refused in other.post(f"{path}/disable", {"disabled": "1"}, status=400).text
    assert refused in other.post(f"{path}/remove", {"successor": str(world.ids["author"])}, status=400).text
    said = world.put(f"/users/{world.ids['administrator']}", json={"role": "editor"})
    assert (said.status_code, refused in said.text) == (400, True)
    issuer = {"oidc_issuer": provider.issuer, "oidc_client_id": "calendar"}
    assert refused in str(run(world, "user", "role", "administrator", "editor", **issuer).exception)
    assert not any(line[0] in ("Account disabled", "Person removed") for line in lines(world))
    linked(world, provider, "editor")
    other.post(f"{path}/disable", {"disabled": "1"})


def test_only_the_provider_can_be_switched_off_on_the_server(make: Any, provider: Any) -> None:
    world = make()
    only_the_provider(world)
    AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD}, status=401)
    own = world.calendar.settings
    freed = load(None, {}, {"KALENDS_DATA": str(own.data), "KALENDS_OIDC_ONLY": "false"})
    object.__setattr__(own, "origins", freed.origins)  # as after a start with it
    object.__setattr__(own, "oidc_only", False)
    world.clock.move(minutes=10)
    AdminClient(world, app=make_app(world.calendar)).post(SIGN_IN, {"name": "editor", "password": PASSWORD})


def test_commands_for_people_of_the_provider(make: Any, provider: Any) -> None:
    world = make(oidc_default_role="author")
    admin = signs_in(world, provider)
    assert "ada" in run(world, "user", "list").output
    assert run(world, "user", "role", "ada", "editor").exit_code == 0
    assert me(admin)["role"] == "editor"
    assert run(world, "user", "reset-factors", "ada").exit_code == 0
    assert "name" not in me(admin)
    assert run(world, "user", "remove", "ada").exit_code == 0
    assert lines(world, what="person_removed")[0][:2] == ("Person removed", "ada")
