"""Categories and tags have no status: pages, the sitemap and suggestions leave out those that no public event has."""

import re
from typing import Any

import pytest
from tests.conftest import BASE_URL, World

pytestmark = pytest.mark.both_stores

HIDDEN: dict[str, dict[str, Any]] = {
    "draft": {"status": "draft"},
    "private": {"status": "private"},
    "scheduled": {"date_utc": "2026-12-01 10:00:00"},
    "protected": {"post_password": "opensesame"},
}
WORD = "zephyrlore"
KINDS = pytest.mark.parametrize(("kind", "field"), [("category", "categories"), ("tag", "tags")])


def places(world: World, kind: str, field: str) -> dict[str, str]:
    """What everybody reads that names terms without being asked for one."""
    client = world.client
    sitemap = client.get(f"{BASE_URL}/sitemap.xml").text
    parts = re.findall(r"<loc>([^<]*)</loc>", sitemap)
    return {
        "sitemap": "".join(client.get(part).text for part in parts),
        "directory": client.get(f"{BASE_URL}/categories/").text if kind == "category" else "",
        "calendar": client.get(f"{BASE_URL}/events/").text,
        "form": client.get(f"{BASE_URL}/submit").text if kind == "category" else "",
        "suggestion": world.get(f"/events?{field}=zephyrlor").text,
        "list": world.get(f"/{field}").text,
    }


@pytest.fixture
def open_world(make_world: Any) -> World:
    found: World = make_world(submissions="true")
    return found


@KINDS
@pytest.mark.parametrize("hidden", HIDDEN)
def test_only_those_of_public_events_are_named(open_world: World, kind: str, field: str, hidden: str) -> None:
    world = open_world
    event = world.make("events", **{field: [WORD]}, **HIDDEN[hidden])["id"]
    for name, text in places(world, kind, field).items():
        assert WORD not in text, name
    [term] = world.read("events", event)[field]
    assert world.get(f"/{field}/{term['id']}").status_code == 200
    assert WORD in world.get(f"/{field}?hide_empty=false").text
    world.put(f"/events/{event}", json={"status": "publish", "post_password": "", "date_utc": "2026-11-01 10:00:00"})
    for name, text in places(world, kind, field).items():
        if name not in ("form", "directory") or kind == "category":
            assert WORD in text, name


@KINDS
def test_editors_are_told_of_all_of_them(open_world: World, kind: str, field: str) -> None:
    open_world.make("events", status="draft", **{field: [WORD]})
    assert WORD in open_world.get(f"/events?{field}=zephyrlor", "editor").text
