"""Single dates of a series: in its editor each is listed with its state, skipped, brought back and added."""

import re
from typing import Any

from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.site.forms.repeats_form import Repeats, controls_in, for_single, rule_of


def fridays(world: World, who: str = "administrator", **more: Any) -> list[dict[str, Any]]:
    """A weekly series of four Fridays."""
    body = {"title": "Choir", "start_date": "2027-01-08 19:00:00", "end_date": "2027-01-08 21:00:00"}
    world.make("events", who, **body | {"recurrence": "FREQ=WEEKLY;COUNT=4", "status": "publish"} | more)
    return dates(world)


def dates(world: World) -> list[dict[str, Any]]:
    sent = {"start_date": "2026-01-01", "per_page": "50", "status": "publish,draft,pending"}
    found: list[dict[str, Any]] = world.get("/events", "administrator", params=sent).json()["events"]
    return found


def days(world: World) -> list[str]:
    return [event["start_date"][5:16] for event in dates(world)]


def listed(html: str) -> list[tuple[str, str]]:
    """State and button of each date in the editor."""
    part = html.partition('class="series-dates"')[2].partition('class="add-date"')[0]
    rows = re.findall(r"<li.*?</li>", part, re.DOTALL)
    return [
        (
            "".join(re.findall(r'class="status [^"]*">(.*?)<', row)),
            "".join(re.findall(r'name="(skip|take)" value="([^"]+)"', row)[0]),
        )
        for row in rows
    ]


def test_the_editor_lists_the_dates_and_each_is_skipped_and_brought_back(world: World) -> None:
    series, person = fridays(world), AdminClient(world, "administrator")
    html = person.get(f"/admin/events/{series[0]['id']}").text
    assert [state for state, _ in listed(html)] == ["Published"] * 4
    for other in series[1:]:
        assert f'/admin/events/{other["id"]}"' in html
    here = f"/admin/events/{series[0]['id']}"

    person.post(f"{here}/dates", {"skip": "2027-01-15 19:00:00"})
    assert days(world) == ["01-08 19:00", "01-22 19:00", "01-29 19:00"]
    html = person.get(here).text
    assert listed(html)[1] == ("Skipped", "take2027-01-15 19:00:00")
    assert 'name="take" value="2027-01-15 19:00:00"' in html.partition('class="message')[2].partition("</div>")[0]
    rule = world.read("events", series[0]["id"])["recurrence"]
    assert rule["exceptions"] == ["2027-01-15 19:00:00"]

    person.post(f"{here}/dates", {"take": "2027-01-15 19:00:00"})
    assert days(world) == ["01-08 19:00", "01-15 19:00", "01-22 19:00", "01-29 19:00"]
    assert world.read("events", series[0]["id"])["recurrence"]["exceptions"] == []


def test_a_date_is_added_at_the_usual_time_or_at_another(world: World) -> None:
    here, person = f"/admin/events/{fridays(world)[1]['id']}", AdminClient(world, "administrator")
    person.post(f"{here}/dates", {"add": "1", "day": "2027-01-12"})
    person.post(f"{here}/dates", {"add": "1", "day": "2027-01-13", "time": "11:30"})
    expected = ["01-08 19:00", "01-12 19:00", "01-13 11:30", "01-15 19:00", "01-22 19:00", "01-29 19:00"]
    assert days(world) == expected
    person.post(f"{here}/dates", {"add": "1", "day": "2027-01-12"})  # it is there already
    person.post(f"{here}/dates", {"add": "1", "day": ""})
    assert days(world) == expected
    assert dates(world)[1]["title"] == "Choir"
    assert dates(world)[1]["status"] == "publish"


def test_a_date_that_was_left_out_from_the_start_can_be_brought_back(world: World) -> None:
    rule = {"rule": "FREQ=WEEKLY;COUNT=4", "exceptions": ["2027-01-22"]}
    here, person = f"/admin/events/{fridays(world, recurrence=rule)[0]['id']}", AdminClient(world, "administrator")
    assert [state for state, _ in listed(person.get(here).text)] == ["Published", "Published", "Skipped", "Published"]
    person.post(f"{here}/dates", {"take": "2027-01-22 19:00:00"})
    assert days(world) == ["01-08 19:00", "01-15 19:00", "01-22 19:00", "01-29 19:00"]


def test_a_date_is_cancelled_and_takes_place_after_all(world: World) -> None:
    series, person = fridays(world), AdminClient(world, "editor")
    here, second = f"/admin/events/{series[0]['id']}", series[1]["id"]
    person.post(f"{here}/dates", {"cancelled": str(second)})
    assert [event["event_status"] for event in dates(world)] == ["scheduled", "cancelled", "scheduled", "scheduled"]
    html = person.get(here).text
    assert f'name="scheduled" value="{second}"' in html.partition('class="message')[2].partition("</div>")[0]
    assert '<small class="mark">Cancelled</small>' in html
    person.post(f"{here}/dates", {"scheduled": str(second)})
    assert {event["event_status"] for event in dates(world)} == {"scheduled"}
    other = world.make("events", title="Another")["id"]
    person.post(f"{here}/dates", {"cancelled": str(other)})  # no date of this series
    assert world.read("events", other)["event_status"] == "scheduled"
    AdminClient(world, "author").post(f"{here}/dates", {"cancelled": str(second)}, status=403)


