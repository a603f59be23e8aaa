"""Any list of the admin's table as a table, as a calendar file and on paper."""

import csv
import html
import io
import re
from typing import Any

import pytest
from icalendar import Calendar
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import World

from kalends.features.exporting import paper

LIST = "/admin/events/export"


def make(world: World, title: str, day: str, who: str = "administrator", hour: int = 19, **more: Any) -> int:
    times = {"start_date": f"2026-12-{day} {hour}:00:00", "end_date": f"2026-12-{day} {hour + 2}:00:00"}
    return int(world.make("events", who=who, title=title, **{**times, **more})["id"])


def table(client: AdminClient, query: str = "") -> list[dict[str, str]]:
    response = client.get(f"{LIST}/csv?{query}")
    assert response.headers["Content-Type"] == "text/csv; charset=UTF-8"
    assert response.headers["Content-Disposition"].endswith('.csv"')
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def titles(client: AdminClient, query: str = "") -> list[str]:
    return [row["Event Name"] for row in table(client, query)]


def days(page: str) -> dict[str, list[str]]:
    """The lines of a sheet by their day."""
    found = {}
    for section in re.findall(r"<section>(.*?)</section>", page, re.DOTALL):
        lines = re.findall(r"<li>(.*?)</li>", section, re.DOTALL)
        name = re.search(r"<h2>(.*?)</h2>", section)[1]  # type: ignore[index]
        found[name] = [" ".join(html.unescape(re.sub(r"<[^>]*>", "", line)).split()) for line in lines]
    return found


def test_the_table_leads_there_with_its_filters(world: World) -> None:
    make(world, "Concert", "10")
    editor = AdminClient(world, "editor")
    page = editor.get("/admin/events?search=conc&status=publish").text
    address = html.unescape(re.search(r'href="([^"]*/events/export[^"]*)"', page)[1])  # type: ignore[index]
    form = editor.get(address).text
    for name, value in (("search", "conc"), ("status", "publish")):
        assert f'name="{name}" value="{value}"' in form
    assert re.search(r'name="first"[^>]* value="2026-11-1\d"', form)  # as the table: what is to come


def test_a_search_that_finds_nothing_to_come_is_one_of_all_dates(world: World) -> None:
    make(world, "Concert", "10")
    world.make("events", title="Ball", start_date="2020-01-01 10:00:00", end_date="2020-01-01 11:00:00")
    editor = AdminClient(world, "editor")
    for query, first in (("search=conc", "2026-"), ("search=ball", ""), ("search=ball&when=upcoming", "2026-")):
        assert re.search(rf'name="first"[^>]* value="{first}', editor.get(f"{LIST}?{query}").text)
    assert 'value="2026-' not in editor.get(f"{LIST}?search=ball").text


@pytest.mark.both_stores
def test_filters_and_period_choose_what_is_in_it(world: World) -> None:
    venue = world.make("venues", venue="Mill", city="Cork")["id"]
    make(world, "Before", "09")
    make(world, "First", "10", venue=venue)
    make(world, "Going on", "08", end_date="2026-12-11 12:00:00")
    make(world, "Draft", "12", status="draft")
    make(world, "Last", "13", hour=21)
    make(world, "After", "14")
    world.delete(f"/events/{make(world, 'Trashed', '12')}")
    editor, week = AdminClient(world, "editor"), "first=2026-12-10&last=2026-12-13"
    assert titles(editor, week) == ["Going on", "First", "Draft", "Last"]
    assert titles(editor, f"{week}&status=publish") == ["Going on", "First", "Last"]
    assert titles(editor, f"{week}&venue={venue}") == ["First"]
    assert titles(editor, f"{week}&search=las") == ["Last"]
    assert titles(editor, "when=2026-12-12") == ["Draft"]
    assert titles(editor, "first=2026-12-14&last=") == ["After"]
    assert len(titles(editor)) == 6
    calendar = Calendar.from_ical(editor.get(f"{LIST}/ics?{week}&status=publish").content)
    assert [str(one["SUMMARY"]) for one in calendar.walk("VEVENT")] == ["Going on", "First", "Last"]


