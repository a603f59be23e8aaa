"""The format of the word index on disk: it has a number, and code that makes other tokens rebuilds the index."""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.conftest import BASE_URL
from tests.store_checks import check

from kalends.calendar.single_records import create_events
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_create
from kalends.contract.kinds import EVENT
from kalends.store.engine import suffix_index
from kalends.store.engine.sqlite import SqliteStore
from kalends.store.search import word_index
from kalends.values import names

WORD = "donaudampfschifffahrtsgesellschaft"
EVERY_TIME = "start_date=1900-01-02&end_date=9999-12-31"
# The tokens of every format there was. New tokens take a new number and add a line here; no line is ever changed.
DIGESTS = {
    1: "3eadfb615f92327256cc832df928a7d6bee62ccd1f76b73858f3081cfaaeecdf",
    2: "114c3be5ab983af1277f8a1b37a43c0cbedcafd7a226e2a0e229ded1a1201dfc",
    3: "0ca78fbf1b7fca261e68d6a694cc34e551caddc3406a272840c48ee79109321e",
}
SAMPLE = (
    ("2027", suffix_index.OPEN, "jazz evening", "a trio\tplays\nstandards, 20:00 — don't miss"),
    ("2027", suffix_index.MASKED, "sealed", "the secret body"),
    ("2027", 0, "draft", "of something"),
    ("", suffix_index.OPEN, "straße", WORD + " Ж" * 3 + "кавказскаяпленница"),
    ("0001", suffix_index.OPEN, "東京の夏祭りと花火大会", "\U0001f389" * 8),
    ("2027", suffix_index.OPEN, "", "~tilde 'quoted' \"double\" \x7f \u00a0 %_*"),
    ("2027", suffix_index.OPEN, "r & b", "at&t & more"),
    ("2027", suffix_index.OPEN, "long", "x" * 50_000),
    ("2027", suffix_index.OPEN, "long", "a " * 24_998),
)


@pytest.fixture
def world(make_world: Any, store_kind: str) -> Any:
    if store_kind != "sqlite":
        pytest.skip("PostgreSQL makes its index of trigrams itself")
    return make_world(cache_size="0")


@pytest.fixture
def other_code(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, int], None]]:
    """Code that makes other tokens, from now on."""

    def change(format: int, longest: int) -> None:
        monkeypatch.setattr(suffix_index, "FORMAT", format)
        monkeypatch.setattr(suffix_index, "LONGEST", longest)
        forget()

    def forget() -> None:
        suffix_index.suffixes.cache_clear()
        suffix_index.lost_and_gained.cache_clear()

    yield change
    forget()


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_index, "TEXTS_AT_ONCE", 2)


def found(world: Any, text: str, kind: str = "events") -> list[int]:
    """The ids that a search finds; their number must be the total."""
    dates = f"&{EVERY_TIME}" if kind == "events" else ""
    answer = world.get(f"/{kind}?search={text}&per_page=50{dates}").json()
    assert answer["total"] == len(answer[kind])
    return sorted(one["id"] for one in answer[kind])


def rebuilt(world: Any) -> int:
    return sum(word_index.rebuild(world.calendar.store))


def is_complete(store: SqliteStore) -> list[bool]:
    with store.read() as session:
        return [word_index.is_complete(session, kind) for kind in ("event", "venue", "organizer")]


def test_a_change_of_the_tokens_needs_a_new_format_number() -> None:
    """Fails when the tokens or the texts change and the number of their format does not."""
    tokens = [
        sorted(suffix_index.suffixes(year, level, names.searched(title), names.searched(body)).split(" "))
        for year, level, title, body in SAMPLE
    ]
    assert hashlib.sha256(repr(tokens).encode()).hexdigest() == DIGESTS[suffix_index.FORMAT]


def test_a_new_store_has_nothing_to_rebuild(world: Any) -> None:
    world.make("events")
    assert is_complete(world.calendar.store) == [True] * 3
    assert rebuilt(world) == 0


@pytest.mark.parametrize("longest", [12, 30])
def test_searches_are_right_before_while_and_after_the_index_is_rebuilt(
    world: Any, other_code: Callable[[int, int], None], small_steps: None, longest: int
) -> None:
    ids = [world.make("events", title=f"{WORD} {number}")["id"] for number in range(7)]
    venue = world.make("venues", venue=WORD)["id"]
    other_code(9, longest)
    # What is renamed, deleted and made by the new code, while the index still has the old tokens.
    world.put(f"/events/{ids[0]}", json={"title": "renamed"})
    world.delete(f"/events/{ids.pop(1)}?force=true")
    ids.append(world.make("events", title=f"new {WORD}")["id"])
    expected = ids[1:]
    assert found(world, WORD) == found(world, "donau") == found(world, "schifffahrt") == expected
    assert found(world, "renamed") == ids[:1]
    assert found(world, WORD, "venues") == [venue]
    steps = 0
    for _ in word_index.rebuild(world.calendar.store):
        assert found(world, WORD) == found(world, "ampfschiff") == expected
        # Others write meanwhile: what the rebuild has passed, and what it has not come to.
        for id in (expected[0], expected[-1]):
            world.put(f"/events/{id}", json={"title": f"{WORD} step {steps}"})
        expected.append(world.make("events", title=WORD)["id"])
        gone = expected.pop(1)
        world.delete(f"/events/{gone}?force=true")
        steps += 1
    assert steps > 4
    assert is_complete(world.calendar.store) == [True] * 3
    assert found(world, WORD) == found(world, "gesellschaft") == expected
    assert found(world, WORD, "venues") == [venue]
    check(world.calendar.store)
    for id in expected:
        world.delete(f"/events/{id}?force=true")
    assert found(world, "gesell") == []
    check(world.calendar.store)


