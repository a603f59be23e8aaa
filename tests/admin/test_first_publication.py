"""A new series is published, or sent to review, whole: from the editor with and without the background save, from the
table, and through the interface where no scope is sent."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World

NEW = "/admin/events/new"
COURSE: dict[str, Any] = {
    "title": "Italian",
    **{"start_day": "2027-01-08", "start_time": "19:00", "end_day": "2027-01-08", "end_time": "21:00"},
    **{
        "timezone": "UTC",
        "repeat": "weekly",
        "repeat_interval": "1",
        "repeat_weekday": "FR",
        "repeat_suggested": "FR",
    },
    **{"repeat_end": "count", "repeat_count": "6"},
}
FIRST_STAYS = "The first date cannot be skipped: let the event begin on a later day."
FRIDAYS = ["01-08", "01-15", "01-22", "01-29", "02-05", "02-12"]


def events(world: World, statuses: str = "publish,future,draft,pending,private") -> list[dict[str, Any]]:
    sent = {"start_date": "2026-01-01", "per_page": "50", "status": statuses}
    found: list[dict[str, Any]] = world.get("/events", "administrator", params=sent).json()["events"]
    return found


def days(world: World, statuses: str = "publish,future,draft,pending,private") -> dict[str, list[str]]:
    """The days that there are, by the status of their events."""
    found: dict[str, list[str]] = {}
    for event in events(world, statuses):
        found.setdefault(event["status"], []).append(event["start_date"][5:10])
    return found


class Organizer:
    """Somebody in front of the editor of one event, whose browser saves it now and then."""

    def __init__(self, world: World, who: str = "administrator", **typed: Any) -> None:
        self.client, self.path = AdminClient(world, who), NEW
        self.form = COURSE | typed

    def types(self, **typed: Any) -> "Organizer":
        self.form |= typed
        return self

    def waits(self) -> "Organizer":
        """The browser saves in the background."""
        answer = self.client.post(f"{self.path}/autosave", self.form, status=200).json()
        self.path, self.form = answer["action"], self.form | {"version": answer["version"]}
        return self

    def presses(self, button: str, status: int = 303, **more: str) -> str:
        """The page that is shown then."""
        answer = self.client.post(self.path, self.form | {"do": button} | more, status=status)
        if status != 303:
            return answer.text
        self.path = answer.headers["Location"].removeprefix(BASE_URL)
        return self.reopens()

    def reopens(self) -> str:
        """Opens the event anew: the form has what a browser without scripts would send."""
        html = self.client.get(self.path).text
        form = html.partition('id="editor"')[2].partition("</form>")[0]
        self.form = {}
        for tag in re.findall(r"<input[^>]*>", form):
            name, value = (re.search(rf' {part}="([^"]*)"', tag) for part in ("name", "value"))
            is_on = not re.search('type="(checkbox|radio|file)"', tag) or " checked" in tag
            if name and is_on and name[1] != "token":
                self.form.setdefault(name[1], []).append(value[1] if value else "")
        for name, options in re.findall(r'<select[^>]* name="(\w+)".*?>(.*?)</select>', form, re.DOTALL):
            chosen = re.search(r'<option value="(\w*)" selected', options)
            self.form[name] = chosen[1] if chosen else ""
        return html


def test_a_series_that_was_saved_in_the_background_is_published_whole(world: World) -> None:
    person = Organizer(world).waits()
    assert days(world) == {"draft": ["01-08"]}  # the dates are made when a person saves
    person.types(description="<p>For beginners.</p>").waits()
    person.presses("publish")
    assert days(world) == {"publish": FRIDAYS}
    assert {event["description"] for event in events(world)} == {"<p>For beginners.</p>"}


@pytest.mark.both_stores
def test_a_contributor_submits_all_dates_and_they_are_published_as_one(world: World) -> None:
    Organizer(world, "contributor", repeat_count="5").waits().presses("submit")
    assert days(world) == {"pending": FRIDAYS[:5]}
    person = Organizer(world, "contributor", title="Spanish").waits()
    person.presses("draft")
    person.presses("submit")
    assert days(world) == {"pending": sorted([*FRIDAYS[:5], *FRIDAYS])}
    [first, *_] = [event for event in events(world) if event["title"] == "Spanish"]
    AdminClient(world, "editor").post("/admin/review", {"event": str(first["id"]), "action": "publish"})
    assert days(world)["publish"] == FRIDAYS


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({"repeat_count": "2"}, FRIDAYS[:2]),
        ({"repeat": "daily", "repeat_count": "3"}, ["01-08", "01-09", "01-10"]),
        ({"repeat": "none"}, ["01-08"]),
        ({"start_day": "2027-01-09", "end_day": "2027-01-09", "repeat_count": "2"}, ["01-09", "01-16"]),
        ({"repeat_exceptions[]": ["2027-01-15", "2027-01-29 19:00:00", ""]}, ["01-08", "01-22", "02-05", "02-12"]),
        ({"repeat_exceptions[]": ["2027-01-08", ""]}, FRIDAYS[1:]),
        ({"repeat_exceptions[]": ["2027-01-08", "2027-01-15 19:00:00", "2027-02-05"]}, ["01-22", "01-29", "02-12"]),
        ({"repeat_dates[]": ["2027-03-01", ""]}, [*FRIDAYS, "03-01"]),
    ],
)
@pytest.mark.parametrize("does_wait", [True, False])
def test_what_repeats_is_changed_before_the_publication(
    world: World, typed: dict[str, Any], expected: list[str], does_wait: bool
) -> None:
    person = Organizer(world)
    if does_wait:
        person.waits().types(**typed).waits()
    person.types(**typed).presses("publish")
    assert days(world, "publish,future,draft,pending,private,trash") == {"publish": expected}


@pytest.mark.parametrize(
    ("button", "typed", "status"),
    [
        ("publish", {}, "publish"),
        ("private", {}, "private"),
        ("publish", {"date": "2026-12-24 10:00:00"}, "future"),
    ],
)
def test_a_draft_that_is_opened_again_is_published_whole(
    world: World, button: str, typed: dict[str, str], status: str
) -> None:
    person = Organizer(world)
    html = person.presses("draft")
    assert days(world) == {"draft": FRIDAYS}
    assert person.form["scope"] == ["all"]
    assert re.search(r"<details[^>]*>\s*<summary>Applies to all dates</summary>", html)
    html = person.types(title="Italiano", **typed).presses(button)
    assert days(world) == {status: FRIDAYS}
    assert {event["title"] for event in events(world)} == {"Italiano"}
    assert ("<summary>Applies to all dates" in html) == (status != "publish")
    assert person.form["scope"] == ["this"] if status == "publish" else ["all"]
    if status == "future":
        assert {event["date"] for event in events(world)} == {"2026-12-24 10:00:00"}


@pytest.mark.both_stores
@pytest.mark.parametrize(
    ("typed", "expected", "trashed"),
    [
        ({"repeat_count": "2"}, FRIDAYS[:2], FRIDAYS[2:]),
        ({"repeat": "daily", "repeat_count": "3"}, ["01-08", "01-09", "01-10"], FRIDAYS[1:]),
        ({"repeat_count": "7"}, [*FRIDAYS, "02-19"], []),
        (
            {"start_day": "2027-01-09", "end_day": "2027-01-09"},
            ["01-09", "01-16", "01-23", "01-30", "02-06", "02-13"],
            [],
        ),
        ({"start_day": "2027-01-09", "end_day": "2027-01-09", "repeat_count": "2"}, ["01-09", "01-16"], None),
        ({"repeat": "none"}, ["01-08"], FRIDAYS[1:]),
    ],
)
@pytest.mark.parametrize("does_wait", [True, False])
def test_a_draft_whose_rule_is_changed_is_published_whole(
    world: World, typed: dict[str, str], expected: list[str], trashed: list[str] | None, does_wait: bool
) -> None:
    person = Organizer(world)
    person.presses("draft")
    person.types(title="Italiano", **typed)
    if does_wait:
        person.waits()
        assert days(world) == {"draft": FRIDAYS}  # the dates stay as they are until a person saves
        assert {event["title"] for event in events(world)} == {"Italiano"}
    person.presses("publish")
    found = days(world, "publish,draft,trash")
    assert found["publish"] == expected
    assert trashed is None or found.get("trash", []) == trashed
    assert "draft" not in found


def test_one_date_of_a_draft_can_differ_and_is_published_with_the_others(world: World) -> None:
    person = Organizer(world)
    person.presses("draft")
    third = events(world)[2]["id"]
    person.path = f"/admin/events/{third}"
    person.reopens()
    html = person.types(title="Italian, with wine", scope="this").presses("publish")
    assert days(world) == {"publish": FRIDAYS}
    assert [event["title"] for event in events(world) if event["id"] == third] == ["Italian, with wine"]
    assert [event["title"] for event in events(world)].count("Italian") == 5
    assert 'name="scope" value="this" checked' in html
    person.types(title="Italian, with olives").presses("save")
    assert [event["title"] for event in events(world)].count("Italian") == 5


def test_what_differs_from_a_date_on_is_published_with_what_comes_before(world: World) -> None:
    person = Organizer(world)
    person.presses("draft")
    person.path = f"/admin/events/{events(world)[2]['id']}"
    person.reopens()
    person.types(title="Italian, advanced", scope="following").presses("publish")
    assert days(world) == {"publish": FRIDAYS}
    assert [event["title"] for event in events(world)] == [*["Italian"] * 2, *["Italian, advanced"] * 4]


def test_a_date_with_a_status_of_its_own_goes_along_unless_it_is_private(world: World) -> None:
    person = Organizer(world)
    person.presses("draft")
    ids = [event["id"] for event in events(world)]
    for id, status in ((ids[1], "pending"), (ids[2], "private")):
        assert world.put(f"/events/{id}", json={"status": status, "scope": "this"}).is_success
    person.presses("publish")
    assert days(world) == {"publish": [FRIDAYS[0], FRIDAYS[1], *FRIDAYS[3:]], "private": [FRIDAYS[2]]}


def test_a_date_of_a_published_series_is_changed_alone(world: World) -> None:
    person = Organizer(world)
    person.presses("publish")
    person.presses("draft")
    assert days(world) == {"publish": FRIDAYS[1:], "draft": FRIDAYS[:1]}
    person.presses("publish")
    assert days(world) == {"publish": FRIDAYS}


def test_the_table_publishes_a_draft_whole(world: World) -> None:
    person = Organizer(world)
    person.presses("draft")
    html = person.client.get("/admin/events?status=draft").text
    [row] = re.findall(r'name="series" value="([^"]+)"', html)
    person.client.post("/admin/events", {"series": row, "action": "publish"})
    assert days(world) == {"publish": FRIDAYS}


def test_the_preview_of_a_series_is_shown_before_and_after_it_is_saved(world: World) -> None:
    person = Organizer(world).waits()
    assert "Italian" in person.client.post(f"{person.path}/preview", person.form, status=200).text
    person.presses("draft")
    assert "Italian" in person.client.post(f"{person.path}/preview", person.form, status=200).text
    assert days(world) == {"draft": FRIDAYS}


def test_when_every_date_is_skipped_the_form_says_so_in_plain_words(world: World) -> None:
    person = Organizer(world, repeat_count="2")
    person.types(**{"repeat_exceptions[]": ["2027-01-08", "2027-01-15"]})
    for _ in range(2):
        html = person.presses("publish", status=400)
        assert error_beside(html, "recurrence") == FIRST_STAYS
        person.waits()
    shown = person.client.get("/admin/events/dates", params=person.form).text
    assert FIRST_STAYS in shown


def test_the_preview_of_dates_leaves_out_a_first_one_that_is_skipped(world: World) -> None:
    person = Organizer(world)
    shown = person.client.get("/admin/events/dates", params=person.form).text
    assert re.findall(r'data-skip="([^"]*)"', shown)[0] == "2027-01-08"
    person.types(**{"repeat_exceptions[]": ["2027-01-08"]})
    shown = person.client.get("/admin/events/dates", params=person.form).text
    assert re.findall(r'data-skip="2027-([^"]*)"', shown) == FRIDAYS[1:]


def series_of_drafts(world: World, who: str = "administrator") -> list[int]:
    body = {"title": "Choir", "start_date": "2027-01-08 19:00", "end_date": "2027-01-08 21:00", "status": "draft"}
    world.make("events", who, **body | {"recurrence": "FREQ=WEEKLY;COUNT=6"})
    return [event["id"] for event in events(world)]


@pytest.mark.both_stores
def test_the_interface_publishes_a_series_whole_where_no_scope_is_sent(world: World) -> None:
    ids = series_of_drafts(world)
    world.put(f"/events/{ids[2]}", json={"title": "Choir and band"})
    assert days(world) == {"draft": FRIDAYS}
    assert (
        world.put(f"/events/{ids[1]}", json={"status": "publish", "title": "Big choir"}).json()["status"] == "publish"
    )
    assert days(world) == {"publish": FRIDAYS}
    # What else is sent is about this date, as always.
    assert [event["title"] for event in events(world)] == ["Choir", "Big choir", "Choir and band", *["Choir"] * 3]
    world.put(f"/events/{ids[1]}", json={"status": "draft"})
    world.put(f"/events/{ids[2]}", json={"status": "draft"})
    world.put(f"/events/{ids[2]}", json={"status": "publish"})
    assert days(world) == {"publish": [FRIDAYS[0], *FRIDAYS[2:]], "draft": [FRIDAYS[1]]}


def test_the_interface_publishes_one_date_where_that_is_asked_for(world: World) -> None:
    ids = series_of_drafts(world)
    world.put(f"/events/{ids[1]}", json={"status": "publish", "scope": "this"})
    assert days(world) == {"publish": [FRIDAYS[1]], "draft": [FRIDAYS[0], *FRIDAYS[2:]]}


def test_through_the_interface_a_contributor_submits_all_dates(world: World) -> None:
    ids = series_of_drafts(world, "contributor")
    answer = world.put(f"/events/{ids[0]}", "contributor", json={"status": "publish", "title": "Our choir"})
    assert (answer.json()["status"], answer.json()["title"]) == ("pending", "Our choir")
    assert days(world) == {"pending": FRIDAYS}
