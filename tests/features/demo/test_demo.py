"""The demo: a whole half year, every feature in it, and nothing that points out of the town."""

import io
import os
import re
import sqlite3
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image
from rich.console import Console
from tests.conftest import BASE_URL, NOW, World, build, close
from tests.effort import effort
from tests.features.demo.conftest import fill
from tests.features.demo.page_weight import load, loaded_addresses, parts_of
from tests.features.demo.small_images import little

from kalends.calendar.access import Caller
from kalends.cli import kalends
from kalends.contract.roles import Role
from kalends.contract.statuses import STATUSES
from kalends.features.demo import filling
from kalends.features.demo.commands import fill_if_empty
from kalends.features.demo.filling import has_events
from kalends.features.demo.plan import plan
from kalends.features.demo.posters import PICTURES
from kalends.settings import SettingError

ADMINISTRATOR = Caller(role=Role.ADMINISTRATOR)
EVERYTHING = {"status": ",".join(STATUSES), "show_hidden": "1", "start_date": "1900-01-01", "per_page": "100"}
ENDS = ("start_date", "end_date")
MOST_OF_A_MONTH = 36_000  # bytes with style sheets and scripts, compressed and without pictures
POSTERS = [name for name, picture in PICTURES.items() if "word" in picture]
EXAMPLE = re.compile(r"(?:[\w-]+\.)*example\.(?:org|net|com)")


def every(world: World, plural: str, **asked: str) -> list[dict[str, Any]]:
    """All records of a kind, through the interface as the administrator."""
    found: list[dict[str, Any]] = []
    number, pages = 1, 1
    while number <= pages:
        answer = world.get(f"/{plural}", "administrator", params={"per_page": "100", **asked, "page": number})
        assert answer.status_code == 200, answer.text
        body = answer.json()
        found += body[plural]
        number, pages = number + 1, body["total_pages"]
    return found


@pytest.fixture(scope="module")
def events(town: World) -> list[dict[str, Any]]:
    return every(town, "events", **EVERYTHING)


def on(event: dict[str, Any], name: str) -> datetime:
    return datetime.fromisoformat(event[name])


# What is in it


def test_it_has_half_a_year_of_events(town: World, events: list[dict[str, Any]]) -> None:
    assert 300 <= len(events) <= 400
    assert len(every(town, "venues")) == 13
    assert len(every(town, "organizers")) == 10
    assert len(every(town, "tags", hide_empty="0")) == 15
    first, last = NOW - timedelta(days=32), NOW + timedelta(days=154)
    assert all(first < on(event, "utc_start_date") <= on(event, "utc_end_date") < last for event in events)
    months = {event["start_date"][:7] for event in events}
    assert months >= {"2026-11", "2026-12", "2027-01", "2027-02", "2027-03"}


def test_every_status_is_there(events: list[dict[str, Any]]) -> None:
    assert {event["status"] for event in events} == set(STATUSES)


@pytest.mark.parametrize(
    "feature",
    [
        lambda event: event["all_day"],
        lambda event: event["featured"],
        lambda event: event["sticky"],
        lambda event: event["hide_from_listings"],
        lambda event: event["image"],
        lambda event: not event["image"],
        lambda event: event["website"],
        lambda event: not event["venue"],
        lambda event: len(event["organizer"]) > 1,
        lambda event: event.get("tickets"),
        lambda event: event.get("post_parent"),
        lambda event: event["excerpt"],
        lambda event: "<ul>" in event["description"],
        lambda event: "<blockquote>" in event["description"],
        lambda event: "<a " in event["description"],
        lambda event: len(event["description"]) > 400,
        lambda event: 0 < len(event["description"]) < 80,
        lambda event: on(event, "end_date") - on(event, "start_date") > timedelta(days=3),
        lambda event: event["cost"] == "Free",
        lambda event: event["cost"] == "Donation",
        lambda event: event["cost"] == "€15",
        lambda event: event["cost"] == "€12 – €19",
        lambda event: event["cost"] == "NZ$15",
        lambda event: event["cost"] == "",
        lambda event: "日本" in event["title"],
        lambda event: "الخط" in event["title"],
        lambda event: "Fado" in event["title"],
    ],
)  # fmt: skip
def test_every_feature_is_there(events: list[dict[str, Any]], feature: Any) -> None:
    assert any(map(feature, events))


def test_one_event_has_a_password(town: World, events: list[dict[str, Any]]) -> None:
    [supper] = [event for event in events if event["title"] == "Secret Supper"]
    assert town.get(f"/events/{supper['id']}").status_code == 403
    assert town.get(f"/events/{supper['id']}?password=oyster").status_code == 200


