"""Every screen of the admin refuses those whose role is too low, by request: when it is opened and when sent."""

import re

from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World

from kalends.server.admin.routes import SCREENS
from kalends.server.admin.screen import FormScreen

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
    "/admin/media": "author",
    "/admin/categories": "author",
    "/admin/tags": "editor",
    "/admin/history": "editor",
    "/admin/import": "administrator",
    "/admin/export": "administrator",
    "/admin/people": "administrator",
    "/admin/settings": "administrator",
    "/admin/set-up": "administrator",
}
OPEN = ("/admin/sign-in", "/admin/sign-out", "/admin/link")


def lowest_for(path: str) -> str:
    return LOWEST[max((start for start in LOWEST if path == start or path.startswith(f"{start}/")), key=len)]


def test_each_role_reaches_its_screens_and_no_others(world: World) -> None:
    event = world.make("events", title="Fair", who="contributor", status="draft")["id"]
    before, wrong = world.count(), []
    for role in ROLES:
        client = AdminClient(world, role)
        client.get("/admin/profile")
        for path, screen in SCREENS.items():
            if path in OPEN:
                continue
            address = BASE_URL + re.sub(r"{plural:plural}", "events", re.sub(r"{id:digits}", str(event), path))
            address = address.replace("{section}", "calendar").replace("{form}", "csv")
            may = ROLES.index(role) >= ROLES.index(lowest_for(path))
            if hasattr(screen, "show") and screen.show is not FormScreen.show:
                opened = client.client.get(address).status_code
                if (opened == 403) == may and not (may and "{id:digits}" in path):
                    wrong.append(f"{role} opens {path}: {opened}")
            if issubclass(screen, FormScreen) and not may:
                sent = client.client.post(address, data={"token": client.token}).status_code
                wrong += [f"{role} sends {path}: {sent}"] if sent != 403 else []
    assert wrong == [], "\n".join(wrong)
    assert world.count() == before


def test_nobody_is_let_in_without_a_session(world: World) -> None:
    guest = AdminClient(world)
    for path in SCREENS:
        if path not in OPEN:
            address = BASE_URL + path.replace("{id:digits}", "1").replace("{plural:plural}", "events")
            answer = guest.client.get(address.replace("{section}", "calendar").replace("{form}", "csv"))
            assert answer.status_code == 303
            assert answer.headers["Location"].startswith(f"{BASE_URL}/admin/sign-in")
