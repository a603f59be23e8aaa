"""Whose a field is: the editor shows what is there and here, gives a field back to its source, and locks it."""

import re

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.sources.calendars import Elsewhere, add, entry, events, read

pytestmark = pytest.mark.both_stores


def show(remote: Elsewhere, title: str = "Concert", start: str = "20270310T190000", **more: str) -> None:
    remote.show(entry("1@town", start, title, **more))


def row_of(page: str, label: str) -> list[str]:
    """What the table of the editor says of a field: there, here, whose."""
    rows = re.findall(r'<tr>\s*<th scope="row">([^<]*)</th>(.*?)</tr>', page, re.DOTALL)
    cells = dict(rows)[label]
    texts = [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", cells, re.DOTALL)]
    return texts[:3]


class Editor:
    """The editor of the one event that the source has."""

    def __init__(self, world: World, who: str = "administrator") -> None:
        self.world, self.admin = world, AdminClient(world, who)
        (self.event,) = events(world)[:1]
        self.path = f"/admin/events/{self.event['id']}"
        self.admin.get("/admin")

    def row(self, label: str) -> list[str]:
        return row_of(self.admin.get(self.path).text, label)

    def decide(self, what: str, unit: str, status: int = 303) -> None:
        self.admin.post(f"{self.path}/fields", {what: f"1:{unit}"}, status=status)


@pytest.fixture
def made(world: World, remote: Elsewhere) -> dict[str, object]:
    show(remote, DESCRIPTION="Bring a friend", LOCATION="Town hall")
    source = add(world, remote, name="The town")
    read(world, source)
    return source


def test_what_was_changed_here_is_ours_until_it_is_given_back(
    world: World, remote: Elsewhere, made: dict[str, object]
) -> None:
    editor = Editor(world)
    assert editor.row("Title") == ["Concert", "Concert", "Theirs"]
    world.put(f"/events/{editor.event['id']}", json={"title": "A great concert"})
    assert editor.row("Title") == ["Concert", "A great concert", "Ours"]
    show(remote, "Concert in the park", LOCATION="Town hall")
    read(world, made)
    assert editor.row("Title") == ["Concert in the park", "A great concert", "Ours"]
    editor.decide("theirs", "title")
    assert editor.row("Title") == ["Concert in the park", "Concert in the park", "Theirs"]
    show(remote, "Concert in the hall")
    read(world, made)
    assert [one["title"] for one in events(world)] == ["Concert in the hall"]


def test_what_is_given_back_without_a_change_there_is_read_again(
    world: World, remote: Elsewhere, made: dict[str, object]
) -> None:
    remote.etag = '"1"'
    read(world, made)
    editor = Editor(world)
    world.put(
        f"/events/{editor.event['id']}",
        json={"start_date": "2027-03-12 20:00:00", "end_date": "2027-03-12 21:00:00", "venue": []},
    )
    assert editor.row("Start, End")[2] == "Ours"
    assert editor.row("Venue") == ["Town hall", "–", "Ours"]
    editor.decide("theirs", "schedule")
    editor.decide("theirs", "venue")
    (event,) = events(world)
    assert (event["start_date"], event["venue"]["venue"]) == ("2027-03-10 19:00:00", "Town hall")


def test_a_locked_field_stays_even_where_it_is_the_same(
    world: World, remote: Elsewhere, made: dict[str, object]
) -> None:
    editor = Editor(world)
    editor.decide("lock", "title")
    assert editor.row("Title") == ["Concert", "Concert", "Locked"]
    for title in ("Concert again", "Concert", "Something else"):
        show(remote, title, DESCRIPTION=f"Now as {title}", LOCATION="Town hall")
        assert read(world, made)["error"] == ""
        (event,) = events(world)
        assert (event["title"], f"Now as {title}" in event["description"]) == ("Concert", True)
    assert editor.row("Title") == ["Something else", "Concert", "Locked"]
    before = world.count()
    read(world, made)
    assert world.count() == before
    editor.decide("theirs", "title")
    assert [one["title"] for one in events(world)] == ["Something else"]


def test_where_it_cannot_be_read_now_the_next_read_brings_it(
    world: World, remote: Elsewhere, made: dict[str, object]
) -> None:
    editor = Editor(world)
    world.put(f"/events/{editor.event['id']}", json={"title": "Ours"})
    remote.status = 500
    editor.decide("theirs", "title")
    assert "the next read that tells it brings it" in editor.admin.get(editor.path).text
    assert editor.row("Title") == ["Concert", "Ours", "Theirs with the next read"]
    remote.status = 200
    read(world, made)
    assert editor.row("Title") == ["Concert", "Concert", "Theirs"]


def test_the_dates_of_a_series_are_decided_as_one(world: World, remote: Elsewhere) -> None:
    more = {"RRULE": "FREQ=WEEKLY;COUNT=3"}
    remote.show(entry("w@town", "20270301T190000", "Choir", end="20270301T210000", **more))
    made = add(world, remote)
    read(world, made)
    editor = Editor(world)
    last = events(world)[-1]
    page = editor.admin.get(f"/admin/events/{last['id']}").text
    assert "This is about all dates of the series." in page
    assert row_of(page, "Repeats")[:2] == ["Every Monday, 3 times"] * 2
    editor.admin.post(f"/admin/events/{last['id']}/fields", {"lock": "1:title"})
    remote.show(entry("w@town", "20270301T190000", "Big choir", end="20270301T210000", DESCRIPTION="All", **more))
    read(world, made)
    assert [(one["title"], "All" in one["description"]) for one in events(world)] == [("Choir", True)] * 3
    editor.admin.post(f"/admin/events/{last['id']}/fields", {"theirs": "1:title"})
    assert [one["title"] for one in events(world)] == ["Big choir"] * 3


def test_who_may_decide(world: World, remote: Elsewhere) -> None:
    show(remote)
    read(
        world, add(world, remote, name="The town", author=world.ids["author"], login={"user": "a", "password": "b c"})
    )
    event = events(world)[0]
    world.put(f"/events/{event['id']}", json={"title": "Ours"})
    for who in ("editor", "author"):
        editor = Editor(world, who)
        page = editor.admin.get(editor.path).text
        assert "From the source The town" in page
        assert "/admin/sources" not in page
        assert "b c" not in page
        editor.decide("lock", "title")
    editor = Editor(world, "other author") if "other author" in world.ids else Editor(world, "contributor")
    editor.admin.get(editor.path, status=403)
    editor.decide("theirs", "title", status=404)
    assert events(world)[0]["title"] == "Ours"


def test_an_event_that_was_entered_here_has_no_source(world: World, made: dict[str, object]) -> None:
    event = world.make("events", title="By hand")
    admin = AdminClient(world, "administrator")
    assert "From the source" not in admin.get(f"/admin/events/{event['id']}").text
    admin.post(f"/admin/events/{event['id']}/fields", {"lock": "1:title"}, status=404)
    world.delete(f"/sources/{made['id']}")
    assert "From the source" not in admin.get(f"/admin/events/{events(world)[0]['id']}").text
