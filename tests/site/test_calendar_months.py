"""Month pages: events in their cells, bars, overflow, and navigation."""

from datetime import datetime
from typing import Any

from tests.site.calendar_html import Visit, World, cell, event, fetch, link, titles


def test_the_calendar_opens_with_this_month(visit: Visit) -> None:
    page = visit("/events/")
    assert page.one("h1").text == "November 2026"
    assert page.one("title").text == "November 2026 · Test calendar"
    assert [th.one("span", "visually-hidden").text for th in page.all("th")][:2] == ["Sunday", "Monday"]
    today = page.one("td", "today")
    assert today.one("a", "number").attributes["aria-current"] == "date"
    assert "15" in today.text
    assert "Today" in today.text


def test_the_root_redirects_to_the_calendar(world: World) -> None:
    response = fetch(world, "/")
    assert (response.status_code, response.headers["Location"]) == (302, "/events/")
    assert fetch(world, "/?lang=de").headers["Location"] == "/events/?lang=de"


def test_today_is_in_the_time_zone_of_the_site(world: World, visit: Visit) -> None:
    world.clock.now = datetime(2026, 12, 1, 4, 59)  # still November in New York
    assert visit("/events/").one("h1").text == "November 2026"
    assert visit("/events/day/").one("h1").text == "Monday, November 30, 2026"
    world.clock.move(minutes=2)
    assert visit("/events/").one("h1").text == "December 2026"
    assert visit("/events/day/").one("h1").text == "Tuesday, December 1, 2026"


def test_events_are_in_the_cells_of_their_days(world: World, visit: Visit) -> None:
    event(world, "Breakfast", "2027-03-10 09:00", "2027-03-10 11:00")
    page = visit("/events/month/2027-03/")
    chip = cell(page, 10).one("li", "chip")
    assert chip.one("bdi").text == "Breakfast"
    assert chip.one("time").text == "9:00 AM"
    assert chip.one("time").attributes["datetime"] == "2027-03-10T09:00:00-05:00"
    assert chip.one("a").attributes["href"] == "/event/breakfast/"
    assert not cell(page, 11).all("li")


def test_earlier_days_have_a_heading_only_if_something_took_place(world: World, visit: Visit) -> None:
    """In the list below the grid, which phones show."""
    world.clock.now = datetime(2027, 3, 15, 12, 0)
    event(world, "To come", "2027-03-20 09:00", "2027-03-20 11:00")
    assert not visit("/events/").all("h2", "over")
    event(world, "Was here", "2027-03-02 09:00", "2027-03-02 11:00")
    assert visit("/events/").one("h2", "over").text == "Earlier this month"


def test_below_the_grid_what_goes_on_is_listed_on_each_of_its_days(world: World, visit: Visit) -> None:
    """A phone shows one day there, and a day on which an exhibition is open has events."""
    world.clock.now = datetime(2027, 3, 15, 12, 0)
    event(world, "Exhibition", "2027-03-09 09:00", "2027-03-20 17:00")
    event(world, "Chess", "2027-03-17 19:00", "2027-03-17 21:00")
    sections = {one.attributes["id"]: one for one in visit("/events/").all("section", "day")}
    named = {day: [name.text for name in one.all("a", "name")] for day, one in sections.items()}
    assert (named["d9"], named["d15"], named["d17"]) == (["Exhibition"], ["Exhibition"], ["Chess", "Exhibition"])
    assert (named["d20"], named["d21"]) == (["Exhibition"], [])
    assert sections["d17"].all("li", "continued")[0].one("time").text == "Mar 9 – 20"
    free = {day for day, one in sections.items() if "free" in one.attributes["class"].split()}
    assert free.isdisjoint({"d9", "d15", "d17"}), "today has the events that go on"
    assert {"d16", "d20", "d21"} <= free, "in the list of the month nothing is new on these"


def test_times_are_in_the_time_zone_of_the_event(world: World, visit: Visit) -> None:
    event(world, "Elsewhere", "2027-03-10 23:30", "2027-03-10 23:50", timezone="Asia/Tokyo")
    page = visit("/events/month/2027-03/")
    assert cell(page, 10).one("time").text == "11:30 PM in Tokyo, 9:30 AM here"
    assert visit("/events/day/2027-03-10/").one("time").text == "11:30 – 11:50 PM in Tokyo, 9:30 AM here"
    assert titles(visit("/events/day/2027-03-09/")) == []


def test_events_over_several_days_are_bars_week_by_week(world: World, visit: Visit) -> None:
    event(world, "Festival", "2027-03-11 10:00", "2027-03-16 18:00")
    page = visit("/events/month/2027-03/")
    first = cell(page, 11).one("li", "bar")
    assert first.attributes["class"].split() == ["bar", "days-3", "on"]
    assert "continues" in cell(page, 13).one("li", "gap").text
    assert cell(page, 14).one("li", "bar").attributes["class"].split() == ["bar", "days-3", "before"]
    assert cell(page, 16).one("li", "gap")
    assert not cell(page, 17).all("li")


def test_bars_keep_their_lanes(world: World, visit: Visit) -> None:
    event(world, "Short", "2027-03-09", "2027-03-10", all_day=True)
    event(world, "Long", "2027-03-09", "2027-03-12", all_day=True)
    event(world, "Later", "2027-03-11", "2027-03-13", all_day=True)
    page = visit("/events/month/2027-03/")
    assert [li.one("a").text for li in cell(page, 9).all("li")] == ["Long, Mar 9 – 12", "Short, Mar 9 – 10"]
    # The lane that Short left is Later's; Long stays on top although its title is on another day.
    lanes = cell(page, 11).all("li")
    assert "Long, continues" in lanes[0].text
    assert lanes[1].one("bdi").text == "Later"
    assert [li.attributes["class"] for li in cell(page, 13).all("li")] == ["gap", "gap"]