def test_the_list_tells_what_is_special_about_a_date(world: World) -> None:
    hall, barn = (world.make("venues", venue=name)["id"] for name in ("Hall", "Barn"))
    series, person = fridays(world, venue=[hall]), AdminClient(world, "editor")
    for event, values in zip(
        series,
        [
            {"venue": [barn]},
            {"start_date": "2027-01-15 20:00:00", "end_date": "2027-01-15 22:00:00", "cost": "5"},
            {"start_date": "2027-01-23 19:00:00", "end_date": "2027-01-23 21:00:00", "title": "Concert"},
            {"venue": []},
        ],
        strict=True,
    ):
        world.put(f"/events/{event['id']}?scope=this", json=values)
    rows = re.findall(r"<li.*?</li>", person.get(f"/admin/events/{series[0]['id']}").text, re.DOTALL)
    told = [found for row in rows if (found := re.findall(r'<small class="mark">(.*?)</small>', row))]
    assert told == [
        ["Barn"],
        ["Other time", "Other: Price"],
        ["Moved from Fri, Jan 22, 2027", "Concert"],
        ["Without a venue"],
    ]


def test_a_date_is_moved_from_the_list_to_another_day_and_time_and_back(world: World) -> None:
    series, person = fridays(world), AdminClient(world, "editor")
    here, second = f"/admin/events/{series[0]['id']}", f"/admin/events/{series[1]['id']}"
    assert f"{second}/move?back=" in person.get(here).text
    page = person.get(f"{second}/move", params={"back": here}).text
    assert 'name="time"' in page
    assert f'name="back" value="{here}"' in page
    sent = {"day": "2027-01-16", "time": "11:30", "back": here}
    assert person.post(f"{second}/move", sent).headers["Location"].endswith(here)
    assert days(world) == ["01-08 19:00", "01-16 11:30", "01-22 19:00", "01-29 19:00"]
    assert dates(world)[1]["end_date"] == "2027-01-16 13:30:00"
    person.post(f"{second}/move", sent | {"time": "25:00"}, status=400)
    person.post(f"{second}/move", sent | {"day": "2027-01-15", "time": "19:00", "back": "//elsewhere"})
    assert days(world)[1] == "01-15 19:00"


def test_dates_that_fall_out_of_a_shorter_rule_are_not_skipped(world: World) -> None:
    series, person = fridays(world), AdminClient(world, "editor")
    here = f"/admin/events/{series[0]['id']}"
    person.post(f"{here}/dates", {"skip": "2027-01-15 19:00:00"})
    rule = {"rule": "FREQ=WEEKLY;COUNT=3", "exceptions": ["2027-01-15 19:00:00"]}
    world.put(f"/events/{series[0]['id']}?scope=all", json={"recurrence": rule})
    assert [state for state, _ in listed(person.get(here).text)] == ["Published", "Skipped", "Published"]


def test_others_cannot_touch_the_dates_of_a_series(world: World) -> None:
    here = f"/admin/events/{fridays(world)[0]['id']}/dates"
    for who in ("author", "contributor"):
        AdminClient(world, who).post(here, {"skip": "2027-01-15 19:00:00"}, status=403)
        AdminClient(world, who).post(here, {"add": "1", "day": "2027-01-12"}, status=403)
    assert len(days(world)) == 4


def test_a_new_event_repeats_on_its_weekday_without_single_dates(world: World) -> None:
    """As a browser without scripts sends it: the weekday that was ticked for the first start follows the start."""
    person = AdminClient(world, "administrator")
    html = person.get("/admin/events/new?day=2027-01-08").text
    assert re.search(r'name="repeat_weekday" value="FR" checked', html)
    assert html.count('name="repeat_weekday"') == 7
    assert len(re.findall(r'name="repeat_weekday" value="\w+" checked', html)) == 1
    form = {
        "title": "Market",
        **{"start_day": "2027-01-13", "start_time": "08:00", "end_day": "2027-01-13", "end_time": "12:00"},
        **{"repeat": "weekly", "repeat_interval": "1", "repeat_weekday": "FR", "repeat_suggested": "FR"},
        **{"repeat_end": "count", "repeat_count": "4", "do": "publish"},
        **{"repeat_exceptions[]": ["2027-01-20", ""], "repeat_dates[]": ["2027-02-14", ""]},
    }
    person.post("/admin/events/new", form)
    assert days(world) == ["01-13 08:00", "01-27 08:00", "02-03 08:00", "02-14 08:00"]


def test_the_last_friday_stands_beside_the_fourth(world: World) -> None:
    person = AdminClient(world, "administrator")
    asked = {"start_day": "2027-02-26", "start_time": "19:00", "end_day": "2027-02-26", "end_time": "21:00"}
    html = person.get("/admin/events/dates", params=asked | {"repeat": "monthly_last"}).text
    assert "Every month on the fourth Friday" in html
    assert "<strong>Every month on the last Friday</strong>" in html
    assert "data-skip=" in html
    first = person.get("/admin/events/dates", params=asked | {"start_day": "2027-02-05", "repeat": "none"}).text
    assert "Every month on the first Friday" in first
    assert "last Friday" not in first


def test_a_weekday_that_a_person_ticked_stays() -> None:
    typed = {"repeat": ["weekly"], "start_day": ["2027-01-13"], "repeat_weekday": ["MO"], "repeat_suggested": ["FR"]}
    assert rule_of(controls_in(typed), "2027-01-13") == "FREQ=WEEKLY;BYDAY=MO"
    assert for_single("2027-01-13") == Repeats(weekdays=frozenset({"WE"}), suggested="WE")


def test_the_table_has_a_sign_for_every_date_of_a_series(world: World) -> None:
    series = fridays(world)
    person = AdminClient(world, "administrator")
    assert person.get("/admin/events").text.count("dates-link") == 1
    each = person.get("/admin/events?dates=each").text
    assert each.count("dates-link") == 4
    assert "Show each series once" in each
    world.put(f"/events/{series[0]['id']}?scope=this", json={"title": "Concert"})
    assert person.get("/admin/events?search=Concert").text.count("dates-link") == 1