def test_each_date_of_a_series_within_the_period_is_there(world: World) -> None:
    make(world, "Yoga", "01", recurrence={"rule": "FREQ=WEEKLY;COUNT=6"})
    editor, week = AdminClient(world, "editor"), "first=2026-12-07&last=2026-12-20"
    assert [row["Event Start Date"] for row in table(editor, week)] == ["2026-12-08", "2026-12-15"]
    assert len(days(editor.get(f"{LIST}/print?{week}").text)) == 2
    assert editor.get(f"{LIST}/ics?{week}").text.count("DTSTART") >= 1


def test_people_take_along_what_they_see_in_the_table(world: World) -> None:
    make(world, "Mine", "10", who="contributor", status="draft")
    make(world, "Theirs", "11", who="author", status="draft")
    make(world, "Public", "12")
    assert titles(AdminClient(world, "contributor")) == ["Mine"]
    assert "Theirs" not in AdminClient(world, "contributor").get(f"{LIST}/print").text
    assert titles(AdminClient(world, "contributor"), f"author={world.ids['author']}") == ["Mine"]
    assert titles(AdminClient(world, "editor")) == ["Mine", "Theirs", "Public"]
    AdminClient(world, "subscriber").get(f"{LIST}/csv", status=403)
    AdminClient(world).get(f"{LIST}/csv", status=303)


def test_a_private_field_of_what_one_cannot_edit_any_more_is_left_out(world: World) -> None:
    key = world.make("custom-fields", label="Room key", type="text", public=False)["key"]
    mine = make(world, "Mine", "10", who="contributor", status="draft", custom_fields={key: "4711"})
    assert "4711" in AdminClient(world, "contributor").get(f"{LIST}/csv").text
    world.post(f"/events/{mine}", json={"status": "publish"})
    for form in ("csv", "ics"):
        assert "4711" not in AdminClient(world, "contributor").get(f"{LIST}/{form}").text
        assert "4711" in AdminClient(world, "editor").get(f"{LIST}/{form}").text


def test_a_spreadsheet_computes_nothing(world: World) -> None:
    make(world, "=HYPERLINK(1)", "10")
    assert titles(AdminClient(world, "editor")) == ["'=HYPERLINK(1)"]


def test_the_sheet_has_days_times_titles_places_and_the_state_first(world: World) -> None:
    venue = world.make("venues", venue="Mill", city="Cork")["id"]
    make(world, "Late & loud", "10", hour=20, venue=venue, cost="12", event_status="cancelled")
    make(world, "Early", "10", hour=9)
    make(world, "Fair", "08", end_date="2026-12-10 12:00:00")
    make(world, "Idea", "11", status="draft", all_day=True)
    page = AdminClient(world, "editor").get(f"{LIST}/print?first=2026-12-10&last=2026-12-13&columns=2").text
    assert days(page) == {
        "Thursday, December 10, 2026": [
            "until 12:00 PM Fair",
            "9:00 – 11:00 AM Early",
            "8:00 – 10:00 PM Cancelled Late & loud, Mill, Cork, $12",
        ],
        "Friday, December 11, 2026": ["All day Draft Idea"],
    }
    assert "in-two" in page


def test_a_sheet_has_an_end_and_says_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "MOST", 2)
    monkeypatch.setattr(paper.Sheet, "most", 2)
    for day in ("10", "11", "12"):
        make(world, f"On {day}", day)
    editor = AdminClient(world, "editor")
    page = editor.get(f"{LIST}/print").text
    assert "These are the first 2 events" in page
    assert len(days(page)) == 2
    assert "These are the first" not in editor.get(f"{LIST}/print?first=2026-12-11&last=").text


def test_days_that_end_before_they_begin_are_refused_with_a_sentence(world: World) -> None:
    page = AdminClient(world, "editor").get(f"{LIST}/csv?first=2026-12-10&last=2026-12-09", status=400).text
    assert error_beside(page, "last")
    assert 'value="2026-12-10"' in page


@pytest.mark.parametrize("query", ["status=nonsense", "categories=9999", "first=x&last=%00", "venue=x", "of=nothing"])
def test_an_address_typed_by_hand_is_no_error(world: World, query: str) -> None:
    response = AdminClient(world, "editor").client.get(f"http://calendar.test{LIST}/csv?{query}")
    assert response.status_code in (200, 303)
    AdminClient(world, "editor").get(f"{LIST}/docx", status=404)
