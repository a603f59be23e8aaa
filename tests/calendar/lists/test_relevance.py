"""The order of a search by how well events match, and a search of what events are linked to."""

from itertools import chain
from typing import Any

import pytest
from tests.calendar.lists.list_requests import ask, refused
from tests.conftest import World

from kalends.store.query import search_plans
from kalends.values import names, relevance


def listed(world: World, query: str, user: str = "anonymous") -> list[str]:
    answer = ask(world, f"/events?per_page=50&{query}", user)
    assert answer["total"] == len(answer["events"])
    return [event["title"] for event in answer["events"]]


def make(world: World, title: str, day: int, **more: Any) -> int:
    date = f"2027-03-{day:02}"
    made: dict[str, Any] = world.make("events", title=title, start_date=date, end_date=date, **more)
    return int(made["id"])


@pytest.mark.both_stores
def test_whole_words_come_first_then_beginnings_then_parts(world: World) -> None:
    make(world, "Party", 1)
    make(world, "Walk", 2, description="Arthouse")
    make(world, "Artists at work", 3)
    make(world, "Talk", 4, description="About <b>art</b>, and more")
    make(world, "Modern art: a start", 5)
    make(world, "Something else", 6)
    by_date = ["Party", "Walk", "Artists at work", "Talk", "Modern art: a start"]
    assert listed(world, "search=art") == by_date
    best_first = ["Modern art: a start", "Talk", "Artists at work", "Walk", "Party"]
    assert listed(world, "search=ART&orderby=relevance") == best_first
    paged = [listed_page(world, f"search=art&orderby=relevance&per_page=2&page={page}") for page in (1, 2, 3)]
    assert [*chain.from_iterable(paged)] == best_first
    # Equally good ones are by date, in either direction.
    make(world, "Art fair", 9)
    assert listed(world, "search=art&orderby=relevance")[:2] == ["Modern art: a start", "Art fair"]
    assert listed(world, "search=art&orderby=relevance&order=desc")[:2] == ["Art fair", "Modern art: a start"]
    # Words that stand together come before those that stand apart, and what must not occur does not.
    make(world, "Night of art", 10)
    make(world, "An art night", 11)
    assert listed(world, "search=art+night&orderby=relevance") == ["An art night", "Night of art"]
    assert "Art fair" not in listed(world, "search=art+-fair&orderby=relevance")


def listed_page(world: World, query: str) -> list[str]:
    return [event["title"] for event in ask(world, f"/events?{query}")["events"]]


@pytest.mark.both_stores
def test_everything_that_an_event_shows_is_searched(world: World) -> None:
    library = world.make("venues", venue="City Library", address="9 Mill Lane", city="Graz", description="zoo")["id"]
    hidden = world.make("venues", venue="Secret library", status="draft")["id"]
    friends = world.make("organizers", organizer="Friends of the library")["id"]
    make(world, "Reading", 1, venue=library)
    make(world, "Fair", 2, organizer=[friends], categories=["Books & paper"])
    make(world, "The library moves", 3)
    make(world, "Nothing of that", 4, tags=["libraries"])
    make(world, "Behind a password", 5, venue=library, post_password="open me", description="library")
    make(world, "In a draft", 6, venue=library, status="draft")
    make(world, "At a place nobody knows", 7, venue=hidden)
    assert listed(world, "search=library") == ["The library moves"]
    everywhere = "search_in=everything&orderby=relevance"
    assert listed(world, f"search=library&{everywhere}") == ["The library moves", "Reading", "Fair"]
    assert listed(world, "search=library&search_in=everything") == ["Reading", "Fair", "The library moves"]
    assert listed(world, f"search=librar&{everywhere}")[-1] == "Nothing of that"
    # Each word may stand elsewhere; descriptions of venues tell of much else.
    assert listed(world, f"search=reading+graz&{everywhere}") == ["Reading"]
    assert listed(world, f"search=paper+library+fair&{everywhere}") == ["Fair"]
    assert listed(world, f"search=zoo&{everywhere}") == []
    assert listed(world, f"search=library+-friends&{everywhere}") == ["The library moves", "Reading"]
    assert listed(world, f"search=%22mill+lane%22&{everywhere}") == ["Reading"]
    assert listed(world, f"search=-library&{everywhere}") == [
        "Nothing of that",
        "Behind a password",
        "At a place nobody knows",
    ]
    # Two letters are a name, and not the part of one.
    assert listed(world, f"search=of&{everywhere}") == ["Nothing of that", "Fair"]
    assert listed(world, f"search=ty&{everywhere}") == []
    # Who may read them finds them, too.
    for_editors = listed(world, f"search=library&{everywhere}&status=draft,publish", "editor")
    assert {"In a draft", "Behind a password", "At a place nobody knows"} < set(for_editors)
    opened = listed(world, f"search=library&{everywhere}&password=open+me")
    assert "Behind a password" in opened
    series_once = "search=library&collapse=series&search_in=everything&orderby=relevance"
    assert listed(world, series_once) == ["The library moves", "Reading", "Fair"]


def test_hidden_texts_do_not_change_the_order(world: World) -> None:
    """A masked event is found by its title; whether its text has the word as well must not move it."""
    make(world, "Arty evening", 1)
    make(world, "Artful evening", 2, post_password="x", description="art art art")
    assert listed(world, "search=art&orderby=relevance") == ["Arty evening", "Artful evening"]
    assert listed(world, "search=art&orderby=relevance&password=x") == ["Artful evening", "Arty evening"]


def test_of_very_many_those_that_come_first_are_ranked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_plans, "MOST_RANKED", 3)
    for day, title in enumerate(("Party", "Artists", "Art", "Art again", "Start"), 1):
        make(world, title, day)
    best_first = ["Art", "Artists", "Party", "Art again", "Start"]
    assert listed(world, "search=art&orderby=relevance") == best_first
    for size in (1, 2, 4):
        pages = [
            listed_page(world, f"search=art&orderby=relevance&per_page={size}&page={page}")
            for page in range(1, -(-5 // size) + 1)
        ]
        assert [*chain.from_iterable(pages)] == best_first, size


def test_relevance_needs_a_search(world: World) -> None:
    assert refused(world, "/events?orderby=relevance") == ["orderby"]
    assert refused(world, "/events?orderby=relevance&search=") == ["search"]
    assert refused(world, "/events?search=x&search_in=nowhere") == ["search_in"]


def test_forms_of_words() -> None:
    forms = {
        ("art", "modern art."): relevance.WHOLE,
        ("art", "party, start, art"): relevance.WHOLE,
        ("art", "party, artist"): relevance.BEGINNING,
        ("art", "party"): relevance.PART,
        ("art", "music"): relevance.NOWHERE,
        ("c++", "c++ for beginners"): relevance.WHOLE,
        ("%", "100 % cotton"): relevance.WHOLE,
        ("поэзи", "вечер поэзии"): relevance.BEGINNING,
        ("夏", "東京の夏祭り"): relevance.PART,
    }
    assert {(word, text): relevance.form(names.fold(word), names.fold(text)) for word, text in forms} == forms
