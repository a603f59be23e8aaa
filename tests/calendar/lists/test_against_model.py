"""The lists beside the second opinion: random calendars, random questions, every page of every answer."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import store_checks
from tests.calendar.lists import model, questions
from tests.calendar.lists.random_calendar import CALLERS, RandomCalendar
from tests.effort import effort

from kalends.calendar.access import Caller, Role
from kalends.calendar.lists.pages import list_events
from kalends.contract.fields import read_query
from kalends.contract.kinds import EVENT

# One calendar serves all tests and examples: a question changes nothing.
usual = settings(
    max_examples=effort(18, 200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
callers = st.sampled_from(CALLERS)

EVENTS = 50


@pytest.fixture(scope="module")
def filled(build_world: Any) -> Callable[[int], RandomCalendar]:
    """The calendar of a seed, made when the first test asks for it."""

    @cache
    def fill(seed: int) -> RandomCalendar:
        calendar = RandomCalendar(build_world(), seed, with_places=True).fill(EVENTS)
        store_checks.check(calendar.world.calendar.store)
        calendar.world.clock.move(hours=1)
        calendar.model.now = calendar.world.clock()
        return calendar

    return fill


@pytest.fixture
def calendar(filled: Callable[[int], RandomCalendar], request: pytest.FixtureRequest) -> RandomCalendar:
    return filled(request.param)


def calendars(usual: int, everything: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("calendar", range(effort(usual, everything)), indirect=True)


@calendars(2, 8)
@usual
@given(data=st.data(), who=callers)
def test_events(calendar: RandomCalendar, data: st.DataObject, who: str) -> None:
    filters = data.draw(questions.event_questions(calendar.model))
    compare(calendar, data, "events", who, filters, model.events(calendar.model, who, filters))


@calendars(1, 3)
@usual
@given(data=st.data(), who=st.just("anonymous") | callers)
def test_searches(calendar: RandomCalendar, data: st.DataObject, who: str) -> None:
    filters = data.draw(questions.event_searches(calendar.model))
    compare(calendar, data, "events", who, filters, model.events(calendar.model, who, filters))


@calendars(1, 3)
@usual
@given(data=st.data(), who=callers)
def test_searches_that_are_not_counted_to_the_end(calendar: RandomCalendar, data: st.DataObject, who: str) -> None:
    """The same pages; the total tells whether there is another one, and is exact up to the number that was named."""
    filters = data.draw(questions.event_searches(calendar.model))
    filters |= {"orderby": data.draw(st.sampled_from(("start_date", "title", "modified")))}
    statuses = data.draw(st.sampled_from((["publish"], ["draft"], ["draft", "publish"]))) if who == "editor" else None
    asked = filters | ({"status": statuses} if statuses else {})
    right = [event.id for event in model.events(calendar.model, who, asked)]
    size, count_to = data.draw(st.sampled_from((1, 3, 20))), data.draw(st.integers(1, 12))
    number = data.draw(st.integers(1, max(1, -(-len(right) // size))))
    sent = dict(data.draw(questions.written(filters))) | {"per_page": str(size), "page": str(number)}
    sent |= {"status": ",".join(statuses)} if statuses else {}
    caller = Caller(calendar.world.ids.get(who, 0), who, Role[who.removeprefix("other_").upper()])
    page, events = calendar.world.calendar.read(
        caller, list_events, read_query(EVENT.filters, sent), count_to=count_to
    )
    assert [event.id for event, _ in events] == right[(number - 1) * size : number * size]
    if len(right) <= max(count_to, number * size):
        assert page.total == len(right)
    else:
        assert max(count_to, number * size) < page.total <= len(right)


@calendars(1, 2)
@usual
@given(data=st.data(), who=callers, plural=st.sampled_from(("venues", "organizers")))
def test_venues_and_organizers(calendar: RandomCalendar, data: st.DataObject, who: str, plural: str) -> None:
    filters = data.draw(questions.place_questions(calendar.model))
    unknown = model.unknown(calendar.model, who, filters)
    right = [] if unknown else model.places(calendar.model, plural.removesuffix("s"), who, filters)
    compare(calendar, data, plural, who, filters, right)


@calendars(1, 4)
@usual
@given(data=st.data(), who=callers, plural=st.sampled_from(("categories", "tags")))
def test_terms(calendar: RandomCalendar, data: st.DataObject, who: str, plural: str) -> None:
    filters = data.draw(questions.term_questions(calendar.model, plural))
    unknown = model.unknown(calendar.model, who, filters)
    right = [] if unknown else model.terms(calendar.model, plural, who, filters)
    compare(calendar, data, plural, who, filters, right)


@pytest.mark.parametrize("seed", range(100, effort(101, 106)))
def test_random_changes_leave_the_store_consistent(make_world: Any, seed: int) -> None:
    """After every few changes: counts, copies and index are what a recount gives, and lists what the model says."""
    calendar = RandomCalendar(make_world(), seed).fill(20)
    for _ in range(effort(6, 12)):
        for _ in range(5):
            calendar.something_happens()
            calendar.world.clock.move(seconds=1)
        calendar.model.now = calendar.world.clock()
        store_checks.check(calendar.world.calendar.store)
        for who in ("anonymous", "other_author", "editor"):
            everything = {"start_date": "1900-01-02", "end_date": "9999-12-31", "show_hidden": "true"}
            filters = {"include": list(calendar.model.events)}
            listed = [e for e in model.events(calendar.model, who, filters) if not e.hidden or model.may_edit(who, e)]
            assert walk(calendar, "events", who, list(everything.items()), 7) == model.pages(listed, 7)
            for plural in ("categories", "tags"):
                right = model.terms(calendar.model, plural, who, {})
                assert walk(calendar, plural, who, [], 3) == model.pages(right, 3)
            for category in calendar.model.categories:
                right = model.events(calendar.model, who, {"categories": [category]})
                assert walk(calendar, "events", who, [("categories", str(category))], 5) == model.pages(right, 5)


def compare(
    calendar: RandomCalendar, data: st.DataObject, plural: str, who: str, filters: model.Filters, right: list[Any]
) -> None:
    """Ids, order, totals and every page are those of the model, or the same parameters are refused."""
    pairs = data.draw(questions.written(filters))
    if unknown := model.unknown(calendar.model, who, filters):
        response = calendar.world.get(f"/{plural}", who, params=pairs)
        assert response.status_code == 400, response.text
        assert sorted(response.json()["data"]["params"]) == unknown
        return
    size = data.draw(questions.SIZES)
    by_number = data.draw(st.booleans())
    if "password" in filters:  # which no link repeats
        by_number = True
    assert walk(calendar, plural, who, pairs, size, by_number=by_number) == model.pages(right, min(size, 100))


def walk(
    calendar: RandomCalendar, plural: str, who: str, pairs: questions.Pairs, size: int, *, by_number: bool = False
) -> list[list[int]]:
    """The ids of every page, by the numbers of the pages or by the links from one to the next."""
    world = calendar.world
    found: list[list[int]] = []
    totals: set[tuple[int, int]] = set()
    response = world.get(f"/{plural}", who, params=[*pairs, ("per_page", str(size))])
    while True:
        assert response.status_code == 200, response.text
        answer = response.json()
        found.append([record["id"] for record in answer[plural]])
        totals.add((answer["total"], answer["total_pages"]))
        if len(found) >= answer["total_pages"]:
            break
        more = {"params": [*pairs, ("per_page", str(size)), ("page", str(len(found) + 1))]} if by_number else {}
        response = world.get(f"/{plural}" if by_number else answer["next_rest_url"], who, **more)
    assert "next_rest_url" not in answer
    count = sum(map(len, found))
    assert totals == {(count, len(found) if count else 0)}
    if plural in ("categories", "tags"):
        for term in answer[plural]:
            assert term["count"] == model.count(calendar.model, plural, who, term["id"])
    return found