def test_long_events_show_in_the_months_between(world: World, visit: Visit) -> None:
    event(world, "Exhibition", "2026-01-05 10:00", "2028-02-01 18:00")
    page = visit("/events/month/2027-03/")
    bars = page.all("li", "bar")
    assert [bar.attributes["class"].split()[1:] for bar in bars] == [["days-7", "before", "on"]] * 5


def test_an_evening_until_midnight_or_later_is_one_line(world: World, visit: Visit) -> None:
    event(world, "Until midnight", "2027-03-10 20:00", "2027-03-11 00:00")
    event(world, "Into the night", "2027-03-12 22:00", "2027-03-13 02:00")
    page = visit("/events/month/2027-03/")
    assert cell(page, 10).one("li", "chip").one("bdi").text == "Until midnight"
    assert not cell(page, 11).all("li")
    assert cell(page, 12).one("li", "chip").one("bdi").text == "Into the night"
    # The night itself belongs to both days.
    assert titles(visit("/events/day/2027-03-11/")) == []
    night = visit("/events/day/2027-03-13/")
    assert titles(night) == ["Into the night"]
    assert night.one("time").text == "until 2:00 AM"


def test_more_events_than_fit_are_counted(world: World, visit: Visit) -> None:
    for hour in range(10, 17):
        event(world, f"At {hour}", f"2027-03-10 {hour}:00", f"2027-03-10 {hour}:30")
    page = visit("/events/month/2027-03/?lang=en")
    full = cell(page, 10)
    assert [chip.one("bdi").text for chip in full.all("ul")[0].all("li", "chip")] == [
        "At 10",
        "At 11",
        "At 12",
        "At 13",
    ]
    more = full.one("li", "more").one("button")
    assert more.text.startswith("+3 more")
    opened = full.one("div", "opened")
    assert opened.attributes["id"] == more.attributes["popovertarget"]
    assert [name.text for name in opened.all("bdi")] == [f"At {hour}" for hour in range(10, 17)]
    assert opened.one("h2").one("a").attributes["href"] == "/events/day/2027-03-10/?lang=en"
    assert len(titles(visit("/events/day/2027-03-10/"))) == 7


def test_bars_that_do_not_fit_are_counted_on_each_day(world: World, visit: Visit) -> None:
    for number in range(6):
        event(world, f"Bar {number}", "2027-03-09", "2027-03-11", all_day=True)
    page = visit("/events/month/2027-03/")
    for day in (9, 10, 11):
        assert cell(page, day).one("li", "more").text.startswith("+2 more")


def test_previous_and_next_cross_the_year(visit: Visit) -> None:
    page = visit("/events/month/2026-12/")
    assert link(page, "next") == "/events/month/2027-01/"
    assert link(visit("/events/month/2027-01/"), "prev") == "/events/month/2026-12/"
    assert link(visit("/events/day/2026-12-31/"), "next") == "/events/day/2027-01-01/"
    assert link(visit("/events/week/2026-W53/"), "next") == "/events/week/2027-W01/"
    path = "/events/month/2023-11/"
    for _ in range(30):
        path = link(visit(path), "next")
    assert path == "/events/month/2026-05/"


def test_the_calendar_has_a_first_and_a_last_page(visit: Visit) -> None:
    for view, first, last in (
        ("month", "1900-01", "9998-12"),
        ("day", "1900-01-01", "9998-12-31"),
        ("week", "1900-W01", "9998-W53"),
    ):
        before = [a.attributes.get("rel", "").partition(" ")[0] for a in visit(f"/events/{view}/{first}/").all("a")]
        assert "prev" not in before
        assert "next" in before
        after = [a.attributes.get("rel", "").partition(" ")[0] for a in visit(f"/events/{view}/{last}/").all("a")]
        assert "next" not in after
        assert "prev" in after


def test_a_month_in_another_language_has_every_change_since_the_first(
    world: World, visit: Visit, chosen: dict[str, Any]
) -> None:
    """Whatever is kept of one of them."""

    def shown(address: str) -> tuple[list[str], list[str]]:
        page = visit(address)
        on_the_day = [li.one("bdi").text for li in cell(page, 10).all("li")]
        return on_the_day, [one.text for one in page.one("details", "filters").all("bdi")]

    month = "/events/month/2027-03/"
    before = ["Fiddles", "Chess"], ["Music", "Folk", "outdoors", "The Barn", "Folk club"]
    assert [shown(month), shown(f"{month}?lang=de")] == [before, before]
    event(world, "Draft", "2027-03-10 21:00", status="draft")
    assert shown(f"{month}?lang=fr") == before
    world.put(f"/venues/{chosen['barn']['id']}", json={"venue": "The Mill"})
    world.put(f"/categories/{chosen['music']['id']}", json={"name": "Sound"})
    event(world, "Late", "2027-03-10 21:00")
    after = ["Fiddles", "Chess", "Late"], ["Sound", "Folk", "outdoors", "The Mill", "Folk club"]
    assert [shown(f"{month}?lang=nl"), shown(month), shown(f"{month}?lang=de")] == [after] * 3
