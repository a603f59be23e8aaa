"""The bar above which two events are taken for one, and the one above which a person is asked, on 500 labelled pairs
(labelled_pairs.py tells how they were made)."""

import subprocess
import sys
from collections import Counter

import pytest
from tests.features.sources.labelled_pairs import OF_EACH, Maker, facts

from kalends.features.sources.duplicates.facts import Facts
from kalends.features.sources.duplicates.likeness import PERHAPS, SURE, score
from kalends.values import dates

PAIRS = [(one, score(one.one, one.other)) for one in Maker().pairs()]


def test_what_is_sure_is_right_and_most_of_it_is_found() -> None:
    assert Counter(pair.same for pair, _ in PAIRS) == {True: 2 * OF_EACH, False: 2 * OF_EACH}
    sure = [pair for pair, points in PAIRS if points >= SURE]
    right = sum(pair.same for pair in sure)
    wrong = [(pair.way, pair.one.title, pair.other.title) for pair in sure if not pair.same]
    assert right >= 0.995 * len(sure), wrong
    assert right >= 0.9 * 2 * OF_EACH


def test_of_what_is_not_sure_people_are_asked() -> None:
    asked = [pair for pair, points in PAIRS if PERHAPS <= points < SURE]
    found = sum(pair.same for pair, points in PAIRS if points >= PERHAPS)
    assert found >= 0.97 * 2 * OF_EACH
    assert sum(not pair.same for pair in asked) <= 0.25 * 2 * OF_EACH  # of two events, how many pairs are asked about


def test_it_is_the_same_from_both_sides() -> None:
    for pair, points in PAIRS:
        assert abs(score(pair.other, pair.one) - points) <= 2, pair


def at(title: str, place: str = "Town Hall", **more: object) -> Facts:
    return facts(title, dates.from_text("2027-03-10 19:00:00"), 120, [place])._replace(**more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        (at("Jazz Night"), at("JAZZ NIGHT – sold out"), SURE, 200),
        (at("Orgelkonzert mit Marie Dupont"), at("Concert d'orgue avec Marie Dupont"), SURE, 200),
        (at("حفل موسيقي"), at("حفل موسيقي"), SURE, 200),
        (at("ヨガ教室 初級", "市民会館"), at("ヨガ教室 上級", "市民会館"), 0, SURE - 1),
        (at("Yoga", "Room 1"), at("Yoga", "Room 2"), 0, PERHAPS - 1),
        (at("Yoga"), at("Yoga", rule="RRULE:FREQ=WEEKLY"), PERHAPS, SURE - 1),
        (at("First aid, part I"), at("First aid, part II"), 0, SURE - 1),
        (at("Men's choir"), at("Women's choir"), 0, SURE - 1),
        (at("?"), at("!"), 0, SURE - 1),
        (at("", places=[]), at("", places=[]), 0, 200),
    ],
)
def test_single_pairs(one: Facts, other: Facts, least: int, most: int) -> None:
    assert least <= score(one, other) <= most


def test_a_worker_that_compares_nothing_does_not_load_the_library() -> None:
    code = "import sys, kalends.worker, kalends.features.sources.reading as _; print('rapidfuzz' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
