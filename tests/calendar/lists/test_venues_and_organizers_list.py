"""GET /venues and GET /organizers, rule by rule; search has its own file."""

from urllib.parse import parse_qs, urlsplit

import pytest
from tests.calendar.lists.list_requests import ask, make, names, refused

from kalends.contract.kinds import ORGANIZER, VENUE

both = pytest.mark.parametrize("kind", [VENUE, ORGANIZER], ids=lambda kind: kind.plural)


@both
def test_newest_first_then_by_id(world, kind):
    for name, date in (("b", "2020-01-02"), ("c", "2020-01-02"), ("d", "2020-01-01"), ("a", "2020-01-03")):
        make(world, kind, name, date=date)
    assert names(world, f"/{kind.plural}") == ["a", "b", "c", "d"]


@both
def test_pages_links_and_headers(world, kind):
    for name in "abcde":
        make(world, kind, name)
    path = f"/{kind.plural}"
    pages = [ask(world, f"{path}?per_page=2&page={n}&search=-z") for n in (1, 2, 3)]
    assert [[r[kind.name_field] for r in page[kind.plural]] for page in pages] == [["a", "b"], ["c", "d"], ["e"]]
    assert {(page["total"], page["total_pages"]) for page in pages} == {(5, 3)}
    assert ask(world, pages[0]["next_rest_url"]) == pages[1]
    assert ask(world, pages[2]["previous_rest_url"]) == pages[1]
    assert ask(world, pages[1]["previous_rest_url"]) == pages[0]
    assert "next_rest_url" not in pages[2]
    assert "previous_rest_url" not in pages[0]
    response = world.get(f"{path}?per_page=2")
    assert (response.headers["X-TEC-Total"], response.headers["X-TEC-TotalPages"]) == ("5", "3")
    beyond = world.get(f"{path}?per_page=2&page=4")
    assert (beyond.status_code, beyond.json()["code"]) == (404, f"{kind.name}-archive-page-not-found")
    assert parse_qs(urlsplit(ask(world, f"{path}?per_page=500")["rest_url"]).query)["per_page"] == ["100"]


@both
def test_nothing_found_is_an_empty_first_page(world, kind):
    answer = ask(world, f"/{kind.plural}")
    assert (answer[kind.plural], answer["total"], answer["total_pages"]) == ([], 0, 0)


@both
def test_wrong_and_empty_values_are_refused_with_their_name(world, kind):
    for field in kind.filters:
        assert refused(world, f"/{kind.plural}?{field.name}=", "editor") == [field.name]
    for query, name in (
        ("page=0", "page"),
        ("per_page=0", "per_page"),
        ("event=999", "event"),
        ("event=x", "event"),
        ("has_events=abc", "has_events"),
        ("only_with_upcoming=2", "only_with_upcoming"),
        ("status=any", "status"),
        ("status=draft", "status"),
    ):
        assert refused(world, f"/{kind.plural}?{query}") == [name], query


@both
def test_those_of_an_event(world, kind):
    a, b = make(world, kind, "a"), make(world, kind, "b")
    make(world, kind, "c")
    event = world.make("events", **{kind.name: [b, a]})["id"]
    assert sorted(names(world, f"/{kind.plural}?event={event}")) == ["a", "b"]
    empty = world.make("events")["id"]
    assert names(world, f"/{kind.plural}?event={empty}") == []
    other = make(world, kind, "no event")
    assert refused(world, f"/{kind.plural}?event={other}") == ["event"]


@both
def test_those_of_an_event_that_is_protected_are_hidden(world, kind):
    a = make(world, kind, "a")
    event = world.make("events", "author", post_password="x", **{kind.name: [a]})["id"]
    assert names(world, f"/{kind.plural}?event={event}") == []
    assert names(world, f"/{kind.plural}?event={event}", "author") == ["a"]
    draft = world.make("events", "author", status="draft", **{kind.name: [a]})["id"]
    assert refused(world, f"/{kind.plural}?event={draft}") == ["event"]
    assert names(world, f"/{kind.plural}?event={draft}", "author") == ["a"]


@both
def test_an_unreadable_one_is_not_shown_with_its_event(world, kind):
    a = make(world, kind, "a", "author", status="draft")
    event = world.make("events", "author", **{kind.name: [a]})["id"]
    assert names(world, f"/{kind.plural}?event={event}") == []
    assert names(world, f"/{kind.plural}?event={event}", "author") == ["a"]


