"""The trash of the admin."""

import html
import re

import pytest
from tests import parts, store_checks
from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.admin import trash
from kalends.calendar.series import new_occurrences

TRASH = "/admin/trash"


def names(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><bdi>(.*?)</bdi>', page)


def fill(world: World, who: str = "administrator", count: int = 3) -> None:
    """Some records of each kind, trashed one after another: the events first."""
    for plural, name in (("events", "title"), ("venues", "venue"), ("organizers", "organizer")):
        for number in range(count):
            made = world.make(plural, who, **{name: f"{plural} {number}"})
            world.clock.move(seconds=60)
            world.delete(f"/{plural}/{made['id']}", who)


def status(world: World, path: str) -> object:
    response = world.get(path, who="administrator")
    return response.json()["status"] if response.status_code == 200 else response.status_code


def test_records_are_restored_as_they_were(world: World) -> None:
    event = f"/events/{world.make('events', title='Fair', status='private')['id']}"
    venue = f"/venues/{world.make('venues', venue='Hall')['id']}"
    for path in (event, venue):
        world.delete(path)
    admin = AdminClient(world, "editor")
    page = admin.get(TRASH).text
    assert "Fair" in page
    assert "Hall" in page
    items = [path[1:].replace("s/", "-") for path in (event, venue)]
    admin.post(TRASH, {"action": "restore", "item": items})
    assert (status(world, event), status(world, venue)) == ("private", "publish")
    assert "Fair" not in admin.get(TRASH).text


def test_records_are_deleted_for_good_only_from_the_trash(world: World) -> None:
    gone, kept = (f"/events/{world.make('events', title=title)['id']}" for title in ("Gone", "Kept"))
    world.delete(gone)
    admin = AdminClient(world, "editor")
    admin.post(TRASH, {"action": "delete", "item": [path[1:].replace("s/", "-") for path in (gone, kept)]})
    assert (status(world, gone), status(world, kept)) == (404, "publish")
    world.delete(kept)
    admin.post(TRASH, {"action": "empty"})
    assert status(world, kept) == 404


def test_an_old_page_of_the_trash_changes_nothing_that_left_it(world: World) -> None:
    path = f"/events/{world.make('events', title='Fair')['id']}"
    item = path[1:].replace("s/", "-")
    world.delete(path)
    admin = AdminClient(world, "editor")
    for sent in ({"action": "restore", "item": item}, {"action": "restore", "item": item}, {"item": item}):
        admin.post(TRASH, sent)
        assert status(world, path) == "publish", sent


def test_nobody_restores_or_deletes_what_belongs_to_others(world: World) -> None:
    path = f"/events/{world.make('events', title='Of another')['id']}"
    world.delete(path)
    for who in ("author", "contributor"):
        admin = AdminClient(world, who)
        assert "Of another" not in admin.get(TRASH).text
        for action in ("restore", "delete", "empty"):
            admin.post(TRASH, {"action": action, "item": [path[1:].replace("s/", "-"), "nonsense", "event-x"]})
        assert status(world, path) == "trash"


def test_a_button_without_a_selection_says_so(world: World) -> None:
    admin = AdminClient(world, "editor")
    for action in ("restore", "delete"):
        admin.post(TRASH, {"action": action})
        assert admin.message() == "Nothing is selected."


@pytest.mark.both_stores
def test_a_long_trash_has_pages_and_is_emptied_as_a_whole(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trash, "PER_PAGE", 4)
    parts.make_small(monkeypatch)
    fill(world)
    admin = AdminClient(world, "editor")
    pages = [admin.get(f"{TRASH}?page={number}").text for number in (1, 2, 3)]
    latest = [f"{plural} {number}" for plural in ("organizers", "venues", "events") for number in (2, 1, 0)]
    assert [names(page) for page in pages] == [latest[:4], latest[4:8], latest[8:]]
    assert "Page 3 of 3" in pages[2]
    assert "Records: 9" in re.search(r'<div class="dialog" id="empty".*?</div>', pages[2], re.DOTALL)[0]  # type: ignore[index]
    assert names(admin.get(f"{TRASH}?page=99").text) == latest[8:]  # one that was emptied meanwhile
    admin.post(TRASH, {"action": "empty"})
    assert admin.message() == "Deleted for good: 9."
    assert "The trash is empty" in admin.get(TRASH).text


def test_an_action_leads_back_to_its_page_of_the_trash(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trash, "PER_PAGE", 2)
    fill(world, count=1)
    admin = AdminClient(world, "editor")
    page = admin.get(f"{TRASH}?page=2").text
    [action] = re.findall(r'<form method="post" action="([^"]*)" id="bulk"', page)
    [item] = re.findall(r'name="item" value="(.*?)"', page)
    assert admin.post(action, {"action": "restore", "item": item}).headers["Location"].endswith("/trash?page=2")


def test_everybody_empties_their_own_trash_only(world: World) -> None:
    fill(world, "author", count=1)
    fill(world, "other_author", count=1)
    admin = AdminClient(world, "author")
    assert len(names(admin.get(TRASH).text)) == 3
    admin.post(TRASH, {"action": "empty"})
    assert admin.message() == "Deleted for good: 3."
    assert len(names(AdminClient(world, "editor").get(TRASH).text)) == 3


def test_the_trash_of_a_contributor_has_only_what_they_may_delete(world: World) -> None:
    path = f"/events/{world.make('events', 'contributor', title='Published since')['id']}"
    world.put(path, json={"status": "publish"})
    world.delete(path)
    admin = AdminClient(world, "contributor")
    assert names(admin.get(TRASH).text) == []
    admin.post(TRASH, {"action": "empty"})
    assert status(world, path) == "trash"


def test_a_series_leaves_the_trash_as_a_whole_and_a_living_one_without_its_exceptions(world: World) -> None:
    weekly = {"start_date": "2026-12-01 10:00:00", "end_date": "2026-12-01 11:00:00"}
    gone, kept = (
        world.make("events", title=title, recurrence="FREQ=WEEKLY;COUNT=5", **weekly) for title in ("Gone", "Kept")
    )
    world.delete(f"/events/{gone['id']}", params={"scope": "all"})
    world.delete(f"/events/{kept['id']}")
    admin = AdminClient(world, "editor")
    admin.post(TRASH, {"action": "empty"})
    assert admin.message() == "Deleted for good: 6."
    listed = world.get("/events", params={"start_date": "2026-11-01", "per_page": 50}).json()["events"]
    assert [event["title"] for event in listed] == ["Kept"] * 4


@pytest.mark.parametrize("action", ["restore", "delete"])
def test_what_was_changed_since_it_was_shown_is_left_and_named(world: World, action: str) -> None:
    ids = [world.make("events", title=title)["id"] for title in ("Fair", "Ball", "Market")]
    for id in ids:
        world.delete(f"/events/{id}")
    admin = AdminClient(world, "editor")
    page = admin.get(TRASH).text
    world.put(f"/events/{ids[0]}", json={"description": "Changed in the trash"})
    world.put(f"/events/{ids[2]}", json={"status": "draft"})
    sent = dict(re.findall(r'name="(rev-event-\d+)" value="(\d+)"', page))
    admin.post(TRASH, sent | {"action": action, "item": [f"event-{id}" for id in ids]})
    said = admin.message()
    assert ("Restored: 1." if action == "restore" else "Deleted for good: 1.") in said
    assert "Changed in the meantime and left as they are: “Fair”." in said
    assert "No longer in the trash: 1." in said
    expected = {"restore": ["trash", "publish", "draft"], "delete": ["trash", 404, "draft"]}[action]
    assert [status(world, f"/events/{id}") for id in ids] == expected


@pytest.mark.parametrize("action", ["restore", "delete"])
def test_dates_of_one_series_do_not_count_as_changed_by_each_other(
    world: World, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    parts.make_small(monkeypatch, 20)
    made = world.make("events", title="Yoga", recurrence="FREQ=WEEKLY")
    world.delete(f"/events/{made['id']}?scope=all")
    admin = AdminClient(world, "editor")
    page = admin.get(TRASH).text
    sent = dict(re.findall(r'name="(rev-event-\d+)" value="(\d+)"', page))
    items = re.findall(r'name="item" value="(event-\d+)"', page)
    admin.post(TRASH, sent | {"action": action, "item": items})
    assert f": {len(items)}." in admin.message()
    rest = re.findall(r'name="item" value="(event-\d+)"', admin.get(TRASH).text)
    assert rest
    assert not set(rest) & set(items)


WEEKLY = {"start_date": "2026-12-01 10:00:00", "end_date": "2026-12-01 11:00:00", "recurrence": "FREQ=WEEKLY;COUNT=6"}


def live(world: World, series: int) -> list[str]:
    asked = {"series": series, "start_date": "2020-01-01", "per_page": 50}
    return [event["start_date"][5:10] for event in world.get("/events", params=asked).json().get("events", [])]


@pytest.mark.both_stores
@pytest.mark.parametrize("is_long", [False, True])
def test_a_series_is_one_row_and_comes_back_as_one_without_what_was_skipped_before(
    world: World, monkeypatch: pytest.MonkeyPatch, is_long: bool
) -> None:
    if is_long:
        parts.make_small(monkeypatch)
    made = world.make("events", title="Yoga", **WEEKLY)
    ids = [event["id"] for event in world.get(f"/events?series={made['series']}").json()["events"]]
    world.delete(f"/events/{ids[2]}")
    world.delete(f"/events/{ids[0]}?scope=all")
    admin = AdminClient(world, "editor")
    page = admin.get(TRASH).text
    assert names(page) == ["Yoga"]
    assert "Series, 6 dates" in page
    assert "Records: 1" in page
    item, rev = f"series-{made['series']}", re.search(r'name="rev-series-\d+" value="(\d+)"', page)[1]  # type: ignore[index]
    admin.post(TRASH, {"action": "restore", "item": item, f"rev-{item}": rev})
    assert admin.message() == "Restored: 5."
    assert live(world, made["series"]) == ["12-01", "12-08", "12-22", "12-29", "01-05"]
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_several_dates_of_a_living_series_are_one_row(world: World) -> None:
    made = world.make("events", title="Yoga", **WEEKLY)
    world.put(f"/events/{made['id']}?scope=all", json={"recurrence": "FREQ=WEEKLY;COUNT=4"})
    admin = AdminClient(world, "editor")
    page = admin.get(TRASH).text
    assert names(page) == ["Yoga"]
    assert "2 dates of a series" in page
    admin.post(TRASH, {"action": "restore", "item": re.findall(r'value="(event-\d+)"', page)[0]})
    assert names(admin.get(TRASH).text) == ["Yoga"]
    assert len(live(world, made["series"])) == 5
    admin.post(TRASH, {"action": "delete", "item": f"series-{made['series']}", f"rev-series-{made['series']}": "1"})
    assert "Changed in the meantime" in admin.message()


def test_a_row_of_a_series_is_deleted_for_good_as_one(world: World) -> None:
    made = world.make("events", title="Yoga", **WEEKLY)
    world.delete(f"/events/{made['id']}?scope=all")
    admin = AdminClient(world, "editor")
    admin.post(TRASH, {"action": "delete", "item": f"series-{made['series']}"})
    assert admin.message() == "Deleted for good: 6."
    assert names(admin.get(TRASH).text) == []
    for who in ("author", "contributor"):
        other = world.make("events", title="Yoga", **WEEKLY)
        world.delete(f"/events/{other['id']}?scope=all")
        AdminClient(world, who).post(TRASH, {"action": "restore", "item": f"series-{other['series']}"})
        assert live(world, other["series"]) == []


@pytest.mark.both_stores
@pytest.mark.parametrize(("scope", "left"), [("all", 0), ("following", 2)])
def test_dates_that_went_to_the_trash_come_back_with_undo(world: World, scope: str, left: int) -> None:
    made = world.make("events", title="Yoga", **WEEKLY)
    ids = [event["id"] for event in world.get(f"/events?series={made['series']}").json()["events"]]
    before = live(world, made["series"])
    admin = AdminClient(world, "editor")
    admin.post(f"/admin/events/{ids[2]}/trash", {"scope": scope})
    page = admin.get("/admin/events").text
    assert live(world, made["series"]) == before[:left]
    form = re.search(r'<form method="post" action="([^"]*)"[^>]*>((?:(?!</form>).)*)Undo', page, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[2]))
    admin.post(form[1].replace("&amp;", "&"), {name: html.unescape(value) for name, value in fields.items()})
    assert live(world, made["series"]) == before
    assert names(admin.get(TRASH).text) == []
    store_checks.check(world.calendar.store, world.calendar.settings)


@pytest.mark.parametrize(("plural", "name"), [("venues", "venue"), ("organizers", "organizer")])
def test_other_records_that_went_to_the_trash_come_back_with_undo(world: World, plural: str, name: str) -> None:
    id = world.make(plural, **{name: "Old mill"})["id"]
    admin = AdminClient(world, "editor")
    admin.post(f"/admin/{plural}/{id}/delete")
    message = admin.get(f"/admin/{plural}").text.partition('class="message')[2].partition("</form>")[0]
    assert f'name="item" value="{name}-{id}"' in message
    admin.post(TRASH, {"action": "restore", "item": f"{name}-{id}"})
    assert status(world, f"/{plural}/{id}") == "publish"


def test_a_series_comes_back_from_the_trash_as_a_whole(world: World) -> None:
    made = world.make("events", title="Yoga", recurrence="FREQ=MONTHLY")
    world.delete(f"/events/{made['id']}?scope=all")
    admin = AdminClient(world, "editor")
    items = re.findall(r'name="item" value="(event-\d+)"', admin.get(TRASH).text)
    admin.post(TRASH, {"action": "restore", "item": items})
    found = world.get(f"/events/{made['id']}").json()
    assert (found["status"], found["recurrence"]) == ("publish", made["recurrence"])


@pytest.mark.parametrize("is_long", [False, True])
@pytest.mark.parametrize("own", ["publish", "private"])
def test_each_date_of_a_series_comes_back_as_it_was(
    world: World, monkeypatch: pytest.MonkeyPatch, is_long: bool, own: str
) -> None:
    """Drafts are still drafts, whatever another date was; and who chooses a date that was cancelled gets it back."""
    if is_long:
        monkeypatch.setattr(new_occurrences, "AT_ONCE", 1)
    made = world.make("events", title="Yoga", status="draft", recurrence="FREQ=DAILY;COUNT=6")
    listed = {"series": made["series"], "status": "draft", "start_date": "2020-01-01"}
    ids = [event["id"] for event in world.get("/events", "administrator", params=listed).json()["events"]]
    world.put(f"/events/{ids[0]}", json={"status": own, "scope": "this"})
    world.put(f"/events/{ids[5]}", json={"status": own, "scope": "this"})
    world.delete(f"/events/{ids[2]}")
    world.delete(f"/events/{ids[3]}?scope=all")
    admin = AdminClient(world, "editor")
    page = admin.get(TRASH).text
    sent = dict(re.findall(r'name="(rev-event-\d+)" value="(\d+)"', page))
    items = re.findall(r'name="item" value="(event-\d+)"', page)
    admin.post(TRASH, sent | {"action": "restore", "item": items})
    assert "Restored: 6." in admin.message()
    assert [status(world, f"/events/{id}") for id in ids] == [own, *["draft"] * 4, own]
    store_checks.check(world.calendar.store, world.calendar.settings)