def test_versions_with_different_tokens_can_run_side_by_side(
    world: Any, other_code: Callable[[int, int], None]
) -> None:
    """It writes without touching the index, which then is rebuilt again."""
    ids = [world.make("events", title=f"{WORD} {number}")["id"] for number in range(3)]
    other_code(9, 12)
    assert rebuilt(world) == 3
    other_code(3, 20)
    assert found(world, WORD) == ids
    assert is_complete(world.calendar.store)[0] is False
    world.put(f"/events/{ids[0]}", json={"title": "renamed"})
    other_code(9, 12)
    assert is_complete(world.calendar.store)[0] is False
    assert found(world, WORD) == ids[1:]
    assert rebuilt(world) == 3
    assert found(world, WORD) == ids[1:]
    check(world.calendar.store)


def test_two_processes_rebuild_it_together(
    world: Any, other_code: Callable[[int, int], None], small_steps: None
) -> None:
    ids = [world.make("events", title=f"{WORD} {number}")["id"] for number in range(9)]
    other_code(9, 12)
    other = SqliteStore(world.calendar.store.path)
    both: list[Iterator[int]] = [word_index.rebuild(world.calendar.store), word_index.rebuild(other)]
    done = [next(both[step % 2], 0) for step in range(20)]
    other.close()
    assert sum(done) == len(ids)
    assert found(world, WORD) == ids
    check(world.calendar.store)


def test_long_texts_are_indexed_in_transactions_of_their_own(
    world: Any, other_code: Callable[[int, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_index, "LETTERS_AT_ONCE", 100)
    lengths = (10, 10, 500, 10, 60, 60, 10)
    ids = [world.make("events", title=WORD[:10], description="x " * (length // 2))["id"] for length in lengths]
    other_code(9, 12)
    assert [count for count in word_index.rebuild(world.calendar.store) if count] == [2, 1, 2, 2]
    assert found(world, WORD[:10]) == ids
    check(world.calendar.store)


def test_the_consistency_check_notices_tokens_of_another_length(
    world: Any, other_code: Callable[[int, int], None]
) -> None:
    world.make("events", title=WORD)
    other_code(suffix_index.FORMAT, 12)
    world.make("events", title=WORD)
    with pytest.raises(AssertionError, match="event_words has or lacks"):
        check(world.calendar.store)


def test_a_text_that_changes_in_place_is_found_by_every_part_of_it(world: Any) -> None:
    """Only the tokens that differ are written, and those that stay keep their beginnings in the index."""
    titles = (
        "Songs of Schubert",
        "Songs of Schumann",
        "Soup",
        "A sonata and songs",
        "Zi\u3000ther",
        "Songs of Schubert",
    )
    event = world.make("events", title="Songs", description="Some say: sing something, or so.")["id"]
    for title in titles:
        assert world.put(f"/events/{event}", json={"title": title}).status_code == 200
        words = {word.strip(":,.") for word in f"{title} some say sing something or so".lower().split()}
        parts = {
            word[start:end] for word in words for start in range(len(word)) for end in range(start + 1, start + 4)
        }
        missed = [part for part in sorted(parts) if not found(world, part)]
        assert missed == []
    check(world.calendar.store)


def test_events_that_are_stored_together_are_written_into_the_index_together(world: Any) -> None:
    """In the order of their search rows, whatever their own is: each one that goes back begins another part."""

    def parts() -> int:
        with world.calendar.store.read() as session:
            count: int = session.value("SELECT count(DISTINCT segid) FROM event_words_idx")
        return count

    def store(name: str) -> list[int]:
        days = [3, 1, 4, 2, 5]
        made = [
            {"title": f"{name} {day}", "start_date": f"2027-03-0{day}", "end_date": f"2027-03-0{day}"} for day in days
        ]
        readings = [read_create(EVENT.fields, {**one, "status": "publish"}) for one in made]
        results = create_events(world.calendar, world.caller("administrator"), readings, BASE_URL)
        return [result[0].id for result in results if not isinstance(result, ApiError)]

    before = parts()
    ids = store("waltz")
    assert found(world, "waltz") == sorted(ids)
    assert parts() == before + 1
    check(world.calendar.store)