def test_events_are_in_several_zones_and_across_a_change_of_the_clocks(events: list[dict[str, Any]]) -> None:
    assert len({event["timezone"] for event in events}) >= 6
    [night] = [event for event in events if "Short Night" in event["title"]]
    assert (night["start_date"], night["end_date"]) == ("2027-03-27 21:00:00", "2027-03-28 06:00:00")
    assert on(night, "utc_end_date") - on(night, "utc_start_date") == timedelta(hours=8)


def test_categories_are_nested(town: World) -> None:
    found = {category["slug"]: category for category in every(town, "categories", hide_empty="0")}
    assert found["organ"]["parent"] == found["classical"]["id"]
    assert found["classical"]["parent"] == found["music"]["id"]
    parents = {category["parent"] for category in found.values()}
    assert all(category["count"] for category in found.values() if category["id"] not in parents)


def test_every_event_can_be_read_by_its_id(town: World, events: list[dict[str, Any]]) -> None:
    for event in events[:: effort(4, 1)]:
        assert town.read("events", event["id"])["title"] == event["title"]
        expected = 200 if event["status"] == "publish" and event["title"] != "Secret Supper" else 403
        assert town.get(f"/events/{event['id']}").status_code == expected


def test_venues_have_coordinates(town: World) -> None:
    venues = every(town, "venues")
    assert all(-90 <= venue["geo_lat"] <= 90 and -180 <= venue["geo_lng"] <= 180 for venue in venues)
    in_town = [venue for venue in venues if venue["city"] == "Merrowhaven"]
    assert len(in_town) == 12
    assert len({(venue["geo_lat"], venue["geo_lng"]) for venue in in_town}) == 12
    assert all(venue["country"] and venue["address"] for venue in venues)


def test_all_links_are_in_the_example_domains(town: World, events: list[dict[str, Any]]) -> None:
    records = [*events, *every(town, "venues"), *every(town, "organizers")]
    for record in records:
        written = " ".join(
            str(record.get(name, "")) for name in ("description", "website", "email", "excerpt", "tickets")
        )
        for host in re.findall(r"(?:https?://|[\w.-]+@)([\w.-]+)", written):
            assert EXAMPLE.fullmatch(host.rstrip(".")), host
    assert all(organizer["email"] for organizer in every(town, "organizers"))


def test_images_are_drawn_and_stored_with_their_sizes(town: World, events: list[dict[str, Any]]) -> None:
    records = [*events, *every(town, "venues"), *every(town, "organizers")]
    shown = {record["image"]["url"]: record["image"] for record in records if record.get("image")}
    assert len(shown) >= len(POSTERS)
    for url, image in shown.items():
        assert set(image["sizes"]) >= {"medium", "thumbnail"}
        picture = Image.open(io.BytesIO(town.get(url, "administrator").content))
        assert picture.size == (image["width"], image["height"])
    assert sum((image["width"], image["height"]) == (1600, 1000) for image in shown.values()) == len(POSTERS)
    described = town.get(f"{BASE_URL}/wp-json/wp/v2/media?per_page=100", "administrator").json()
    assert len(described) > len(POSTERS)
    assert [media["id"] for media in described if len(media["alt_text"]) < 15] == []


# Whenever it is made


def test_a_busy_month_is_light_and_pages_load_nothing_from_other_hosts(town: World) -> None:
    html, size = load(town, "/events/month/2026-12/")
    assert html.count('class="chip') > 60
    assert size + sum(parts_of(town, html).values()) <= MOST_OF_A_MONTH
    for path in (
        "/events/month/2026-12/",
        "/events/week/",
        "/events/day/",
        "/events/list/",
        "/venues/",
        "/subscribe",
    ):
        addresses = loaded_addresses(load(town, path)[0])
        assert len(addresses) >= 8
        assert [one for one in addresses if not one.startswith("/") or one.startswith("//")] == []


@pytest.fixture
def small_images(monkeypatch: Any) -> None:
    """Drawing takes longest, and the images are tested above."""
    monkeypatch.setattr(filling, "draw", little)


def test_the_same_day_gives_the_same_calendar(
    template: Any, events: list[dict[str, Any]], tmp_path: Any, small_images: None
) -> None:
    world = build(template, tmp_path)
    fill(world)
    again = every(world, "events", **EVERYTHING)
    close(template, world)
    # The names of image files are random.
    assert list(map(without_pictures, again)) == list(map(without_pictures, events))


