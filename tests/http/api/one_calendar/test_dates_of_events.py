"""Dates and times of events through the interface."""

import pytest

LATE = "2030-01-01 00:00:00"


def create(world, **body):
    return world.post(
        "/events", json={"title": "Dated", "start_date": "2027-03-10 09:00:00", "end_date": LATE} | body
    )


# It is Sunday 2026-11-15 07:00 in New York.
FORMS = [
    ("2027-03-10", "2027-03-10 00:00:00"), ("2027-03-10 09:30", "2027-03-10 09:30:00"),
    ("2027-03-10T09:30:15", "2027-03-10 09:30:15"), ("2027-03-10T14:00:00Z", "2027-03-10 09:00:00"),
    ("2027-03-10T09:00:00+02:00", "2027-03-10 02:00:00"), ("2027-03-10 09:00:00 -0800", "2027-03-10 12:00:00"),
    ("2027-07-10T09:00:00.250Z", "2027-07-10 05:00:00"), (1804687200, "2027-03-10 09:00:00"),
    ("1804687200", "2027-03-10 09:00:00"), ("@1804687200", "2027-03-10 09:00:00"),
    (1804687200000, "2027-03-10 09:00:00"), ("1804687200000", "2027-03-10 09:00:00"),
    ("March 10, 2027 9am", "2027-03-10 09:00:00"), ("10 March 2027 09:00", "2027-03-10 09:00:00"),
    ("mar 10 2027", "2027-03-10 00:00:00"), ("03/10/2027", "2027-03-10 00:00:00"),
    ("03/10/2027 5:30 pm", "2027-03-10 17:30:00"), ("now", "2026-11-15 07:00:00"), ("today", "2026-11-15 00:00:00"),
    ("tomorrow", "2026-11-16 00:00:00"), ("Tomorrow 9am", "2026-11-16 09:00:00"),
    ("yesterday noon", "2026-11-14 12:00:00"),
    ("+3 days", "2026-11-18 07:00:00"), ("+1 week", "2026-11-22 07:00:00"), ("+2 months", "2027-01-15 07:00:00"),
    ("+1 years", "2027-11-15 07:00:00"), ("next monday", "2026-11-16 00:00:00"),
    ("last friday", "2026-11-13 00:00:00"),
    ("next month", "2026-12-15 07:00:00"), ("last year", "2025-11-15 07:00:00"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "shown"), FORMS)
def test_every_form_is_taken_on_create_and_on_update(world, written, shown):
    created = create(world, start_date=written)
    assert created.status_code == 201, created.text
    assert created.json()["start_date"] == shown
    other = create(world, start_date="2020-01-01").json()
    changed = world.put(f"/events/{other['id']}", json={"start_date": written})
    assert changed.json()["start_date"] == shown
    assert changed.json()["end_date"] == LATE
    if not isinstance(written, int):
        published = world.make("venues", venue="Dated", date=written)
        assert published["date"] == shown


IMPOSSIBLE = [
    "garbage", "2026-02-30", "2027-13-01", "2027-00-10", "2027-03-10 24:00", "2027-03-10 24:30", "2027-03-10 09:60",
    "2027-03-10 23:59:60", "13/40/2027", "1899-12-31", "0000-00-00 00:00:00", "10000-01-01", "99999999999999999999",
    "+9999999 years", "2027-03-10T09:00:00+99:00", "next blue moon", "9am", "x" * 500, "27-3-1", "２０２７-03-10",
    "\x00",
]  # fmt: skip


@pytest.mark.parametrize("written", IMPOSSIBLE)
def test_anything_else_is_400(world, written):
    made = world.make("events")
    count = world.count()
    for name in ("start_date", "end_date", "date", "date_utc"):
        created = create(world, **{name: written})
        changed = world.put(f"/events/{made['id']}", json={name: written})
        for response in (created, changed):
            assert (response.status_code, list(response.json()["data"]["params"])) == (400, [name])
    assert world.count() == count


ZONES = [
    ("America/New_York", "America/New_York", "2027-03-10 14:00:00", "EST"),
    ("Europe/Paris", "Europe/Paris", "2027-03-10 08:00:00", "CET"),
    ("Asia/Tokyo", "Asia/Tokyo", "2027-03-10 00:00:00", "JST"), ("UTC", "UTC", "2027-03-10 09:00:00", "UTC"),
    ("UTC+2", "UTC+2", "2027-03-10 07:00:00", "UTC+2"), ("UTC-3:30", "UTC-3:30", "2027-03-10 12:30:00", "UTC-3:30"),
    ("utc+05:45", "UTC+5:45", "2027-03-10 03:15:00", "UTC+5:45"),
]  # fmt: skip


