"""Texts that code with other rules made searchable are made anew in the background, on both stores."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.calendar.lists.list_requests import found
from tests.conftest import World, settings_for
from tests.product.moving.conftest import empty_database, other_database
from tests.store_checks import check

from kalends.bootstrap import make_store
from kalends.http.cache.prerender_worker import PrerenderWorker
from kalends.store.copies.copying import copy
from kalends.store.engine.migrating import migrate
from kalends.store.search import word_index
from kalends.values import names

pytestmark = pytest.mark.both_stores
__all__ = ["empty_database", "other_database"]  # fixtures

TEXT = "Été, à la carte; ouvert."
ASKED = {
    "events": {"cafe": {"Café-Language"}, "new years": {"New Year’s Eve"}, "language": {"Café-Language"}},
    "venues": {"zoe": {"Zoë’s"}, "zoes": {"Zoë’s"}},
    "organizers": {"ice hockey": {"Ice-Hockey Club"}},
    "categories": {"fete": {"Fête"}},
    "tags": {"naive art": {"naïve-art"}},
}


@pytest.fixture
def old(world: World) -> World:
    """A calendar whose texts were made by code with other rules."""
    category = world.make("categories", name="Fête")["id"]
    tag = world.make("tags", name="naïve-art")["id"]
    for title in ("Café-Language", "New Year’s Eve"):
        world.make("events", title=title, categories=[category], tags=[tag], description=TEXT)
    world.make("venues", venue="Zoë’s", address="12, rue")
    world.make("organizers", organizer="Ice-Hockey Club")
    with world.calendar.store.write() as session:
        session.run("UPDATE word_index SET format = 1")
        for kind, text in (("event", TEXT), ("venue", "12, rue"), ("organizer", "")):
            for id, name in session.all(f"SELECT id, name FROM {kind}"):
                folded = (names.fold(name), names.fold(text), id)
                session.run(f"UPDATE {kind}_text SET title = ?, body = ? WHERE rowid = ?", folded)
        for kind in ("category", "tag"):
            session.run(f"UPDATE {kind} SET words = ''")
    return world


def answers(world: World) -> dict[str, dict[str, set[str]]]:
    return {plural: {text: found(world, plural, text) for text in asked} for plural, asked in ASKED.items()}


def test_they_are_found_by_what_people_type(old: World) -> None:
    assert found(old, "events", "language") == {"Café-Language"}  # at once
    assert found(old, "events", "cafe") == set()
    old.make("events", title="Written meanwhile: Café")
    worker = PrerenderWorker(old.calendar)
    worker.run()
    assert found(old, "events", "cafe") == {"Café-Language", "Written meanwhile: Café"}
    assert answers(old) == ASKED | {"events": ASKED["events"] | {"cafe": found(old, "events", "cafe")}}
    assert found(old, "events", '"ete a la carte ouvert"') == {"Café-Language", "New Year’s Eve"}
    check(old.calendar.store)
    assert list(word_index.rebuild(old.calendar.store)) == []


def test_another_process_may_make_the_texts_anew_too(old: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_index, "TEXTS_AT_ONCE", 1)
    store = old.calendar.store
    both = [word_index.rebuild(store), word_index.rebuild(store)]
    while [next(one, None) for one in both] != [None, None]:
        assert found(old, "events", "language") == {"Café-Language"}
    assert answers(old) == ASKED
    check(store)


def test_a_copy_makes_them_anew(old: World, empty_database: Callable[[], dict[str, str]], tmp_path: Path) -> None:
    target = make_store(settings_for(tmp_path, **empty_database()))
    migrate(target, "2027-01-01 00:00:00")
    copy(old.calendar.store, target)
    for _ in word_index.rebuild(target):
        pass
    with target.read() as session:
        assert set(session.column("SELECT title FROM event_text")) == {"cafe language", "new years eve"}
        assert all(word_index.is_complete(session, kind) for kind in word_index.SEARCHED)
    target.close()