def without_pictures(event: dict[str, Any]) -> dict[str, Any]:
    named = ("venue", "organizer")
    return {name: value for name, value in event.items() if name not in ("image", *named)} | {
        name: [linked["id"] for linked in records(event[name])] for name in named
    }


def records(linked: Any) -> list[dict[str, Any]]:
    return linked if isinstance(linked, list) else [linked]


def test_another_day_gives_another_calendar() -> None:
    assert plan(date(2026, 11, 15)) == plan(date(2026, 11, 15))
    assert plan(date(2026, 11, 15)) != plan(date(2026, 11, 16))


@pytest.mark.parametrize("start", [date(2026, 1, 1), date(2029, 1, 1)])
def test_every_part_of_a_year_gives_a_whole_calendar(start: date) -> None:
    clocks = re.compile("Short Night|Long Night|Night of the Clocks|Comes Twice")
    for number in range(0, 366, effort(31, 9)):
        today = start + timedelta(days=number)
        planned = plan(today)
        assert 300 <= len(planned) <= 400, today
        assert any(clocks.search(str(event.body["title"])) for event in planned), today
        assert {"draft", "pending", "private", "future"} <= {event.body.get("status") for event in planned}
        assert all(event.parent is None or event.parent < place for place, event in enumerate(planned))
        assert not any("-12-25 " in str(event.body["start_date"]) for event in planned)
        days = [datetime.fromisoformat(str(event.body[name])).date() for event in planned for name in ENDS]
        assert today - timedelta(days=31) <= min(days) <= max(days) <= today + timedelta(days=153)


# The command


@pytest.fixture
def command(monkeypatch: Any) -> Any:
    for name in [name for name in os.environ if name.startswith("KALENDS_")]:
        monkeypatch.delenv(name)

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(kalends, ["demo", *arguments], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    return run


def test_a_first_start_shows_the_password_once_and_a_second_is_refused(
    command: Any, tmp_path: Any, small_images: None
) -> None:
    data = tmp_path / "data"
    said = command("--data", str(data))
    with sqlite3.connect(data / "kalends.db") as store:
        (events,) = store.execute("SELECT count(*) FROM event WHERE status <> 'trash'").fetchone()
    assert f"Merrowhaven is in the calendar: {events} events, 13 venues" in said
    assert said.count("The administrator is admin, the password ") == 1
    with pytest.raises(SettingError, match=r"^the calendar in \S+ has events already; [^\n]+$"):
        command("--data", str(data))
    said = command("--if-empty", "--data", str(data))
    assert said.count("\n") == 1
    assert "leaves it alone" in said


@pytest.mark.parametrize("status", ["publish", "draft", "private", "trash"])
def test_a_single_event_of_any_status_makes_a_calendar_not_empty(world: World, command: Any, status: str) -> None:
    assert not has_events(world.calendar, ADMINISTRATOR)
    made = world.make("events", start_date="1950-01-01", end_date="1950-01-02", hide_from_listings=True)
    if status == "trash":
        world.delete(f"/events/{made['id']}")
    else:
        world.post(f"/events/{made['id']}", json={"status": status})
    before = world.count()
    with pytest.raises(SettingError):
        command("--data", str(world.calendar.settings.data))
    assert world.count() == before


def test_existing_terms_are_reused(world: World, small_images: None, monkeypatch: Any) -> None:
    monkeypatch.setattr(filling, "plan", lambda today: [])  # without events, which are the same then
    music = world.make("categories", name="Music")
    assert fill(world).categories["music"] == music["id"]


def test_what_happens_again_and_again_is_a_series(town: World, events: list[dict[str, Any]]) -> None:
    market = [event for event in events if event["title"].startswith("Saturday Market")]
    assert len({event["series"] for event in market}) == 1
    assert {event["title"] for event in market} > {"Saturday Market", "Saturday Market: Cheese Day"}
    rules = {event["recurrence"]["rule"].partition(";UNTIL")[0] for event in events if event["recurrence"]}
    assert {"FREQ=WEEKLY;BYDAY=SA", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "FREQ=MONTHLY;BYDAY=-1SU"} < rules
    # The town stays at home on some days.
    assert any(event["recurrence"]["exceptions"] for event in events if event["recurrence"])


def test_serve_with_demo_fills_only_an_empty_calendar(world, monkeypatch) -> None:
    built = []
    monkeypatch.setattr("kalends.features.demo.commands.build_town", lambda calendar, console: built.append(calendar))
    fill_if_empty(world.calendar, Console())
    assert built == [world.calendar]
    world.make("events", status="draft")
    fill_if_empty(world.calendar, Console())
    assert built == [world.calendar]