@pytest.mark.parametrize(("zone", "shown", "utc", "abbreviation"), ZONES)
def test_a_local_time_is_in_the_zone_of_the_event(world, zone, shown, utc, abbreviation):
    event = create(world, timezone=zone).json()
    assert event["timezone"] == shown
    assert (event["start_date"], event["utc_start_date"]) == ("2027-03-10 09:00:00", utc)
    assert event["timezone_abbr"] == abbreviation
    details = event["utc_start_date_details"]
    joined = "{year}-{month}-{day} {hour}:{minutes}:{seconds}".format(**details)
    assert joined == utc


@pytest.mark.parametrize(
    "zone", ["Mars/Olympus", "UTC+15", "UTC+2:60", "EST5EDT7", "../etc/passwd", "localtime", [], 5]
)
def test_an_unknown_zone_is_400(world, zone):
    assert list(create(world, timezone=zone).json()["data"]["params"]) == ["timezone"]


def test_an_instant_is_converted_to_the_zone_of_the_event_and_kept(world):
    event = create(world, timezone="Asia/Tokyo", start_date="2027-03-10T14:00:00Z").json()
    assert (event["start_date"], event["utc_start_date"]) == ("2027-03-10 23:00:00", "2027-03-10 14:00:00")
    moved = world.put(f"/events/{event['id']}", json={"start_date": "2027-03-10T14:00:00+09:00"}).json()
    assert (moved["start_date"], moved["timezone"]) == ("2027-03-10 14:00:00", "Asia/Tokyo")


def test_a_change_of_zone_keeps_the_wall_clock(world):
    event = create(world, end_date="2027-07-10 11:00:00").json()
    moved = world.put(f"/events/{event['id']}", json={"timezone": "Europe/Paris"}).json()
    assert (moved["start_date"], moved["end_date"]) == ("2027-03-10 09:00:00", "2027-07-10 11:00:00")
    assert (moved["utc_start_date"], moved["utc_end_date"]) == ("2027-03-10 08:00:00", "2027-07-10 09:00:00")
    both = world.put(f"/events/{event['id']}", json={"timezone": "UTC", "start_date": "2027-03-11 10:00"}).json()
    assert (both["utc_start_date"], both["utc_end_date"]) == ("2027-03-11 10:00:00", "2027-07-10 11:00:00")


def test_a_skipped_time_moves_ahead_by_the_gap(world):
    event = create(world, start_date="2027-03-14 02:30:00").json()
    assert (event["start_date"], event["utc_start_date"]) == ("2027-03-14 03:30:00", "2027-03-14 07:30:00")
    moved = create(world, start_date="2027-03-28 02:30:00").json()
    moved = world.put(f"/events/{moved['id']}", json={"timezone": "Europe/Paris"}).json()
    assert (moved["start_date"], moved["utc_start_date"]) == ("2027-03-28 03:30:00", "2027-03-28 01:30:00")


def test_a_time_that_happens_twice_is_the_first_and_an_instant_keeps_itself(world):
    first = create(world, start_date="2027-11-07 01:30:00").json()
    assert (first["utc_start_date"], first["timezone_abbr"]) == ("2027-11-07 05:30:00", "EDT")
    second = create(world, start_date="2027-11-07T06:30:00Z").json()
    assert (second["start_date"], second["utc_start_date"]) == ("2027-11-07 01:30:00", "2027-11-07 06:30:00")
    assert second["timezone_abbr"] == "EST"
    kept = world.put(f"/events/{second['id']}", json={"title": "Other"}).json()
    assert (kept["utc_start_date"], kept["timezone_abbr"]) == ("2027-11-07 06:30:00", "EST")
    same_zone = world.put(f"/events/{second['id']}", json={"timezone": "America/New_York"}).json()
    assert same_zone["utc_start_date"] == "2027-11-07 06:30:00"


def test_all_day_covers_whole_days_of_the_zone(world):
    event = create(
        world, all_day=True, start_date="2027-08-10 15:00", end_date="2027-08-12", timezone="Europe/Paris"
    ).json()
    assert (event["start_date"], event["end_date"]) == ("2027-08-10 00:00:00", "2027-08-12 23:59:59")
    assert (event["utc_start_date"], event["utc_end_date"]) == ("2027-08-09 22:00:00", "2027-08-12 21:59:59")


def test_all_day_can_be_put_on_and_off(world):
    event = create(world, end_date="2027-03-10 11:00:00").json()
    on = world.put(f"/events/{event['id']}", json={"all_day": "on"}).json()
    assert (on["start_date"], on["end_date"]) == ("2027-03-10 00:00:00", "2027-03-10 23:59:59")
    longer = world.put(f"/events/{event['id']}", json={"end_date": "2027-03-11 08:00"}).json()
    assert (longer["all_day"], longer["end_date"]) == (True, "2027-03-11 23:59:59")
    off = world.put(f"/events/{event['id']}", json={"all_day": False, "start_date": "2027-03-10 10:00"}).json()
    assert (off["start_date"], off["end_date"]) == ("2027-03-10 10:00:00", "2027-03-11 23:59:59")


