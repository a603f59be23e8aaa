"""The bar above which two events are taken for one, and the one above which a person is asked, on 700 labelled pairs
(labelled_pairs.py tells how they were made)."""

import subprocess
import sys
from collections import Counter

import pytest
from tests.effort import effort
from tests.features.sources.labelled_pairs import OF_EACH, OF_PLACES, Maker, facts

from kalends.features.sources.duplicates.facts import ComparedFacts
from kalends.features.sources.duplicates.likeness import PERHAPS, SURE, score
from kalends.values import dates

PAIRS = [(one, score(one.one, one.other)) for one in Maker().pairs()]
OF_LABEL = 2 * OF_EACH + OF_PLACES


@pytest.mark.parametrize("seed", [None, *range(effort(2, 10))])
def test_what_is_sure_is_right_and_most_of_it_is_found(seed: int | None) -> None:
    pairs = PAIRS if seed is None else [(one, score(one.one, one.other)) for one in Maker(seed).pairs()]
    assert Counter(pair.same for pair, _ in pairs) == {True: OF_LABEL, False: OF_LABEL}
    sure = [pair for pair, points in pairs if points >= SURE]
    right = sum(pair.same for pair in sure)
    wrong = [(pair.way, pair.one, pair.other) for pair in sure if not pair.same]
    assert right >= 0.995 * len(sure), wrong
    assert right >= 0.9 * OF_LABEL


def test_places_and_single_words_are_never_taken_for_the_same() -> None:
    ways = ("other_town", "other_town_and_street", "other_town_in_one_line", "other_street", "far_on_the_map")
    found = {way: [points for pair, points in PAIRS if pair.way == way] for way in (*ways, "one_word_more")}
    assert all(points and max(points) < SURE for points in found.values()), found
    assert max(found["other_town"]) < PERHAPS or max(found["other_town_and_street"]) < PERHAPS  # nobody is asked


def test_of_what_is_not_sure_people_are_asked() -> None:
    asked = [pair for pair, points in PAIRS if PERHAPS <= points < SURE]
    found = sum(pair.same for pair, points in PAIRS if points >= PERHAPS)
    assert found >= 0.97 * OF_LABEL
    assert sum(not pair.same for pair in asked) <= 0.35 * OF_LABEL  # of two events, how many pairs are asked about


def test_it_is_the_same_from_both_sides() -> None:
    for pair, points in PAIRS:
        assert abs(score(pair.other, pair.one) - points) <= 2, pair


def at(title: str, place: str = "Town Hall", **more: object) -> ComparedFacts:
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
        (at("Führung Rathausturm"), at("Führung Rathaus"), 0, SURE - 1),
        (at("Führung Rathausturm"), at("Tour of the town hall"), 0, SURE - 1),
        (at("Führung", "Rathausturm"), at("Führung", "Rathaus"), 0, SURE - 1),
        (at("Führung Turm", "Rathaus, Turm"), at("Führung", "Rathaus"), 0, SURE - 1),
        (at("Chess for women"), at("Chess for men"), 0, SURE - 1),
        (at("Yoga", towns=["Bruges"]), at("Yoga", towns=["Antwerp"]), 0, PERHAPS - 1),
        (at("Yoga", towns=["Bruges"]), at("Yoga", towns=["Brugge"]), SURE, 200),
        (at("Yoga", towns=["8000 Brugge"]), at("Yoga", street="Markt 1, B-8000 Bruges"), SURE, 200),
        (at("Yoga", towns=["Halle"]), at("Yoga", towns=["Halle (Saale)"]), PERHAPS, SURE - 1),
        (at("Yoga", towns=["Bruges"]), at("Yoga", "Town Hall Antwerp"), 0, SURE - 1),
        (at("Yoga", towns=["Newport"], codes=["1111"]), at("Yoga", towns=["Newport"], codes=["2222"]), 0, SURE - 1),
        (at("Yoga", points=[(51.0, 4.0)]), at("Yoga", points=[(51.01, 4.0)]), PERHAPS, SURE - 1),
        (at("Yoga", points=[(51.0, 4.0)]), at("Yoga", points=[(52.0, 4.0)]), 0, PERHAPS - 1),
        (at("Yoga", points=[(51.0, 179.9999)]), at("Yoga", points=[(51.0, -179.9999)]), SURE, 200),
        (at("Yoga", street="Church Lane 1"), at("Yoga", street="Church Street 1"), PERHAPS, SURE - 1),
        (at("Yoga", street="Main Street 1"), at("Yoga", street="Main Street 11"), PERHAPS, SURE - 1),
        (at("Yoga", street="Main Street 1, Bruges"), at("Yoga", street="Market 2, Antwerp"), 0, PERHAPS - 1),
        (at("?"), at("!"), 0, SURE - 1),
        (at("", places=[]), at("", places=[]), 0, 200),
    ],
)
def test_single_pairs(one: ComparedFacts, other: ComparedFacts, least: int, most: int) -> None:
    assert least <= score(one, other) <= most


def test_a_worker_that_compares_nothing_does_not_load_the_library() -> None:
    code = "import sys, kalends.worker, kalends.features.sources.reading as _; print('rapidfuzz' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
