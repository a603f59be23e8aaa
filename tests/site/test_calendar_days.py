"""Weeks, days and lists as pages."""

from tests.site.calendar_html import Visit, World, event, link, titles


def test_a_week_starts_on_the_first_weekday_of_the_language(world: World, visit: Visit) -> None:
    event(world, "On Sunday", "2027-03-07 10:00", "2027-03-07 11:00")
    page = visit("/events/week/2027-W10/")
    assert page.one("h1").text == "Mar 7 – 13, 2027"
    assert [day.one("span", "numeral").text for day in page.all("section", "day")] == list(map(str, range(7, 14)))
    assert titles(page) == ["On Sunday"]
    german = visit("/events/week/2027-W10/?lang=de")
    assert german.all("section", "day")[0].one("span", "numeral").text == "8"
    assert titles(german) == []
    assert titles(visit("/events/week/2027-W09/?lang=de")) == ["On Sunday"]
    assert visit("/events/week/2027-03-10/").one("h1").text == "Mar 7 – 13, 2027"


def test_a_week_shows_long_events_on_each_day(world: World, visit: Visit) -> None:
    venue = world.make("venues", venue="The Barn")
    event(world, "Fair", "2027-03-08 10:00", "2027-03-10 18:00", venue=venue["id"])
    lines = visit("/events/week/2027-W10/").all("li", "bar")
    assert [one.one("time").text for one in lines] == ["10:00 AM", "All day", "until 6:00 PM"]
    assert ["The Barn" in one.text for one in lines] == [True, False, False]


def test_a_day_shows_venue_category_and_cost(world: World, visit: Visit) -> None:
    venue = world.make("venues", venue="The Barn")
    event(world, "Dance", "2027-03-10 19:30", "2027-03-10 22:00", venue=venue["id"], categories=["Folk"], cost="12")
    page = visit("/events/day/2027-03-10/")
    assert page.one("p", "about").text == "The Barn · Folk · $12"
    assert page.one("time").text == "7:30 – 10:00 PM"


def test_a_list_is_grouped_and_has_twenty_events_a_page(world: World, visit: Visit) -> None:
    for number in range(25):
        event(world, f"Event {number:02}", f"2027-{3 + number // 13:02}-{number % 13 + 1:02} 10:00")
    page = visit("/events/list/")
    assert page.one("h1").text == "Upcoming events"
    assert [h2.text for h2 in page.all("h2", "month")] == ["March 2027", "April 2027"]
    assert titles(page) == [f"Event {number:02}" for number in range(20)]
    assert "Page 1 of 2" in page.one("nav", "paging").text
    assert link(page, "next") == "/events/list/?page=2"
    second = visit("/events/list/?page=2")
    assert titles(second) == [f"Event {number:02}" for number in range(20, 25)]
    assert link(second, "prev") == "/events/list/"
    visit("/events/list/?page=3", 404)


def test_a_list_starts_today_or_at_a_date_and_links_to_past_events(world: World, visit: Visit) -> None:
    event(world, "Last week", "2026-11-08 10:00")
    event(world, "This morning", "2026-11-15 01:00")
    event(world, "Since long", "2026-01-01 10:00", "2026-12-31 10:00")
    event(world, "Next year", "2027-03-10 10:00")
    assert titles(visit("/events/list/")) == ["Since long", "This morning", "Next year"]
    assert titles(visit("/events/list/2027-01-01/")) == ["Next year"]
    past = visit("/events/list/?past=1")
    assert past.one("h1").text == "Past events"
    assert titles(past) == ["Last week"]


def test_empty_pages_say_so(world: World, visit: Visit) -> None:
    assert "There are no events in this calendar yet." in visit("/events/month/2031-03/").one("main").text
    # Nothing will be planned there any more.
    for past in ("month/2011-03", "week/2011-W10", "day/2011-03-10"):
        assert visit(f"/events/{past}/").one("div", "nothing").one("p", "words").text == "No events"
    event(world, "Soon", "2026-11-20 10:00")
    event(world, "Later", "2031-06-20 10:00")
    for path in ("/events/month/2031-03/", "/events/week/2031-W10/", "/events/day/2031-03-10/"):
        nothing = visit(path).one("div", "nothing")
        assert nothing.one("p", "words").text.startswith("Nothing is planned for this ")
        assert "The next event: Later, Friday, June 20, 2031" in nothing.text
    nothing = visit("/events/list/?search=nowhere").one("div", "nothing")
    assert "No events match these filters." in nothing.text
    assert [a.attributes["href"] for a in nothing.all("a")] == ["/events/list/", "/event/soon/"]


def test_free_events_say_so_in_the_language_of_the_page(world: World, visit: Visit) -> None:
    event(world, "Open stage", "2027-03-10 19:00", cost="0")
    event(world, "Open evening", "2027-03-10 20:00", cost="Free")
    about = [line.text for line in visit("/events/list/2027-03-10/?lang=de").all("p", "about")]
    assert about == ["Kostenlos", "Kostenlos"]
