"""The queue of possible duplicates in the admin: side by side, the answer and its undo, who may, and where else it is
told of."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.sources.calendars import Elsewhere, add, entry, events, read
from tests.features.sources.test_duplicates import CHOIR, OTHER_CHOIR, choirs, other, queue

PATH = "/admin/duplicates"

__all__ = ["choirs", "other"]


@pytest.fixture
def editor(world: World) -> AdminClient:
    found = AdminClient(world, "editor")
    found.get("/admin")
    return found


def test_both_versions_are_side_by_side(world: World, choirs: list[dict[str, Any]], editor: AdminClient) -> None:
    page = editor.get(PATH).text
    for shown in (CHOIR, OTHER_CHOIR, "The town", "The society", "status-pending", "Town Hall", "This one stays"):
        assert shown in page, shown
    assert len(re.findall(r'<input type="radio" name="keep"', page)) == 2
    assert "/admin/sources/" not in page  # editors do not see sources
    assert "/admin/sources/1" in AdminClient(world, "administrator").get(PATH).text


def test_an_answer_and_its_undo(world: World, choirs: list[dict[str, Any]], editor: AdminClient) -> None:
    (pair,) = queue(world)
    kept = pair["events"][1]
    shown = {f"publish-{kept['id']}": kept["publishes"]["version"]}
    editor.post(PATH, {"pair": str(pair["id"]), "answer": "same", "keep": str(kept["id"])} | shown)
    page = editor.get(PATH).text
    assert "They are one event now" in page
    assert f'action="{PATH}/undo"' in page
    assert [one["title"] for one in events(world)] == [OTHER_CHOIR]
    assert CHOIR in editor.get(f"{PATH}?state=same").text
    editor.post(f"{PATH}/undo", {"pair": str(pair["id"])})
    assert len(queue(world)) == 1
    editor.post(PATH, {"pair": str(pair["id"]), "answer": "two"})
    assert "nobody is asked again" in editor.get(PATH).text
    editor.post(PATH, {"pair": str(pair["id"]), "answer": "two"})
    assert "answered before" in editor.get(PATH).text


def test_what_was_recognised_is_parted(
    world: World, remote: Elsewhere, other: Elsewhere, editor: AdminClient
) -> None:
    for place in (remote, other):
        place.show(entry(f"{place.url}@uid", "20270310T190000", "Jazz Night at the Hall", LOCATION="Town Hall"))
        read(world, add(world, place, name=f"From {place.url}"))
    assert "There is nothing here." in editor.get(PATH).text
    page = editor.get(f"{PATH}?state=joined").text
    assert "Also told by From http" in page
    (pair,) = queue(world, "joined")
    editor.post(PATH, {"pair": str(pair["id"]), "answer": "two"})
    assert "The next read of the source brings the other one." in editor.get(PATH).text


def test_the_review_and_the_editor_lead_there(
    world: World, choirs: list[dict[str, Any]], editor: AdminClient
) -> None:
    (pair,) = queue(world)
    link = f'href="{PATH}/{pair["id"]}"'
    for path in ("/admin/review", *(f"/admin/events/{one['id']}" for one in pair["events"])):
        assert link in editor.get(path).text, path
    assert CHOIR in editor.get(f"{PATH}/{pair['id']}").text
    editor.get(f"{PATH}/999", status=404)


def test_others_do_not_see_it(world: World, choirs: list[dict[str, Any]]) -> None:
    for who in ("contributor", "author"):
        client = AdminClient(world, who)
        page = client.get("/admin").text
        assert PATH not in page
        assert OTHER_CHOIR not in client.get(PATH, status=403).text
        client.post(PATH, {"pair": "1", "answer": "same"}, status=403)
        assert OTHER_CHOIR not in client.get("/admin/review").text
