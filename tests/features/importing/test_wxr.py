"""The export file of WordPress: posts of the three kinds, terms, meta values and attachments, in any order."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import World
from tests.effort import effort
from tests.features.importing.conftest import actions, events_by_title, import_into
from tests.features.importing.wxr_files import FOOT, HEAD, TERMS, event, item
from tests.pictures import png

from kalends.calendar.images.processing import read_picture
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.ics_zones import named_zone
from kalends.features.importing.sources.wordpress import html_of
from kalends.features.importing.sources.wxr import WxrFile
from kalends.features.wordpress.pages.page_handlers import page_of

Save = Callable[[str, str | bytes], Path]
JAZZ = '<category domain="tribe_events_cat" nicename="jazz"><![CDATA[Jazz]]></category>'
OUTDOOR = '<category domain="post_tag" nicename="outdoor"><![CDATA[outdoor]]></category>'
FULL = (
    HEAD
    + TERMS
    + event(
        50,
        "Opening night",
        "2027-03-10 19:30:00",
        "<!-- wp:paragraph -->\n<p>Come &amp; <b>see</b></p>\n<!-- /wp:paragraph -->",
        JAZZ + OUTDOOR + "<wp:post_password><![CDATA[sesame]]></wp:post_password>",
        _EventVenueID="60",
        _EventOrganizerID=["71", "70"],
        _EventCost="20",
        _EventCurrencySymbol="€",
        _EventCurrencyPosition="suffix",
        _EventURL="www.opening.test/night",
        _tribe_featured="1",
        _EventHideFromUpcoming="yes",
        _thumbnail_id="80",
    )
    + event(51, "All day long", "2027-03-11 00:00:00", _EventAllDay="yes", _EventTimezone="UTC+2")
    + event(52, "In the trash", "2027-03-12 10:00:00", more="<wp:status>trash</wp:status>")
    + event(53, "A draft", "2027-03-13 10:00:00", more="<wp:status>draft</wp:status>")
    + event(54, "Without a start", "0000-00-00 00:00:00")
    + item(60, "tribe_venue", "Town hall", "A hall", _VenueAddress="1 Main St", _VenueCity="Lyon", _VenueLat="45.7",
           _VenueLng="4.8", _VenueURL="https://hall.test")
    + item(70, "tribe_organizer", "Ada", _OrganizerEmail="ada@example.org", _OrganizerPhone="123")
    + item(71, "tribe_organizer", "Bob", _OrganizerEmail="not an address")
    + item(80, "attachment", "poster", more="<wp:attachment_url>https://www.town.test/poster.png</wp:attachment_url>")
    + item(90, "post", "A blog post")
    + FOOT
)  # fmt: skip


def test_posts_terms_meta_and_attachments(world: World, save: Save) -> None:
    world.pictures["https://www.town.test/poster.png"] = read_picture(png())
    report = import_into(world, WxrFile(save("town.xml", FULL), "UTC"))
    told = {outcome.name: outcome.details[0] for outcome in report.remarkable}
    assert told["Without a start"].startswith("Missing: start_date")
    assert told["Bob"].startswith("left out: email")
    events = events_by_title(world)
    assert set(events) == {"Opening night", "All day long", "A draft"}
    night = events["Opening night"]
    assert (night["start_date"], night["timezone"], night["cost"]) == ("2027-03-10 19:30:00", "Europe/Paris", "20€")
    assert (night["featured"], night["hide_from_listings"]) == (True, True)
    assert night["description"] == "<p>Come &amp; <b>see</b></p>"
    assert night["website"] == "https://www.opening.test/night"
    assert night["image"]["width"] > 0
    assert (night["author"], night["date_utc"]) == (str(world.ids["author"]), "2026-05-01 10:00:00")
    assert (night["venue"]["venue"], night["venue"]["geo_lat"]) == ("Town hall", 45.7)
    assert [organizer["organizer"] for organizer in night["organizer"]] == ["Bob", "Ada"]
    assert [term["name"] for term in (*night["categories"], *night["tags"])] == ["Jazz", "outdoor"]
    assert world.get(f"/categories/{night['categories'][0]['parent']}").json()["name"] == "Music & Dance"
    assert world.get("/categories?hide_empty=0&search=News").json()["total"] == 0
    assert events["All day long"]["all_day"] is True
    assert events["A draft"]["status"] == "draft"
    assert world.get(f"/events/{night['id']}").status_code == 403, "the password protects it here too"
    assert world.get(f"/events/{night['id']}?password=sesame").status_code == 200
    rev = world.count()
    again = import_into(world, WxrFile(save("town.xml", FULL), "UTC"))
    assert (again.total("created"), again.total("updated"), world.count()) == (0, 0, rev)


def test_old_addresses_lead_to_the_new_pages(world: World, save: Save) -> None:
    for number in range(60):  # ids here are others than there
        world.make("tags", name=f"tag {number}")
    import_into(world, WxrFile(save("town.xml", FULL), "UTC"), with_images=False)
    event = events_by_title(world)["All day long"]
    anonymous, administrator = world.calendar, world.ids["administrator"]
    assert administrator
    assert page_of(anonymous, 51) == ("event", "all-day-long")
    assert page_of(anonymous, 60) == ("venue", "town-hall")
    assert page_of(anonymous, 53) is None, "a draft"
    assert page_of(anonymous, 99999) is None
    own = world.make("events", title="Made here")
    assert page_of(anonymous, own["id"]) == ("event", "made-here")
    assert event["id"] != 51


def test_many_events(world: World, save: Save) -> None:
    count = effort(600, 2000)
    body = "".join(
        event(1000 + n, f"Event {n}", f"2027-{n % 12 + 1:02}-{n % 28 + 1:02} 10:00:00") for n in range(count)
    )
    path = save("many.xml", HEAD + TERMS + body + FOOT)
    assert actions(import_into(world, WxrFile(path, "UTC"))) == {"created": count + 3}
    assert world.get("/events?start_date=2026-01-01&per_page=1").json()["total"] == count


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (FULL[:4000], r"bad.xml: line \d+: .*; is the file complete\? Export it again"),
        ("<!DOCTYPE html><html><body>Log in</body></html>", "this is a web page, not an export of WordPress"),
        ("<html><body><p>Log in<br></body></html>", "this is a web page, not an export of WordPress"),
        ("BEGIN:VCALENDAR", "this is not XML; choose the file that Tools > Export gave"),
        ("<rss><channel><title>A blog</title></channel></rss>", "this is not an export of WordPress"),
        (
            '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rss>&b;</rss>',
            "document type or entities",
        ),
        ("<rss>" + "<a>" * 100 + "</a>" * 100 + "</rss>", "nested too deeply"),
    ],
)
def test_what_is_no_export_is_told_and_changes_nothing(world: World, save: Save, content: str, message: str) -> None:
    before = world.count()
    with pytest.raises(SourceError, match=message):
        import_into(world, WxrFile(save("bad.xml", content), "UTC"))
    assert world.count() == before


def test_what_plugins_and_editors_leave_in_an_export(world: World, save: Save) -> None:
    """White space before the beginning and control characters, which XML does not have."""
    nameless = event(7, "Nameless", "2027-03-12 10:00:00").replace("<wp:post_id>7<", "<wp:post_id><")
    text = f"\n \n{HEAD}{event(6, 'Vertical', '2027-03-11 10:00:00', body=chr(11) + 'tab' + chr(8))}{nameless}{FOOT}"
    report = import_into(world, WxrFile(save("town.xml", text), "UTC"))
    assert events_by_title(world)["Vertical"]["description"] == "<p>tab</p>"
    [told] = report.remarkable
    assert (told.name, told.details) == ("Nameless", ["it has no id"])
    assert told.where == f"line {text[: text.index('<title>Nameless')].count(chr(10)) + 1}"


def test_comments_are_left_out_also_of_a_text_made_to_take_long() -> None:
    assert html_of("<!-- a -->One<!----> <!-- <!-- -->two<!-->three-->!<!-- four") == "One two!<!-- four"
    assert html_of("<!--" * 500_000) == "<!--" * 500_000
    assert html_of("<!---->" * 300_000) == ""
    assert named_zone("(" * 500_000) is None
