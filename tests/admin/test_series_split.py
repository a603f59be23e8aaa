"""This and all following dates in the editor: how far each part goes, how many dates changed, and the way back."""

import re
from typing import Any

import pytest
from tests import parts
from tests.admin.admin_client import AdminClient
from tests.admin.test_series_dates import dates, fridays
from tests.conftest import BASE_URL, World

from kalends.calendar import single_records
from kalends.calendar.access import SERVICE
from kalends.contract.kinds import EVENT
from kalends.site.forms import event_form


def form_of(world: World, id: int) -> dict[str, Any]:
    """What a browser sends of an editor that nobody has touched."""
    event, bundle = single_records.read_post(world.calendar, SERVICE, EVENT, id)
    controls = event_form.controls_sent(event_form.form_of(event, bundle))  # type: ignore[arg-type]
    return {**controls, "version": str(event.rev)}


def message_of(html: str) -> str:
    return html.partition('class="message')[2].partition("</div>")[0]


def split(world: World, person: AdminClient, id: int, **changed: str) -> None:
    answer = person.post(f"/admin/events/{id}", form_of(world, id) | {"scope": "following"} | changed)
    assert answer.status_code == 303, answer.text


@pytest.mark.both_stores
def test_the_parts_lead_to_each_other_and_the_split_is_undone(world: World) -> None:
    series = fridays(world, recurrence="FREQ=WEEKLY;UNTIL=20270205", title="Choir")
    before, person = dates(world), AdminClient(world, "administrator")
    assert len(before) == 5
    split(world, person, series[2]["id"], title="Spring choir")
    assert [event["title"] for event in dates(world)] == ["Choir"] * 2 + ["Spring choir"] * 3

    html = person.get(f"/admin/events/{series[2]['id']}").text
    message = message_of(html)
    assert "Dates changed: 3." in message
    assert "Earlier dates: Every Friday until January 15, 2027" in html
    assert f'/admin/events/{series[1]["id"]}"' in html
    assert "All dates in the table</a> (5)" in html or "All dates in the table (5)" in html
    first = person.get(f"/admin/events/{series[0]['id']}").text
    assert "Later dates: Every Friday until February 5, 2027" in first
    assert f'/admin/events/{series[2]["id"]}"' in first
    assert 'name="repeat_until" value="2027-01-15"' in first
    table = person.get(f"/admin/events?when=all&series={series[0]['series']}&whole=true").text
    assert all(f'/admin/events/{event["id"]}"' in table for event in series)

    undo = {name: value for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', message) if name != "token"}
    person.post(f"/admin/events/{series[2]['id']}/rejoin", undo)
    assert "The change was undone." in person.get(f"/admin/events/{series[2]['id']}").text
    told = ("id", "title", "start_date", "series", "series_of", "post_parent", "recurrence", "slug", "original_start")
    assert [[event[name] for name in told] for event in dates(world)] == [
        [event[name] for name in told] for event in before
    ]
    # It cannot be undone twice.
    person.post(f"/admin/events/{series[2]['id']}/rejoin", undo)
    assert "Nothing was changed." in person.get(f"/admin/events/{series[2]['id']}").text


def test_saving_the_earlier_part_again_makes_no_date_twice(world: World) -> None:
    series = fridays(world, recurrence="FREQ=WEEKLY")
    person, before = AdminClient(world, "administrator"), [event["start_date"] for event in dates(world)]
    split(world, person, series[2]["id"], title="Spring choir")
    first = series[0]["id"]
    answer = person.post(f"/admin/events/{first}", form_of(world, first) | {"scope": "all", "repeat_interval": "1"})
    assert answer.status_code == 303
    html = person.get(f"/admin/events/{first}").text
    until = re.search(r'name="repeat_until" value="([^"]*)"', html)
    assert until is not None
    assert until[1] == "2027-01-15"
    answer = person.post(
        f"/admin/events/{first}", form_of(world, first) | {"scope": "all", "repeat_until": "2027-01-16"}
    )
    assert answer.status_code == 303
    assert [event["start_date"] for event in dates(world)] == before


@pytest.mark.both_stores
def test_new_dates_go_and_trashed_ones_come_back_with_the_undo(world: World) -> None:
    """The split gives the rest another day and rhythm, so that some fall out and others are new."""
    series, person = fridays(world), AdminClient(world, "administrator")
    before = [(event["id"], event["start_date"], event["recurrence"]) for event in dates(world)]
    world.put(f"/events/{series[3]['id']}", "administrator", json={"title": "Guests"})
    split(world, person, series[1]["id"], repeat_interval="2", repeat_count="3", title="Rare choir")
    assert [event["start_date"][5:10] for event in dates(world)] == ["01-08", "01-15", "01-29", "02-12"]
    undo = re.findall(
        r'name="(\w+)" value="([^"]*)"', message_of(person.get(f"/admin/events/{series[1]['id']}").text)
    )
    person.post(f"/admin/events/{series[1]['id']}/rejoin", {name: value for name, value in undo if name != "token"})
    now = dates(world)
    assert [(event["id"], event["start_date"], event["recurrence"]) for event in now] == before
    assert [event["title"] for event in now] == ["Choir", "Choir", "Choir", "Guests"]


def test_what_was_changed_since_is_not_undone(world: World) -> None:
    series, person = fridays(world), AdminClient(world, "administrator")
    split(world, person, series[2]["id"], title="Spring choir")
    undo = re.findall(
        r'name="(\w+)" value="([^"]*)"', message_of(person.get(f"/admin/events/{series[2]['id']}").text)
    )
    sent = {name: value for name, value in undo if name != "token"}
    world.put(f"/events/{series[3]['id']}", "administrator", json={"title": "Finale"})
    person.post(f"/admin/events/{series[2]['id']}/rejoin", sent)
    assert [event["title"] for event in dates(world)] == ["Choir", "Choir", "Spring choir", "Finale"]


def test_only_who_can_edit_the_dates_takes_a_split_back(world: World) -> None:
    series, person = fridays(world), AdminClient(world, "administrator")
    split(world, person, series[2]["id"], title="Spring choir")
    undo = re.findall(
        r'name="(\w+)" value="([^"]*)"', message_of(person.get(f"/admin/events/{series[2]['id']}").text)
    )
    sent = {name: value for name, value in undo if name != "token"}
    AdminClient(world, "author").post(f"/admin/events/{series[2]['id']}/rejoin", sent, status=403)
    assert [event["title"] for event in dates(world)] == ["Choir", "Choir", "Spring choir", "Spring choir"]


def test_the_public_pages_of_both_parts_show_the_whole_course(world: World) -> None:
    series = fridays(world, recurrence="FREQ=WEEKLY;UNTIL=20270205")
    world.put(f"/events/{series[2]['id']}?scope=following", "administrator", json={"title": "Spring choir"})
    later = world.get(f"{BASE_URL}/event/{series[2]['slug']}/").text
    first = world.get(f"{BASE_URL}/event/{series[0]['slug']}/").text
    assert "Every Friday until January 15, 2027" in first
    assert "Later dates: Every Friday until February 5, 2027" in first
    assert "Earlier dates: Every Friday until January 15, 2027" in later
    assert "Frühere Termine: " in world.get(f"{BASE_URL}/event/{series[2]['slug']}/?lang=de").text
    address = f"/events/list/1900-01-01/?series={series[0]['series']}&amp;whole=true"
    for html in (first, later):
        assert f'href="{address}">All dates (5)</a>' in html
        assert f'href="/series/{series[0]["series"]}.ics"' in html
    listed = world.get(BASE_URL + address.replace("&amp;", "&")).text
    assert [f'href="/event/{event["slug"]}/"' in listed for event in series] == [True] * 5


def test_dates_that_change_in_parts_are_counted_and_not_undone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many, so that the versions before are of several changes."""
    parts.make_small(monkeypatch, 50)
    series = world.make("events", "administrator", title="Daily", start_date="2027-01-01 09:00",
                        end_date="2027-01-01 10:00", recurrence="FREQ=DAILY;COUNT=400")  # fmt: skip
    person = AdminClient(world, "administrator")
    second = world.get("/events/by-slug/daily-2027-01-02", "administrator").json()["id"]
    split(world, person, second, title="Still daily")
    message = message_of(person.get(f"/admin/events/{second}").text)
    assert "Dates changed: 399." in message
    assert "rejoin" not in message
    later = world.read("events", second)
    assert (later["series"] == series["series"], later["series_of"]) == (False, series["series"])