@pytest.mark.parametrize(
    "body",
    [
        {"start_date": "2027-03-10 11:00:01"}, {"end_date": "2027-03-10 08:59:59"},
        {"start_date": "2027-03-11", "end_date": "2027-03-10"}, {"end_date": "2027-03-10T13:59:59Z"},
        {"start_date": "2027-03-12", "all_day": True},
    ],
)  # fmt: skip
def test_an_end_before_the_start_is_400_and_names_end_date(world, body):
    event = create(world, end_date="2027-03-10 11:00:00").json()
    count = world.count()
    for response in (
        create(world, **({"end_date": "2027-03-10 11:00:00"} | body)),
        world.put(f"/events/{event['id']}", json=body),
    ):
        assert (response.status_code, list(response.json()["data"]["params"])) == (400, ["end_date"])
    assert world.count() == count


def test_an_event_may_end_when_it_starts(world):
    assert create(world, end_date="2027-03-10 09:00:00").status_code == 201


def test_the_publication_date_is_in_the_zone_of_the_site(world):
    event = create(world, date="2026-07-01 12:00:00", timezone="Asia/Tokyo").json()
    assert (event["date"], event["date_utc"]) == ("2026-07-01 12:00:00", "2026-07-01 16:00:00")
    event = create(world, date_utc="2026-07-01 12:00:00").json()
    assert (event["date"], event["date_utc"]) == ("2026-07-01 08:00:00", "2026-07-01 12:00:00")
    event = create(world, date="2020-01-01", date_utc="2026-07-01 12:00:00").json()
    assert event["date_utc"] == "2026-07-01 12:00:00"  # it counts when both are sent
    event = create(world, date="2026-07-01T12:00:00+02:00", status="draft").json()
    assert (event["date"], event["date_utc"]) == ("2026-07-01 06:00:00", "2026-07-01 10:00:00")


@pytest.mark.parametrize(("plural", "name"), [("events", "title"), ("venues", "venue"), ("organizers", "organizer")])
def test_future_is_public_from_its_second_on_by_the_clock_alone(make_world, plural, name):
    world = make_world()
    made = world.make(plural, **{name: "Soon"}, date="2026-11-15 08:00:00", status="publish")
    assert made["status"] == "future"
    path = f"/{plural}/{made['id']}"
    world.clock.move(minutes=59, seconds=59)
    assert world.get(path).status_code == 403
    assert world.get(f"/{plural}/by-slug/soon").status_code == 404
    world.clock.move(seconds=1)
    for tried in (f"/{plural}/by-slug/soon", path):
        read = world.get(tried)
        assert (read.status_code, read.json()["status"]) == (200, "publish")
    assert read.json()["modified"] == made["modified"]
    assert read.json()["rev"] > made["rev"]


def test_a_venue_that_becomes_public_shows_in_its_event_in_spite_of_an_old_last_modified(make_world):
    world = make_world()
    event = world.make("events", venue={"venue": "Soon", "date": "2026-11-15 08:00:00"})
    world.clock.move(minutes=30)
    before = world.get(f"/events/{event['id']}")
    assert before.json()["venue"] == []
    world.clock.move(hours=1)
    visibility = {"If-Modified-Since": before.headers["Last-Modified"]}
    after = world.get(f"/events/{event['id']}", headers=visibility)
    assert after.status_code == 200
    assert after.json()["venue"]["venue"] == "Soon"


def test_the_date_moves_a_published_event_into_the_future_and_back(make_world):
    world = make_world()
    event = world.make("events")
    path = f"/events/{event['id']}"
    assert world.put(path, json={"date": "tomorrow"}).json()["status"] == "future"
    assert world.get(path).status_code == 403
    assert world.put(path, json={"date": "yesterday"}).json()["status"] == "publish"
    assert world.put(path, json={"status": "draft", "date": "tomorrow"}).json()["status"] == "draft"
    world.clock.move(days=3)
    assert world.get(path).status_code == 403


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "UTC-12", "America/New_York"])
def test_the_edges_of_the_calendar_do_not_break_anything(make_world, zone):
    world = make_world(timezone=zone)
    for written in ("9999-12-31 23:59:59", "9999-12-31T23:59:59Z", "1900-01-01", "1900-01-01T00:00:00Z"):
        for name in ("start_date", "end_date", "date", "date_utc"):
            body = {"title": "Edge", "start_date": "1900-01-02", "end_date": "9999-12-30"} | {name: written}
            response = world.post("/events", json=body)
            assert response.status_code in (201, 400)
            if response.status_code == 201:
                assert world.get(f"/events/{response.json()['id']}", "administrator").status_code == 200


def test_a_ticket_at_the_edge_of_the_calendar_survives_a_change_of_zone(world):
    event = create(world, timezone="UTC+14", tickets=[{"name": "A", "ends": "9999-12-31 23:59:59"}]).json()
    assert world.put(f"/events/{event['id']}", json={"timezone": "UTC-10"}).status_code == 200
    assert world.get(f"/events/{event['id']}").json()["tickets"][0]["ends"] == "9999-12-31 23:59:59"
