"""The axis of hours: where events of a day stand, and how long the line of the present stays."""

from datetime import datetime

from tests.site.calendar_html import Element, Visit, World, cell, event, fetch

from kalends.site.calendar.calendar_hours import next_row


def test_events_have_the_rows_of_their_times_and_lanes_beside_each_other(world: World, visit: Visit) -> None:
    event(world, "Early", "2027-03-10 06:30", "2027-03-10 07:00")
    event(world, "Long", "2027-03-10 09:00", "2027-03-10 12:00")
    event(world, "Beside", "2027-03-10 11:45", "2027-03-10 13:10")
    event(world, "Apart", "2027-03-10 14:00", "2027-03-10 14:00")
    event(world, "Into the night", "2027-03-10 22:00", "2027-03-11 02:00")
    page = visit("/events/day/2027-03-10/")
    places = {block.one("bdi").text: block.attributes["class"].split()[1:8] for block in page.all("li", "block")}
    # Hours count from the first that is shown, which is six.
    assert places == {
        "Early": ["from-0", "plus-2", "to-1", "and-0", "lane-0", "of-1", "narrow-of-1"],
        "Long": ["from-3", "plus-0", "to-6", "and-0", "lane-0", "of-2", "narrow-of-2"],
        "Beside": ["from-5", "plus-3", "to-7", "and-1", "lane-1", "of-2", "narrow-of-2"],
        "Apart": ["from-8", "plus-0", "to-8", "and-2", "lane-0", "of-1", "narrow-of-1"],
        "Into the night": ["from-16", "plus-0", "to-18", "and-0", "lane-0", "of-1", "narrow-of-1"],
    }
    assert page.one("ol", "axis").all("li")[0].text == "6 AM"


def test_one_more_than_there_are_lanes_has_a_lane_too(world: World, visit: Visit) -> None:
    """In place of a number, which would be as wide."""
    for title in ("Chess", "Choir", "Council"):
        event(world, title, "2027-03-10 19:00", "2027-03-10 21:00", event_status="cancelled")
    for title in ("Yoga", "Zumba"):
        event(world, title, "2027-03-11 19:00", "2027-03-11 21:00")
    week = visit("/events/week/2027-W10/")
    classes = {block.one("bdi").text: block.attributes["class"].split() for block in week.all("li", "block")}
    assert {title: {"of-3", "crowded"} & {*found} for title, found in classes.items() if "of-3" in found} == {
        "Chess": {"of-3"}, "Choir": {"of-3"}, "Council": {"of-3"},
    }  # fmt: skip
    assert all({"of-2", "narrow-of-2"} <= {*classes[title]} for title in ("Yoga", "Zumba"))
    (narrow,) = week.all("li", "more")
    assert "narrow-only" in narrow.attributes["class"]
    assert len(narrow.all("li", "line")) == 2


def test_a_crowded_day_names_how_many_more_there_are_and_leaves_nothing_out(world: World, visit: Visit) -> None:
    titles = {f"Stall {number}" for number in range(40)}
    for title in titles:
        event(world, title, "2027-03-10 09:00", "2027-03-10 11:00")
    event(world, "Evening", "2027-03-10 20:00", "2027-03-10 22:00")
    week = visit("/events/week/2027-W10/")
    shown = {block.one("bdi").text for block in week.all("li", "block")} - {"Evening"}
    numbers = {tuple(more.attributes["class"].split()[5:]): more for more in week.all("li", "more")}
    assert {only: more.one("summary").text.split("+")[1] for only, more in numbers.items()} == {
        ("wide-only",): "38", ("narrow-only",): "39",
    }  # fmt: skip
    assert len(shown) == 2
    assert shown | {line.one("bdi").text for line in numbers["wide-only",].all("li", "line")} == titles
    assert not week.all("ul", "all-day"), "the hours are not pushed down"
    day = visit("/events/day/2027-03-10/")
    assert len(day.all("li", "block")) == 7
    assert {len(more.all("li", "line")) for more in day.all("li", "more")} == {34, 38}


def test_events_over_days_are_bars_in_a_week_and_lines_in_a_day(world: World, visit: Visit) -> None:
    event(world, "Fair", "2027-03-11", "2027-03-16", all_day=True)
    event(world, "Camp", "2027-03-09 10:00", "2027-03-11 18:00")
    event(world, "Closed", "2027-03-12", "2027-03-12", all_day=True)
    week = visit("/events/week/2027-W10/?lang=de")  # from Monday the 8th
    days = [day.all("li", "bar") for day in week.all("section", "day")]
    assert [[bar.one("bdi").text for bar in day] for day in days] == [
        [], ["Camp"], ["Camp"], ["Camp", "Fair"], ["Closed", "Fair"], ["Fair"], ["Fair"],
    ]  # fmt: skip
    lengths = {
        bar.one("bdi").text: [name for name in bar.attributes["class"].split() if name.startswith(("days", "on"))]
        for day in days
        for bar in day
        if "rest" not in bar.attributes["class"].split()
    }
    assert lengths == {"Camp": ["days-3"], "Fair": ["days-4", "on"], "Closed": ["days-1"]}
    assert [bar.one("time").text for bar in days[3]] == ["bis 18:00", "Ganztägig"]
    day = visit("/events/day/2027-03-11/")
    assert not day.all("li", "bar")
    assert [line.one("a", "name").text for line in day.all("li", "line")] == ["Camp", "Fair"]


