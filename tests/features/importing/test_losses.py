"""No silent loss: whatever a source has is here after an import, follows from it, or is named with a count."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import NOW, World
from tests.features.importing.calendars import crlf
from tests.features.importing.conftest import events_by_title, import_into
from tests.features.importing.reference_site import ReferenceSite, served
from tests.features.importing.wxr_files import FOOT, HEAD, TERMS, event, item

from kalends.calendar.access import Caller
from kalends.contract.roles import Role
from kalends.features.importing.applying.report import Report
from kalends.features.importing.run import Import
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.site import RemoteSite
from kalends.features.importing.sources.site_records import CARRIED, TERM_KEYS
from kalends.features.importing.sources.web_client import WebClient
from kalends.features.importing.sources.wxr import WxrFile

# What the Pro, Community, Tickets and Virtual plugins add to events and to other records, beside the free one.
PLUGINS: dict[str, Any] = {
    "custom_fields": {"_ecp_custom_2": {"label": "Room", "value": "12"}},
    "additional_fields": {"Room": "12"},
    "is_recurring": True,
    "recurrence": {"rules": [{"type": "Weekly"}], "exclusions": []},
    "series_title": "Club evenings",
    "is_virtual": True,
    "virtual_url": "https://meet.test/room",
    "community_submission": {"name": "Vera", "email": "vera@visitor.test"},
    "attendance": {"going": 12},
    "event_status": "postponed",
    "author": "3",
    "tickets": [
        {"id": 70, "title": "Adult", "cost": "$10", "cost_details": {"values": ["10"]}, "sku": "A-1", "capacity": 20},
        {"id": 71, "title": "Child", "price": "5", "iac": "allowed"},
    ],
    "cost": "$5 – $30",
    "cost_details": {"currency_symbol": "$", "currency_position": "prefix", "values": ["5", "10", "30"]},
}  # fmt: skip


def calendar(folder: Path, text: str, *, whole: bool = False) -> IcsFile:
    path = folder / "town.ics"
    text = text if whole else f"BEGIN:VCALENDAR\nVERSION:2.0\n{text}END:VCALENDAR\n"
    path.write_bytes(crlf(text))
    return IcsFile(path, "UTC", NOW - timedelta(days=30), NOW + timedelta(days=60))


def told(report: Report) -> dict[tuple[str, str], int]:
    return dict(report.losses.counts)


@pytest.fixture
def site() -> Iterator[ReferenceSite]:
    with served(ReferenceSite()) as site:
        site.records["categories"] = [
            {"id": 2, "name": "Music", "slug": "music", "description": "", "parent": 0, "icon": "drum", "count": 1}
        ]
        site.records["venues"] = [
            {"id": 10, "venue": "Hall", "slug": "hall", "status": "publish", "address": "1 High St", "seats": 80}
        ]
        site.event(28, "Plain", venue=[], organizer=[])
        site.event(29, "Full", venue=[], organizer=[], **PLUGINS)
        yield site


def test_every_key_of_a_site_is_carried_or_named(world: World, site: ReferenceSite) -> None:
    report = import_into(
        world, RemoteSite(site.url, WebClient(allow_private=True, sleep=lambda _: None), "UTC"), with_images=False
    )
    losses = told(report)
    named = {name.partition(".")[0] for _, name in losses}
    for plural, kind in (("events", "event"), ("venues", "venue"), ("organizers", "organizer")):
        for record in site.records[plural]:
            for key, value in record.items():
                is_empty = value in (None, "", [], {}, False, 0, "0")
                assert is_empty or key in CARRIED[kind] or key in named, key
    for record in site.records["categories"]:
        assert {key for key, value in record.items() if value} <= TERM_KEYS | named
    assert losses["events", "author"] == 2
    for name in (
        *("is_recurring", "recurrence", "series_title"),
        *("is_virtual", "community_submission", "attendance", "tickets.sku", "tickets.id"),
        "tickets.iac",
    ):
        assert losses["events", name] == 1, name
    assert losses["venues", "seats"] == 1
    assert losses["categories", "icon"] == 1
    assert "not carried: is_virtual, of 1 records (events)" in report.remarks
    assert {"kind": "events", "field": "is_virtual", "count": 1} in report.as_json()["losses"]  # type: ignore[operator]
    assert not [name for _, name in losses if "vera@visitor.test" in name]
    page = (Path(__file__).parents[3] / "docs" / "moving.md").read_text()
    assert "\n".join(map(str, report.losses.messages())) in page


def test_several_prices_stay_several(world: World, site: ReferenceSite) -> None:
    import_into(
        world, RemoteSite(site.url, WebClient(allow_private=True, sleep=lambda _: None), "UTC"), with_images=False
    )
    found = events_by_title(world)["Full"]
    assert found["cost"] == "$5 – $30"
    assert found["cost_details"]["values"] == ["5", "10", "30"]
    assert [(ticket["name"], ticket["price"]) for ticket in found["tickets"]] == [("Adult", "10"), ("Child", "5")]
    assert found["event_status"] == "postponed"


def test_a_file_of_wordpress_names_what_has_no_place(world: World, tmp_path: Path) -> None:
    more = '<category domain="tec_series" nicename="club">Club</category>'
    more += "<wp:comment><wp:comment_id>1</wp:comment_id></wp:comment>"
    text = HEAD + TERMS
    text += event(
        50, "Full", "2027-03-01 19:00:00", more=more,
        _ecp_custom_2="12", _EventRecurrence="a:1:{}", _tribe_events_virtual_url="https://meet.test",
        _edit_lock="1:1",
        _tribe_events_status="canceled", _EventCost=["5", "10", "30"], _EventCurrencySymbol="$",
        _EventOrigin="community",
        _empty="",
    )  # fmt: skip
    text += event(51, "Plain", "2027-03-02 19:00:00", _ecp_custom_2="13")
    text += item(60, "tribe_rsvp_tickets", "Seat", _price="10") + item(61, "tribe_rsvp_tickets", "Box")
    text += item(62, "post", "News") + item(63, "tribe_venue", "Hall", _VenueAddress="1 High St", _VenueSeats="80")
    path = tmp_path / "town.xml"
    path.write_text(text + FOOT)
    report = import_into(world, WxrFile(path, "UTC"), with_images=False)
    assert told(report) == {
        ("events", "_EventRecurrence"): 1,
        ("events", "taxonomy tec_series"): 1,
        ("events", "comments"): 1,
        ("venues", "_VenueSeats"): 1,
        ("other", "post_type tribe_rsvp_tickets"): 2,
        ("other", "post_type post"): 1,
    }
    found = events_by_title(world)["Full"]
    assert found["event_status"] == "cancelled"
    assert found["cost_details"]["values"] == ["5", "10", "30"]


def custom_of(world: World, title: str) -> dict[str, Any]:
    """The custom fields of an event by their labels, as an editor reads them."""
    found = world.get("/events?start_date=1900-01-01", who="editor").json()["events"]
    event = next(one for one in found if one["title"] == title)
    return {one["label"]: one["value"] for one in event["custom_fields"].values()} if event["custom_fields"] else {}


def test_fields_of_a_site_are_carried_however_it_tells_them(world: World, site: ReferenceSite) -> None:
    more = {"additional_fields": {"Level": "Easy", "Packed": {"a": 1}}, "custom_fields": []}
    site.event(30, "Other", venue=[], organizer=[], **more)
    source = RemoteSite(site.url, WebClient(allow_private=True, sleep=lambda _: None), "UTC")
    report = import_into(world, source, with_images=False)
    assert custom_of(world, "Full") == {"Room": "12", "Virtual URL": "https://meet.test/room"}
    assert custom_of(world, "Other") == {"Level": "Easy"}
    assert told(report)["events", "additional_fields.Packed"] == 1
    # The address of a meeting is not everybody's.
    assert "meet.test" not in world.get("/events?start_date=1900-01-01").text


def test_fields_and_tickets_of_a_file_of_wordpress_are_carried(world: World, tmp_path: Path) -> None:
    text = HEAD + event(
        50, "Full", "2027-03-01 19:00:00",
        _ecp_custom_2=["a", "b"], __ecp_custom_2=["a", "b"], room="12", _room="field_5f", colours=["red", "blue"],
        packed='a:1:{i:0;s:1:"x";}', _tribe_events_virtual_url="https://meet.test",
    )  # fmt: skip
    rsvp = {"_tribe_rsvp_for_event": "50", "_price": "", "_tribe_ticket_capacity": "-1", "_sku": "A"}
    text += item(60, "tribe_rsvp_tickets", "Guest", **rsvp)
    paid = {"_tec_tickets_commerce_event": "50", "_price": "12.50", "_tribe_ticket_capacity": "80"}
    paid |= {"_ticket_start_date": "2027-01-01", "_ticket_start_time": "10:00:00", "_ticket_end_date": "2027-03-01"}
    text += item(61, "tec_tc_ticket", "Seat", **paid)
    hidden = "<wp:status>draft</wp:status>"
    text += item(62, "tec_tc_ticket", "Not yet", more=hidden, _tec_tickets_commerce_event="50", _price="1")
    path = tmp_path / "town.xml"
    path.write_text(text + FOOT)
    report = import_into(world, WxrFile(path, "UTC"), with_images=False)
    assert custom_of(world, "Full") == {
        "_ecp_custom_2": "a|b",
        "room": "12",
        "colours": "red, blue",
        "Virtual URL": "https://meet.test",
    }
    assert told(report) == {
        ("events", "packed"): 1,
        ("events", "tickets._sku"): 1,
        ("other", "post_type tec_tc_ticket"): 1,
    }
    tickets = events_by_title(world)["Full"]["tickets"]
    assert [(one["name"], one["price"], one["capacity"]) for one in tickets] == [
        ("Guest", "", None),
        ("Seat", "12.50", 80),
    ]
    assert tickets[1]["starts"] == "2027-01-01 10:00:00"


def test_who_may_define_no_fields_is_told_what_is_left_out(world: World, site: ReferenceSite) -> None:
    caller = Caller(world.ids["editor"], "editor", Role.EDITOR)
    source = RemoteSite(site.url, WebClient(allow_private=True, sleep=lambda _: None), "UTC")
    source.prepare()
    report = Import(world.calendar, caller, with_images=False).run(source)
    [full] = [one for one in report.remarkable if one.name == "Full"]
    assert "left out: Room: there is no such custom field here" in full.details


ATTACHED = """BEGIN:VEVENT
UID:1
SUMMARY:Full
DTSTART:20270301T190000
DTEND:20270301T200000
X-COST:12
X-ROOM;X-A=1:4
ATTACH:https://files.test/plan.pdf
ATTACH;FMTTYPE=image/png:https://files.test/a.png
ATTENDEE:mailto:a@b.test
ATTENDEE:mailto:c@b.test
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-PT10M
END:VALARM
END:VEVENT
BEGIN:VTODO
UID:2
SUMMARY:Buy bread
END:VTODO
"""


def test_a_calendar_file_names_properties_attachments_and_other_components(world: World, tmp_path: Path) -> None:
    report = import_into(world, calendar(tmp_path, ATTACHED), with_images=False)
    losses = told(report)
    assert losses == {
        ("events", "X-COST"): 1,
        ("events", "X-ROOM"): 1,
        ("events", "ATTACH"): 1,
        ("events", "ATTENDEE"): 1,
        ("other", "VTODO"): 1,
    }


TWO = """BEGIN:VCALENDAR
VERSION:2.0
X-WR-TIMEZONE:Europe/Paris
BEGIN:VTIMEZONE
TZID:Local
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0200
TZOFFSETTO:+0200
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1
SUMMARY:In Paris
DTSTART:20270301T190000
END:VEVENT
BEGIN:VEVENT
UID:3
SUMMARY:Two hours
DTSTART;TZID=Local:20270301T190000
END:VEVENT
END:VCALENDAR
BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VTIMEZONE
TZID:Local
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:-0300
TZOFFSETTO:-0300
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:2
SUMMARY:In Tokyo
DTSTART:20270301T190000
END:VEVENT
BEGIN:VEVENT
UID:4
SUMMARY:Three hours
DTSTART;TZID=Local:20270301T190000
END:VEVENT
X-WR-TIMEZONE:Asia/Tokyo
END:VCALENDAR
"""


def test_each_calendar_of_a_file_has_zones_of_its_own(world: World, tmp_path: Path) -> None:
    report = import_into(world, calendar(tmp_path, TWO, whole=True), with_images=False)
    found = {title: one["utc_start_date"] for title, one in events_by_title(world).items()}
    assert found == {
        "In Paris": "2027-03-01 18:00:00",
        "In Tokyo": "2027-03-01 10:00:00",
        "Two hours": "2027-03-01 17:00:00",
        "Three hours": "2027-03-01 22:00:00",
    }
    assert [remark for remark in report.remarks if "Tokyo" in remark]


def test_columns_without_a_field_are_counted(world: World, tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    path.write_text("Event Name,Event Start Date,Room,Level\nA,2027-03-01,12,\nB,2027-03-02,13,\nC,2027-03-03,,\n")
    report = import_into(world, CsvTable(path, "UTC"), with_images=False)
    assert told(report) == {("events", "Room"): 2}


def test_names_are_bounded(world: World, tmp_path: Path) -> None:
    lines = "".join(f"X-NAME-{number}:1\n" for number in range(2000))
    text = f"BEGIN:VEVENT\nUID:1\nSUMMARY:Much\nDTSTART:20270301T190000\n{lines}END:VEVENT\n"
    report = import_into(world, calendar(tmp_path, text), with_images=False)
    assert len(report.losses.counts) <= 201
    assert report.losses.counts["events", "…"] == 1800
