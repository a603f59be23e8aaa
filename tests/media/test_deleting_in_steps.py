"""A picture that many records show is deleted in steps, between which others write and read."""

from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL
from tests.lists import consistency
from tests.pictures import png
from tests.series.test_scopes import make as make_series
from tests.series.test_scopes import occurrences

from kalends.admin import media as admin_media
from kalends.calendar.access import Caller
from kalends.calendar.images import image_store, uploading
from kalends.calendar.storing import referring
from kalends.contract.errors import ApiError
from kalends.contract.roles import Role

pytestmark = pytest.mark.both_stores

EVERY_TIME = "start_date=1900-01-02&end_date=9999-12-31&per_page=100"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referring, "AT_ONCE", 2)
    monkeypatch.setattr(referring, "ONE_BY_ONE", 1)


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
    return int(world.delete(f"{BASE_URL}/wp-json/wp/v2/media/{image}?force=true", who).status_code)


def test_what_was_ended_in_between_is_only_asked_for_again(world: Any) -> None:
    image = picture(world)
    events, series = fill(world, image)
    assert left(world, image) == 13
    steps = [world.calendar.write(author(world), image_store.take_from_some, image) for _ in range(3)]
    assert steps == [1, 2, 2]  # the series first, so that no further date gets it; and then it is killed
    assert left(world, image) == 8
    consistency.check(world.calendar.store)
    file = world.calendar.read(author(world), image_store.read, id=image).file
    assert world.client.get(f"{BASE_URL}/media/{file}").status_code == 200  # some still show it
    assert delete(world, image) == 200
    assert left(world, image) == 0
    assert not any(event["image"] for event in occurrences(world, series))
    assert world.get(f"/events?{EVERY_TIME}").json()["total"] == len(events) - 1  # and nothing else has changed
    assert world.client.get(f"{BASE_URL}/media/{file}").status_code == 404
    assert delete(world, image) == 404
    consistency.check(world.calendar.store)


def test_others_write_between_two_steps(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with the picture that is just being deleted."""
    image = picture(world)
    fill(world, image)
    write, seen = world.calendar.write, list[int]()

    def then_another(caller: Caller, operation: Any, *arguments: Any) -> Any:
        result = write(caller, operation, *arguments)
        if operation is image_store.take_from_some:
            seen.append(left(world, image))
            if len(seen) < 4:
                world.make("events", "author", title=f"Between {len(seen)}", image=image)
        return result

    monkeypatch.setattr(world.calendar, "write", then_another)
    AdminClient(world, "author").post(f"/admin/media/{image}/delete")
    assert len(seen) > 5
    assert left(world, image) == 0
    with pytest.raises(ApiError):
        world.calendar.read(author(world), image_store.read, id=image)
    consistency.check(world.calendar.store)


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
            uploading.delete_image(world.calendar, Caller(world.ids[role.word], role.word, role), image)
    assert left(world, image) == 14
    assert delete(world, image, "editor") == 200
    consistency.check(world.calendar.store)


def test_a_few_lose_it_all_or_none(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referring, "AT_ONCE", 20)
    monkeypatch.setattr(referring, "ONE_BY_ONE", 20)
    image = picture(world)
    fill(world, image)
    assert world.calendar.write(author(world), image_store.take_from_some, image) == 0
    assert left(world, image) == 13
    assert delete(world, image) == 200
    assert left(world, image) == 0


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