def test_a_night_elsewhere_is_told_on_both_clocks(world: World, visit: Visit) -> None:
    event(world, "Party", "2027-03-10 20:00", "2027-03-11 01:00", timezone="America/Los_Angeles")
    times = [time.text for time in visit("/events/week/2027-W10/").all("time", "hours")]
    assert times == ["8:00 PM in Los Angeles, 11:00 PM here", "until 4:00 AM"], "on the clock of the axis"


def test_the_card_of_an_event_says_that_it_is_sold_out(world: World, visit: Visit) -> None:
    """In a narrow lane of a week there is no room for it beside the title."""
    event(world, "Opera", "2027-03-10 19:00", "2027-03-10 21:00", event_status="sold_out")
    for path in ("/events/week/2027-W10/", "/events/month/2027-03/"):
        assert visit(path).one("div", "hover-card").one("span", "badge").text == "Sold out"


def test_the_line_of_the_present_is_in_today_and_moves_with_the_clock(world: World, visit: Visit) -> None:
    event(world, "Today", "2026-11-15 09:00")
    world.clock.now = datetime(2026, 11, 15, 15, 20)  # 10:20 in New York
    assert "from-2 plus-1" in visit("/events/day/").one("li", "now").attributes["class"]
    assert len(visit("/events/week/").all("li", "now")) == 1
    assert not visit("/events/day/2026-11-16/").all("li", "now")
    first = fetch(world, "/events/day/").text
    hits = world.cache.hits
    assert fetch(world, "/events/day/").text == first
    assert world.cache.hits == hits + 1
    world.clock.move(minutes=12)
    assert "from-2 plus-2" in visit("/events/day/").one("li", "now").attributes["class"]
    assert next_row(datetime(2026, 11, 15, 23, 59, 59)) == datetime(2026, 11, 16)


def test_the_present_month_begins_with_today_on_a_phone(world: World, visit: Visit) -> None:
    days = [day.attributes["id"] for day in visit("/events/").one("div", "small").all("section", "day")]
    assert days == [f"d{day}" for day in [*range(15, 31), *range(1, 15)]]
    other = [
        day.attributes["id"] for day in visit("/events/month/2027-03/").one("div", "small").all("section", "day")
    ]
    assert other == [f"d{day}" for day in range(1, 32)]


def test_every_view_shows_the_colour_of_a_category_and_what_is_over(world: World, visit: Visit) -> None:
    world.make("categories", name="Music", color="#123abc")
    event(world, "Concert", "2026-11-10 19:00", "2026-11-10 21:00", categories=["music"])
    event(world, "Fair", "2026-11-10", "2026-11-10", all_day=True, categories=["music"])
    month = visit("/events/month/2026-11/")
    assert [dot.attributes["class"] for dot in cell(month, 10).one("span", "dots").all("i")] == ["cat c-123abc"] * 2
    for path in ("week/2026-W46", "day/2026-11-10"):
        page = visit(f"/events/{path}/")
        (block,), (line,) = page.all("li", "block"), page.all("li", "bar") or page.all("li", "line")
        assert {"cat", "c-123abc"} <= set(block.attributes["class"].split())
        assert {"cat", "c-123abc"} <= set(line.attributes["class"].split())
        (day,) = [day for tag in ("section", "div") for day in page.all(tag, "day") if day.all("li", "block")]
        assert "over" in day.attributes["class"].split()


def test_hours_elsewhere_stand_where_they_are_here_and_both_are_told(world: World, visit: Visit) -> None:
    event(world, "Talk", "2027-03-10 22:00", "2027-03-10 23:30", timezone="America/Los_Angeles")  # New York is here
    event(world, "Here", "2027-03-11 01:00", "2027-03-11 02:00")
    week = visit("/events/week/2027-W10/?lang=en-GB")
    days = {day.attributes["id"]: titles(day) for day in week.all("section", "day")}
    assert {day: found for day, found in days.items() if found} == {"d2027-03-11": ["Talk", "Here"]}
    places = {block.one("bdi").text: block.attributes["class"].split()[1:7] for block in week.all("li", "block")}
    assert places["Talk"][:4] == ["from-0", "plus-0", "to-1", "and-2"]
    assert {place[5] for place in places.values()} == {"of-2"}, "they overlap here"
    block = next(one for one in week.all("li", "block") if one.one("bdi").text == "Talk")
    assert block.one("time", "hours").text == "22:00 in Los Angeles, Thu 01:00 here"
    assert "Talk" in titles(visit("/events/day/2027-03-11/"))
    assert "Talk" not in titles(visit("/events/day/2027-03-10/"))
    assert "22:00–23:30 Uhr in Los Angeles, Do 01:00 hier" in visit("/events/day/2027-03-11/?lang=de").text


def test_the_edge_of_a_week_belongs_to_the_clock_of_the_site(world: World, visit: Visit) -> None:
    event(world, "Sunday there", "2027-03-14 22:00", "2027-03-14 23:00", timezone="America/Los_Angeles")
    event(world, "Monday there", "2027-03-08 05:00", "2027-03-08 06:00", timezone="Asia/Tokyo")
    assert titles(visit("/events/week/2027-W10/?lang=de")) == []
    assert titles(visit("/events/week/2027-W11/?lang=de")) == ["Sunday there"]
    assert titles(visit("/events/week/2027-W09/?lang=de")) == ["Monday there"]


def titles(page: Element) -> list[str]:
    return [block.one("bdi").text for block in page.all("li", "block")]


def test_japanese_times_are_written_one_way(world: World, visit: Visit) -> None:
    event(world, "Talk", "2027-03-10 17:00", "2027-03-10 19:00")
    assert visit("/events/list/?lang=ja").one("time", "hours").text == "17:00～19:00"
