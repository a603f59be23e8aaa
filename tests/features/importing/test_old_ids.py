"""Ids of the calendar that was imported keep their meaning, unless this calendar has such an id itself."""

from pathlib import Path
from typing import Any

from tests.conftest import BASE_URL, World
from tests.features.importing.conftest import events_by_title, import_into
from tests.features.importing.wxr_files import FOOT, HEAD, TERMS, event, item
from tests.features.wordpress.test_calendar_addresses import events_at

from kalends.features.importing.sources.wxr import WxrFile

# Ids that are larger than all ids here.
IDS = {"<wp:term_id>10<": "<wp:term_id>9010<", "<wp:term_id>3<": "<wp:term_id>9003<", "_id>2<": "_id>9002<"}


def brought(world: World, folder: Path) -> None:
    jazz = '<category domain="tribe_events_cat" nicename="jazz">Jazz</category>'
    outdoor = '<category domain="post_tag" nicename="outdoor">outdoor</category>'
    terms = TERMS
    for old, new in IDS.items():
        terms = terms.replace(old, new)
    text = HEAD + terms + item(9060, "tribe_venue", "Hall", _VenueCity="Graz") + item(9061, "tribe_organizer", "Olga")
    linked: dict[str, Any] = {"_EventVenueID": "9060", "_EventOrganizerID": "9061"}
    text += event(9050, "Concert", "2027-03-01 19:00:00", more=jazz, **linked)
    text += event(9051, "Picnic", "2027-03-02 19:00:00", more=outdoor)
    text += event(9052, "Draft", "2027-03-03 19:00:00", more=jazz + "<wp:status>draft</wp:status>", **linked)
    text += event(9053, "Hidden", "2027-03-04 19:00:00", more=jazz, _EventHideFromUpcoming="yes", **linked)
    path = folder / "town.xml"
    path.write_text(text + FOOT)
    import_into(world, WxrFile(path, "UTC"), with_images=False)


def test_links_and_filters_take_old_ids(world: World, tmp_path: Path) -> None:
    brought(world, tmp_path)
    for query, page in {
        "p=9050": "/event/concert/",
        "p=9050&post_type=tribe_events": "/event/concert/",
        "p=9060": "/venue/hall/",
        "p=9061": "/organizer/olga/",
        "p=9050&ical=1": "/event/concert/?ical=1",
    }.items():
        answer = world.get(f"{BASE_URL}/?{query}")
        assert (answer.status_code, answer.headers.get("Location")) == (301, BASE_URL + page), query
    for query, expected in {
        "tribe_eventcategory[]=9003": ["Concert"],
        "tribe_eventcategory[]=9002": ["Concert"],
        "tribe_tags[]=9010": ["Picnic"],
        "tribe_venues[]=9060": ["Concert"],
        "tribe_organizers[]=9061": ["Concert"],
        "tribe_city[]=9060-9999": ["Concert"],
        "tribe_eventcategory[]=9010": [],  # the number of a tag
        "tribe_venues[]=9050": [],
    }.items():
        assert events_at(world, f"/events/?ical=1&{query}") == expected, query


def test_what_is_not_public_is_not_found_by_its_old_id(world: World, tmp_path: Path) -> None:
    brought(world, tmp_path)
    assert {"Draft", "Hidden"} <= events_by_title(world).keys()
    missing = world.get(f"{BASE_URL}/?p=99999")
    for id in (9052, 9053):
        answer = world.get(f"{BASE_URL}/?p={id}")
        assert (answer.status_code, answer.text) == (404, missing.text)
    assert world.get(f"{BASE_URL}/?p=9050&post_type=tribe_venue").status_code == 404


def test_ids_of_this_calendar_come_first(world: World, tmp_path: Path) -> None:
    own = world.make("events", title="Made here")
    path = tmp_path / "town.xml"
    path.write_text(HEAD + event(own["id"], "From there", "2027-03-01 19:00:00") + FOOT)
    import_into(world, WxrFile(path, "UTC"), with_images=False)
    assert "From there" in events_by_title(world)
    assert world.get(f"{BASE_URL}/?p={own['id']}").headers["Location"] == f"{BASE_URL}/event/made-here/"
