"""Every screen of the admin refuses those whose role is too low, when it is opened and when its form is sent."""

from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World
from tests.effort import effort
from tests.feature_parts import feature_parts

from kalends.admin.routes import SCREENS

ROLES = ("subscriber", "contributor", "author", "editor", "administrator")
# The lowest role that may open the screens below an address; the longest address counts.
LOWEST = {
    "/admin": "subscriber",
    "/admin/events": "contributor",
    "/admin/review": "contributor",
    "/admin/trash": "contributor",
    "/admin/{plural:plural}": "contributor",
    "/admin/venues": "contributor",
    "/admin/organizers": "contributor",
    "/admin/media": "contributor",
    "/admin/categories": "author",
    "/admin/tags": "editor",
    "/admin/venues/merge": "editor",
    "/admin/organizers/merge": "editor",
    "/admin/categories/merge": "editor",
    "/admin/people": "administrator",
    "/admin/settings": "administrator",
    "/admin/settings/share": "editor",
    "/admin/set-up": "administrator",
}
for _part in feature_parts("pages"):
    LOWEST |= getattr(_part, "LOWEST", {})
OPEN = ("/admin/sign-in", "/admin/sign-out", "/admin/link", "/admin/address", "/admin/forgotten")


def lowest_for(path: str) -> str:
    return LOWEST[max((start for start in LOWEST if path == start or path.startswith(f"{start}/")), key=len)]


def roles_for(path: str) -> list[str]:
    """The role that may just open it and the one below; each role has all rights of those before it."""
    lowest = ROLES.index(lowest_for(path))
    return effort([*ROLES[max(0, lowest - 1) : lowest + 1]], [*ROLES])


def address_of(path: str, event: int = 1) -> str:
    for part, value in (("{id:digits}", event), ("{plural:plural}", "events"), ("{section}", "calendar")):
        path = path.replace(part, str(value))
    return BASE_URL + path.replace("{form}", "csv")


def test_each_role_reaches_its_screens_and_no_others(world: World) -> None:
    event = world.make("events", title="Fair", who="contributor", status="draft")["id"]
    clients = {role: AdminClient(world, role) for role in ROLES}
    for client in clients.values():
        client.get("/admin/profile")
    before, wrong = world.count(), []
    for path, screen in SCREENS.items():
        for role in roles_for(path) if path not in OPEN else ():
            client, address = clients[role], address_of(path, event)
            may = ROLES.index(role) >= ROLES.index(lowest_for(path))
            if screen.show_page is not None:
                opened = client.client.get(address).status_code
                if (opened == 403) == may and not (may and "{id:digits}" in path):
                    wrong.append(f"{role} opens {path}: {opened}")
            if screen.act is not None and not may:
                sent = client.client.post(address, data={"token": client.token}).status_code
                wrong += [f"{role} sends {path}: {sent}"] if sent != 403 else []
    assert wrong == [], "\n".join(wrong)
    assert world.count() == before


def test_every_form_needs_its_token(world: World) -> None:
    event = world.make("events", title="Fair")["id"]
    admin = AdminClient(world, "administrator")
    before, accepted = world.count(), []
    for path, screen in SCREENS.items():
        if screen.act is not None and path not in OPEN:
            sent = admin.client.post(address_of(path, event), data={"token": "x", "title": "Forged"}).status_code
            accepted += [path] if sent != 403 else []
    assert accepted == []
    assert world.count() == before


def test_nobody_is_let_in_without_a_session(world: World) -> None:
    guest = AdminClient(world)
    for path in SCREENS:
        if path not in OPEN:
            answer = guest.client.get(address_of(path))
            assert answer.status_code == 303
            assert answer.headers["Location"].startswith("/admin/sign-in")
