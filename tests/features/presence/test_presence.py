"""Who else is editing an event now: shown when its editor is opened, on every process, until it is left or over."""

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.worker import make_app

ALSO = "Also editing this now: "

pytestmark = pytest.mark.both_stores


def line(world: World, event: int, who: str = "editor") -> str:
    """What the editor says of others when it is opened."""
    page = AdminClient(world, who).get(f"/admin/events/{event}").text
    found = page.partition('class="note also-editing"')[2].partition("</p>")[0]
    return found.partition("<bdi>")[2].partition("</bdi>")[0]


def test_who_opens_it_is_shown_to_the_next_until_it_is_over(world: World) -> None:
    event = world.make("events", title="Fair")["id"]
    assert line(world, event, "administrator") == ""
    world.calendar.write_collected()  # as the service does beside the requests
    assert line(world, event) == f"{ALSO}administrator"
    world.calendar.write_collected()
    assert line(world, event, "administrator") == f"{ALSO}editor"
    world.clock.move(minutes=11)
    assert line(world, event) == ""


def test_the_script_says_that_it_is_open_and_when_it_is_left_on_every_process(world: World) -> None:
    event = world.make("events", title="Fair")["id"]
    here = AdminClient(world, "administrator")
    world.neighbour()
    elsewhere = AdminClient(world, "editor", app=make_app(world.neighbours[-1]))
    path = f"/admin/events/{event}/editing"
    assert here.post(path, status=200).json() == {"sentence": ""}
    assert elsewhere.post(path, status=200).json() == {"sentence": f"{ALSO}administrator"}
    assert here.post(path, status=200).json() == {"sentence": f"{ALSO}editor"}
    elsewhere.post(path, {"left": "1"}, status=200)
    assert here.post(path, status=200).json() == {"sentence": ""}
    world.clock.move(minutes=2)
    assert elsewhere.post(path, status=200).json() == {"sentence": ""}


def test_dates_of_a_series_are_one_event_and_strangers_learn_nothing(world: World) -> None:
    made = world.make("events", title="Course", recurrence="FREQ=WEEKLY;COUNT=3")
    dates = [one["id"] for one in world.get("/events", params={"series": made["series"]}).json()["events"]]
    AdminClient(world, "administrator").post(f"/admin/events/{dates[0]}/editing", status=200)
    answer = AdminClient(world, "editor").post(f"/admin/events/{dates[2]}/editing", status=200)
    assert answer.json()["sentence"] == f"{ALSO}administrator"
    AdminClient(world, "contributor").post(f"/admin/events/{dates[2]}/editing", status=403)


def test_it_makes_no_kept_answer_old_and_survives_a_person_who_goes(world: World) -> None:
    event = world.make("events", title="Fair")["id"]
    before = world.get("/events").headers["etag"]
    AdminClient(world, "editor").get(f"/admin/events/{event}")
    world.calendar.write_collected()
    AdminClient(world, "editor").post(f"/admin/events/{event}/editing", status=200)
    assert world.get("/events").headers["etag"] == before
    world.delete(f"/users/{world.ids['editor']}?reassign={world.ids['administrator']}")
    assert line(world, event, "administrator") == ""
