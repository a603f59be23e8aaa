"""Quick choices: a few days from today, flags, and the categories and tags that the owner names."""

from datetime import date

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.site.calendar_html import Element, Visit, World, event, fetch, titles

from kalends.present import conventions
from kalends.site.calendar import calendar_days

LOOK = "/admin/settings/look"

# The tests begin on a Sunday, 2026-11-15.


@pytest.fixture
def town(world: World) -> World:
    event(world, "Today", "2026-11-15 19:00", cost="0")
    event(world, "On Saturday", "2026-11-21 10:00", tags=["For children"])
    event(world, "Next Monday", "2026-11-16 10:00", categories=["Games"], cost="5")
    event(world, "A long one", "2026-11-01 10:00", "2026-11-30 10:00", categories=["Games"])
    return world


def quick(page: Element) -> dict[str, tuple[str, bool]]:
    links = page.one("nav", "quick").all("a")
    return {a.text: (a.attributes["href"], "aria-current" in a.attributes) for a in links}


def test_the_days_from_today_are_lists_that_keep_the_filters(town: World, visit: Visit) -> None:
    """Beside the title of a month there is a link to today already."""
    assert "/events/list/?when=today" in [href for href, _ in quick(visit("/events/list/")).values()]
    offered = quick(visit("/events/month/2027-03/?categories=games&lang=de-DE"))
    assert [href for href, _ in offered.values()] == [
        "/events/list/?categories=games&when=weekend&lang=de",
        "/events/list/?categories=games&when=week&lang=de",
        "/events/month/2027-03/?categories=games&free=true&lang=de",
        "/events/month/2027-03/?categories=games&online=true&lang=de",
    ]
    page = visit("/events/list/?when=today")
    assert (page.one("h1").text, titles(page)) == ("Today", ["A long one", "Today"])
    assert quick(page)["Today"] == ("/events/list/", True)
    # With weeks from Monday the week ends today, else it has just begun.
    assert titles(visit("/events/list/?when=week&lang=de")) == ["A long one", "Today"]
    assert titles(visit("/events/list/?when=week&lang=en")) == ["A long one", "Today", "Next Monday", "On Saturday"]
    assert titles(visit("/events/list/?when=weekend&categories=games")) == ["A long one"]
    assert titles(visit("/events/list/?when=never")) == ["A long one", "Today", "Next Monday", "On Saturday"]


def test_the_weekend_is_that_of_the_reader_s_region() -> None:
    sunday, monday = date(2026, 11, 15), date(2026, 11, 16)
    conventions.use("auto", "auto")
    assert calendar_days.weekend(sunday, "en") == (sunday, sunday)
    assert calendar_days.weekend(monday, "de") == (date(2026, 11, 21), date(2026, 11, 22))
    assert calendar_days.weekend(monday, "ar") == (date(2026, 11, 20), date(2026, 11, 21))


def test_an_empty_weekend_names_the_next_event_after_it(world: World, visit: Visit) -> None:
    event(world, "Later", "2026-11-17 10:00")
    assert "The next event: Later" in visit("/events/list/?when=weekend").one("div", "nothing").text


def test_the_owner_names_categories_and_tags(town: World, visit: Visit) -> None:
    owner = AdminClient(town, "administrator")
    owner.post(LOOK, {"quick_choices": "Free\ngames, For Children"})
    page = visit("/events/list/?layout=cards")
    assert quick(page) == {
        "Free": ("/events/list/?free=true&layout=cards", False),
        "Games": ("/events/list/?categories=games&layout=cards", False),
        "For children": ("/events/list/?tags=for-children&layout=cards", False),
    }
    chosen = visit("/events/list/?tags=for-children")
    assert titles(chosen) == ["On Saturday"]
    assert quick(chosen)["For children"] == ("/events/list/", True)
    assert titles(visit("/events/list/?free=true")) == ["Today"]
    assert "SUMMARY:Today" in fetch(town, "/events.ics?free=true").text
    owner.post(LOOK, {"quick_choices": ""})
    assert not visit("/events/list/").all("nav", "quick")


def test_a_quick_choice_that_names_nothing_is_refused(town: World, visit: Visit) -> None:
    owner, before = AdminClient(town, "administrator"), town.count()
    refused = owner.post(LOOK, {"quick_choices": "today\nGamse, <b>\nGames", "footer_text": "New"}, status=400).text
    problem = error_beside(refused, "quick_choices")
    assert problem == "There is no category or tag of this name: Gamse, &lt;b&gt;."
    assert "Gamse, &lt;b&gt;\nGames</textarea>" in refused, "what was typed stays"
    assert town.count() == before
    # A category that has no events yet is there already.
    town.make("categories", name="Straßenfest")
    owner.post(LOOK, {"quick_choices": "Today\nSTRASSENFEST\nfor-children\nTODAY"})
    assert list(quick(visit("/events/list/"))) == ["Today", "For children"]


def test_what_ended_with_the_last_midnight_is_counted_as_it_is_listed(world: World, visit: Visit) -> None:
    """A list has the window of the interface, in which it belongs to today; a page of the day does not show it."""
    event(world, "Until midnight", "2026-11-14 20:00", "2026-11-15 00:00", categories=["Games"])
    event(world, "At midnight", "2026-11-15 00:00", "2026-11-15 00:00", categories=["Games"])

    def shown(path: str) -> tuple[int, str]:
        page = visit(path)
        (games,) = [label for label in page.one("details", "filters").all("label") if label.all("bdi")]
        return len(page.one("main").all("a", "name")), games.one("span", "count").text

    for query in ("", "&free=false", "&search=midnight"):
        assert shown(f"/events/list/?when=today{query}") == (2, "2")
    assert shown("/events/day/2026-11-15/") == (1, "1")