@both
def test_with_and_without_events_that_the_caller_may_see(world, kind):
    for name, event in (
        ("public", {}),
        ("past", {"start_date": "2001-01-01", "end_date": "2001-01-02"}),
        ("draft", {"status": "draft"}),
        ("hidden", {"hide_from_listings": True}),
        ("protected", {"post_password": "x"}),
        ("none", None),
    ):
        id = make(world, kind, name)
        if event is not None:
            world.make("events", "author", **event, **{kind.name: [id]})
    trashed = make(world, kind, "trashed")
    world.delete(f"/events/{world.make('events', 'author', **{kind.name: [trashed]})['id']}", "author")
    anonymous, owners = {"public", "past", "hidden"}, {"public", "past", "draft", "hidden", "protected"}
    everything = owners | {"none", "trashed"}
    for who, visibility in (
        ("anonymous", anonymous),
        ("subscriber", anonymous),
        ("other_author", anonymous),
        ("author", owners),
        ("editor", owners),
    ):
        assert set(names(world, f"/{kind.plural}?has_events=true", who)) == visibility, who
        assert set(names(world, f"/{kind.plural}?has_events=false", who)) == everything - visibility, who
        assert ask(world, f"/{kind.plural}?has_events=1", who)["total"] == len(visibility), who


@both
def test_upcoming_is_what_has_not_ended_to_the_second(world, kind):
    for name, start, end, zone in (
        ("over", "2026-11-15 01:00:00", "2026-11-15 12:00:00", "UTC"),
        ("a second left", "2026-11-15 01:00:00", "2026-11-15 12:00:01", "UTC"),
        ("over in Tokyo", "2026-11-15 01:00:00", "2026-11-15 20:59:59", "Asia/Tokyo"),
        ("on in Honolulu", "2026-11-14 01:00:00", "2026-11-15 02:00:01", "Pacific/Honolulu"),
        ("to come", "2030-01-01 00:00:00", "2030-01-01 01:00:00", "UTC"),
    ):
        id = make(world, kind, name)
        world.make("events", start_date=start, end_date=end, timezone=zone, **{kind.name: [id]})
    make(world, kind, "without")
    expected = {"a second left", "on in Honolulu", "to come"}
    assert set(names(world, f"/{kind.plural}?only_with_upcoming=true")) == expected
    assert set(names(world, f"/{kind.plural}?only_with_upcoming=true", "editor")) == expected
    assert ask(world, f"/{kind.plural}?only_with_upcoming=false")["total"] == 6
    world.clock.move(seconds=1)
    assert set(names(world, f"/{kind.plural}?only_with_upcoming=true")) == {"to come"}


@both
def test_statuses(world, kind):
    for status in ("publish", "draft", "pending", "private", "future"):
        make(world, kind, status, "author", status=status, **({"date": "2030-01-01"} if status == "future" else {}))
    trash = make(world, kind, "trash", "author")
    world.delete(f"/{kind.plural}/{trash}", "author")
    own = {"publish", "draft", "pending", "private", "future"}
    for who, query, expected in (
        ("anonymous", "", {"publish"}),
        ("subscriber", "?status=publish", {"publish"}),
        ("contributor", "", {"publish"}),
        ("contributor", "?status=draft,trash", set()),
        ("author", "", own),
        ("author", "?status=trash", {"trash"}),
        ("editor", "", own),
        ("editor", "?status[]=draft&status[]=trash", {"draft", "trash"}),
    ):
        answer = ask(world, f"/{kind.plural}{query}", who)
        assert {record[kind.name_field] for record in answer[kind.plural]} == expected, (who, query)
        assert answer["total"] == len(expected), (who, query)


@both
def test_filters_combine_with_and(world, kind):
    a, b = make(world, kind, "north hall"), make(world, kind, "south hall")
    event = world.make("events", **{kind.name: [a]})["id"]
    world.make("events", **{kind.name: [b]}, start_date="2001-01-01", end_date="2001-01-02")
    query = f"search=hall&event={event}&has_events=true&only_with_upcoming=true&status=publish"
    assert names(world, f"/{kind.plural}?{query}") == ["north hall"]
    assert names(world, f"/{kind.plural}?search=south&event={event}") == []
