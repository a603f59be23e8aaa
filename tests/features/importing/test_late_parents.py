"""Records whose parents come after them get these at the end of an import, in parts that can be stopped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests import parts, store_checks
from tests.conftest import World
from tests.features.importing.conftest import actions, administrator, events_by_title, import_into
from tests.features.importing.test_after_a_merge import document, event, record
from tests.features.importing.test_undoing import content, undo

from kalends.calendar.access import UnitOfWork
from kalends.features.importing import run as importing_run
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.undo import undoing

Save = Callable[[str, str | bytes], Path]
CHILDREN = 5


class Stopped(Exception):
    pass


def family(save: Save) -> KalendsJson:
    """Events and then their parent, and the same with categories; one event has a parent that never comes."""
    events = [event(id, f"Child {id}", post_parent="town/90") for id in range(CHILDREN)]
    lost = event(80, "Lost", post_parent="town/81")
    categories = [record("category", 60 + id, f"Branch {id}", parent="town/70") for id in range(2)]
    return document(save, *categories, record("category", 70, "Root"), *events, lost, event(90, "Parent"))


def children(world: World) -> list[str]:
    """Events that are below the parent."""
    found = events_by_title(world)
    parent = found.get("Parent", {}).get("id")
    return [title for title, one in found.items() if parent and one["post_parent"] == parent]


def branches(world: World) -> list[str]:
    found = {one["name"]: one for one in world.get("/categories?hide_empty=0").json()["categories"]}
    return [name for name, one in found.items() if one["parent"] == found["Root"]["id"]]


def transactions(world: World, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many records each of the following transactions of imports gives a parent."""
    counts: list[int] = []
    transaction, set_parent = importing_run.Import._transaction, importing_run.set_parent

    @contextmanager
    def begun(own: importing_run.Import) -> Iterator[UnitOfWork]:
        counts.append(0)
        with transaction(own) as work:
            yield work
        if not counts[-1]:
            counts.pop()

    def counted(*given: Any) -> None:
        counts[-1] += 1
        set_parent(*given)

    monkeypatch.setattr(importing_run.Import, "_transaction", begun)
    monkeypatch.setattr(importing_run, "set_parent", counted)
    return counts


@pytest.mark.both_stores
def test_parents_that_come_last_are_set_in_parts(world: World, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    parts.make_small(monkeypatch, 3)
    counts = transactions(world, monkeypatch)
    before = content(world)
    import_into(world, family(save))
    assert counts == [3, 3, 2], "two categories, five events and one whose parent never comes"
    assert (len(children(world)), len(branches(world))) == (CHILDREN, 2)
    store_checks.check(world.calendar.store, world.calendar.settings)
    rev = world.count()
    assert set(actions(import_into(world, family(save)))) == {"unchanged"}
    assert world.count() == rev
    assert len(undoing.entries(world.calendar, administrator(world), 5)) == 1
    assert undo(world).unchanged == []
    assert content(world) == before


def test_a_part_ends_when_its_time_is_over(world: World, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    parts.make_small(monkeypatch, 1)
    counts = transactions(world, monkeypatch)
    import_into(world, family(save))
    assert counts == [1] * (CHILDREN + 3), "and each part does one at least"
    assert (len(children(world)), len(branches(world))) == (CHILDREN, 2)


@pytest.mark.both_stores
@pytest.mark.parametrize("done", [1, 2, 3])
def test_an_import_that_was_stopped_between_two_parts_goes_on_there(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    """All records are here then, and the file does not bring any of them again."""
    parts.make_small(monkeypatch, 3)
    before, counts = content(world), transactions(world, monkeypatch)

    def stop(records: int) -> None:
        if not records and len(counts) == done:
            raise Stopped

    with pytest.raises(Stopped):
        import_into(world, family(save), progress=stop)
    assert len(children(world)) == [1, 4, 5][done - 1]
    counts.clear()
    report = import_into(world, family(save))
    assert "an interrupted import goes on where it stopped" in report.remarks
    assert actions(report) == {}
    assert (len(children(world)), len(branches(world))) == (CHILDREN, 2)
    [entry] = undoing.entries(world.calendar, administrator(world), 5)
    assert entry.ended_utc, "it is one import, and at its end"
    undo(world)
    assert content(world) == before


def test_an_import_that_was_stopped_before_its_last_record_knows_all_sources(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes after the interruption has another source than those whose parents are missing."""
    monkeypatch.setattr(importing_run, "BATCH", CHILDREN + 1)
    other = {**event(1, "Elsewhere"), "id": "village/1"}
    events = [event(id, f"Child {id}", post_parent="town/90") for id in range(CHILDREN)]

    def stop(records: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        import_into(world, document(save, *events, event(90, "Parent"), other), progress=stop)
    assert children(world) == []
    import_into(world, document(save, *events, event(90, "Parent"), other))
    assert len(children(world)) == CHILDREN
    assert "Elsewhere" in events_by_title(world)


def test_what_somebody_deletes_between_two_parts_is_no_parent(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts.make_small(monkeypatch, 3)
    counts = transactions(world, monkeypatch)

    def delete(records: int) -> None:
        if not records and len(counts) == 2:
            parent = events_by_title(world)["Parent"]["id"]
            world.delete(f"/events/{parent}?force=true")

    import_into(world, family(save), progress=delete)
    found = events_by_title(world)
    assert "Parent" not in found
    assert found["Child 4"]["post_parent"] == 0
    store_checks.check(world.calendar.store, world.calendar.settings)
