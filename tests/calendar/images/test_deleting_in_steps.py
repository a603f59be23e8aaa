"""A picture that many records show is deleted in steps, between which others write and read."""

from typing import Any

import pytest
from tests import parts, store_checks
from tests.admin.admin_client import AdminClient
from tests.calendar.access.operations_stage import status_of
from tests.calendar.series.test_scopes import make as make_series
from tests.calendar.series.test_scopes import occurrences
from tests.conftest import BASE_URL
from tests.pictures import png

from kalends.admin import media as admin_media
from kalends.calendar import deadline
from kalends.calendar.access import Caller
from kalends.calendar.images import image_store, uploading
from kalends.contract.errors import ApiError
from kalends.contract.roles import Role

pytestmark = pytest.mark.both_stores

EVERY_TIME = "start_date=1900-01-02&end_date=9999-12-31&per_page=100"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    parts.make_small(monkeypatch)


def picture(world: Any, who: str = "author") -> int:
    caller = Caller(world.ids[who], who, Role[who.upper()])
    return int(uploading.store_image(world.calendar, caller, png(), "market.png").id)


def author(world: Any) -> Caller:
    return Caller(world.ids["author"], "author", Role.AUTHOR)


def fill(world: Any, image: int) -> tuple[list[int], int]:
    """Five events, one of them in the trash, a series of four dates, two venues and an organizer that show an image:
    the ids of the events, and the series."""
    events = [world.make("events", "author", title=f"Evening {n}", image=image)["id"] for n in range(5)]
    world.delete(f"/events/{events[0]}", "author")
    dates = make_series(world, who="author", recurrence="FREQ=DAILY;COUNT=4", image=image)
    for name in ("Hall", "Quay"):
        world.make("venues", "author", venue=name, image=image)
    world.make("organizers", "author", organizer="Ann", image=image)
    return [*events, *(date["id"] for date in dates)], dates[0]["series"]


def left(world: Any, image: int) -> int:
    """How many records and series still have it."""
    with world.calendar.store.read() as session:
        found = [
            session.column(f"SELECT id FROM {kind} WHERE image = ?", (image,))
            for kind in ("event", "venue", "organizer")
        ]
        found.append(
            session.column("SELECT series FROM series_reference WHERE kind = 'media' AND target = ?", (image,))
        )
    return sum(map(len, found))


def delete(world: Any, image: int, who: str = "author") -> int:
    return status_of(lambda: image_store.delete_in_parts(world.calendar, world.caller(who), image))


@pytest.mark.parametrize("is_repeated", [False, True])
def test_what_was_ended_in_between_goes_on(world: Any, monkeypatch: pytest.MonkeyPatch, is_repeated: bool) -> None:
    image = picture(world)
    events, series = fill(world, image)
    assert left(world, image) == 13
    file, seen = world.calendar.read(author(world), image_store.read, id=image).file, list[int]()

    def look() -> None:
        store_checks.check(world.calendar.store)
        assert world.client.get(f"{BASE_URL}/media/{file}").status_code == 200  # some still show it
        seen.append(left(world, image))
        if len(seen) == 3:
            raise parts.Killed

    with monkeypatch.context() as patch:
        parts.do_between(patch, look)
        with pytest.raises(parts.Killed):
            image_store.delete_in_parts(world.calendar, author(world), image)
    assert seen == [10, 8, 6]  # the series first, so that no further date gets it
    if is_repeated:
        assert delete(world, image) == 200
    world.clock.move(seconds=60)
    world.calendar.background.run_due()
    assert left(world, image) == 0
    assert not any(event["image"] for event in occurrences(world, series))
    assert world.get(f"/events?{EVERY_TIME}").json()["total"] == len(events) - 1  # and nothing else has changed
    assert world.client.get(f"{BASE_URL}/media/{file}").status_code == 404
    assert delete(world, image) == 404
    store_checks.check(world.calendar.store)


def test_others_write_between_two_parts(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with the picture that is just being deleted."""
    image = picture(world)
    fill(world, image)
    seen = list[int]()

    def write() -> None:
        seen.append(left(world, image))
        if len(seen) < 4:
            world.make("events", "author", title=f"Between {len(seen)}", image=image)

    parts.do_between(monkeypatch, write)
    AdminClient(world, "author").post(f"/admin/media/{image}/delete")
    assert len(seen) >= 5
    assert left(world, image) == 0
    with pytest.raises(ApiError):
        world.calendar.read(author(world), image_store.read, id=image)
    store_checks.check(world.calendar.store)


def test_an_item_of_a_batch_that_is_undone_leaves_the_files(world: Any) -> None:
    image = picture(world)
    file = world.calendar.read(author(world), image_store.read, id=image).file
    with world.calendar.together() as joint:
        image_store.delete_in_parts(world.calendar, author(world), image)
        joint.undo_item()
        world.make("events", "author", title="Another item")
    assert world.calendar.files.read(file)


def test_nothing_loses_a_picture_that_cannot_be_deleted(world: Any) -> None:
    """Since somebody else shows it too, be it only on later dates of a series or in the trash."""
    image = picture(world)
    fill(world, image)
    other = world.make("events", "editor", title="Other", image=image)["id"]
    world.delete(f"/events/{other}", "editor")
    assert delete(world, image) == 403
    assert left(world, image) == 14
    for role in (Role.SUBSCRIBER, Role.CONTRIBUTOR):
        with pytest.raises(ApiError):
            image_store.delete_in_parts(world.calendar, Caller(world.ids[role.word], role.word, role), image)
    assert left(world, image) == 14
    assert delete(world, image, "editor") == 200
    store_checks.check(world.calendar.store)


def test_a_few_lose_it_all_or_none(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "PART", 10.0)
    monkeypatch.setattr(deadline, "LEAST", 0.0)
    seen = list[int]()
    parts.do_between(monkeypatch, lambda: seen.append(1))
    image = picture(world)
    fill(world, image)
    assert delete(world, image) == 200
    assert left(world, image) == 0
    assert seen == []


def test_the_page_of_a_picture_names_some_records_and_tells_how_many_more(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin_media, "MOST_USES", 3)
    image = picture(world)
    for number in range(3):
        world.make("events", "author", title=f"Evening {number}", image=image)
    admin = AdminClient(world, "author")
    html = admin.get(f"/admin/media/{image}").text
    assert "Evening 2" in html
    assert "more</p>" not in html
    world.make("venues", "author", venue="Hall", image=image)
    world.make("events", "editor", title="Secret", image=image, status="draft")
    html = admin.get(f"/admin/media/{image}").text
    assert "and 1 more" in html
    assert "and 2 more" in AdminClient(world, "editor").get(f"/admin/media/{image}").text
