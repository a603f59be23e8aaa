"""What `test_sample_feature.py` runs in a copy of the sources that has one more feature."""

from collections.abc import Callable

import pytest
from kalends.features.sample import rows
from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.calendar.letters import kinds

pytestmark = pytest.mark.both_stores


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    return make_world()


def wishes(world: World) -> list[tuple[str, int, str, int, str]]:
    with world.calendar.store.read() as session:
        return rows.all_of(session)


def wish(world: World, kind: str, record: int, text: str = "Louder", user: int = 1) -> None:
    with world.calendar.store.write() as session:
        rows.add(session, record, kind, record, "", user, text)


def test_its_screen_writes_into_its_table(world: World) -> None:
    admin = AdminClient(world, "administrator")
    admin.get("/admin/wishes")
    admin.post("/admin/wishes", {"kind": "event", "record": "7", "text": "Louder"})
    assert wishes(world) == [("event", 7, "", world.ids["administrator"], "Louder")]
    assert "<li>Louder</li>" in admin.get("/admin/wishes").text
    assert AdminClient(world, "author").client.get("/admin/wishes").status_code == 403


def test_its_screen_asks_again_who_it_is(world: World) -> None:
    admin = AdminClient(world, "administrator")
    admin.get("/admin/wishes")
    world.clock.move(minutes=16)
    headers = {"Sec-Fetch-Site": "same-origin"}
    assert "Is it you?" in admin.post("/admin/wishes", {"record": "7"}, status=403, headers=headers).text
    assert wishes(world) == []


def test_its_block_is_on_the_page_of_an_event(world: World) -> None:
    event = world.make("events", title="Fair")
    assert "Wishes for Fair" in world.neighbour().get(f"/event/{event['slug']}/").text


def test_its_letter_and_its_task_are_there(world: World) -> None:
    assert "wishes_handed_over" in kinds()
    wish(world, "event", 1, "")
    world.calendar.background.run_due()
    assert wishes(world) == []


@pytest.mark.parametrize(("kind", "plural", "key"), [("venue", "venues", "venue"), ("tag", "tags", "name")])
def test_it_is_told_of_a_merge(world: World, kind: str, plural: str, key: str) -> None:
    old, new = (world.make(plural, **{key: name})["id"] for name in ("Loud", "Quiet"))
    wish(world, kind, old)
    AdminClient(world, "administrator").post(f"/admin/{plural}/merge", {"id": str(old), "into": str(new)})
    assert [found[:2] for found in wishes(world)] == [(kind, new)]


KINDS = [("event", "events", "title"), ("organizer", "organizers", "organizer"), ("category", "categories", "name")]


@pytest.mark.parametrize(("kind", "plural", "key"), KINDS)
def test_it_is_told_of_another_slug(world: World, kind: str, plural: str, key: str) -> None:
    made = world.make(plural, **{key: "Choir"})
    wish(world, kind, made["id"])
    world.post(f"/{plural}/{made['id']}", json={"slug": "singers"})
    assert [found[2] for found in wishes(world)] == ["singers"]


@pytest.mark.parametrize(("kind", "plural", "key"), KINDS)
def test_it_is_told_of_what_is_deleted_for_good(world: World, kind: str, plural: str, key: str) -> None:
    made = world.make(plural, **{key: "Choir"})
    wish(world, kind, made["id"])
    if kind != "category":
        world.delete(f"/{plural}/{made['id']}")
        assert len(wishes(world)) == 1
    world.delete(f"/{plural}/{made['id']}?force=true")
    assert wishes(world) == []


def test_it_is_told_of_a_person_who_is_removed_and_who_takes_over(world: World) -> None:
    author, editor = world.ids["author"], world.ids["editor"]
    world.make("events", who="author")
    wish(world, "event", 1, user=author)
    assert world.delete(f"/users/{author}?reassign={editor}").status_code == 200
    assert [found[3] for found in wishes(world)] == [editor]
