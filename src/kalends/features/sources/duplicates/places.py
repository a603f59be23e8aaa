"""How much the places of two events are alike: by their names, addresses, towns and distance. A place of one name in
another town is another one; on another street of one town, or somewhat apart, it is never surely the same."""

import math
import re
from collections.abc import Collection, Sequence
from enum import Enum
from functools import lru_cache

from kalends.features.sources.duplicates import alike_words
from kalends.features.sources.duplicates.alike_words import only_in_one, searched, weight_of, words_of
from kalends.features.sources.duplicates.facts import ComparedFacts
from kalends.features.sources.duplicates.words import STREETS, TOWNS
from kalends.values import distinctions

SAME, ALIKE, UNKNOWN, OTHER, OTHER_ROOM, OTHER_TOWN = 20, 14, 6, -20, -40, -50  # points
AT_ONE_PLACE, IN_OTHER_TOWN = 250, 10_000  # metres: as two maps may have one house; and what no town is wide
EARTH = 6_371_000
ALMOST = 0.85  # of the names of two streets or towns that differ by a typing error
_LINKING = "am an der im in bei ob upon on sur le la les del do da de di aan den op"
LINKING = frozenset(_LINKING.split())
_POSTAL = re.compile(r"^(?:[a-z]{1,2}-)?[0-9]{4,5}(?: [a-z]{2})?\s+", re.IGNORECASE)


class Sameness(Enum):
    """Of addresses, towns or points."""

    AGREE, UNTOLD, DOUBT, OTHER = range(4)


def compare(one: ComparedFacts, other: ComparedFacts) -> tuple[int, bool]:
    """Points, and whether it is doubtful that it is one place."""
    where = _where(one, other)
    if where is Sameness.OTHER:
        return OTHER_TOWN, True
    points, is_doubtful = _by_names(one, other)
    return points, is_doubtful or where is Sameness.DOUBT


def _by_names(one: ComparedFacts, other: ComparedFacts) -> tuple[int, bool]:
    if not one.places or not other.places:
        named_places = " ".join((*one.places, *other.places))
        titles = searched(f"{one.title} {other.title}")
        return (ALIKE if named_places and searched(named_places) in titles else UNKNOWN), False
    # A town that one tells as such may be in the name that the other one has.
    told = [
        " ".join((*side.towns, side.street)) if side.towns or towns_of(side.street) else "" for side in (one, other)
    ]
    if all(told):
        told = ["", ""]
    compared = (_one_place(here, there, *told) for here in one.places for there in other.places)
    found = max(compared, key=lambda place: (place[0], not place[1]))
    if found[0] == OTHER and one.street and searched(one.street) == searched(other.street):
        return ALIKE, False
    return found


@lru_cache(maxsize=8192)
def _one_place(one: str, other: str, told: str, told_there: str) -> tuple[int, bool]:
    """Of two names. `told`, `told_there`: addresses, where only one of them names the town."""
    first, second = searched(one), searched(other)
    if first == second or first.replace(" ", "") == second.replace(" ", ""):
        return SAME, False
    mine, theirs = words_of(first), words_of(second)
    rooms = [{found for word in words if (found := distinctions.number(word))} for words in (mine, theirs)]
    if rooms[0] - rooms[1] and rooms[1] - rooms[0]:
        return OTHER_ROOM, True
    mine, theirs = ([word for word in words if not distinctions.number(word)] for words in (mine, theirs))
    matched = alike_words.match(mine, theirs)
    if not matched.weight:
        return OTHER, True
    if matched.left and matched.left_there:
        rest = max(sum(map(weight_of, matched.left)), sum(map(weight_of, matched.left_there)))
        return (OTHER_ROOM if matched.weight / (matched.weight + rest) >= 0.4 else OTHER), True
    is_doubtful = bool(only_in_one(matched.rests, mine, theirs) or only_in_one(matched.rests_there, theirs, mine))
    if told_there:
        is_doubtful |= bool(only_in_one(matched.left, mine, words_of(told_there)))
    if told:
        is_doubtful |= bool(only_in_one(matched.left_there, theirs, words_of(told)))
    if matched.left or matched.left_there or rooms[0] != rooms[1]:
        return ALIKE, is_doubtful
    return (OTHER_ROOM, True) if distinctions.are_opposed(first, second) else (SAME, is_doubtful)


# Towns, addresses and distances


def _where(one: ComparedFacts, other: ComparedFacts) -> Sameness:
    """What is told beside the names."""
    apart = min((_metres(here, there) for here in one.points for there in other.points), default=None)
    named = [tuple(side.towns) or towns_of(side.street) for side in (one, other)]
    towns, streets = _towns(*named), _streets(one.street, other.street, (*named[0], *named[1]))
    if towns is Sameness.OTHER and apart is not None and apart <= AT_ONE_PLACE:
        towns = Sameness.DOUBT  # a town and its part
    if towns is Sameness.OTHER or (apart is not None and apart > IN_OTHER_TOWN and towns is not Sameness.AGREE):
        return Sameness.OTHER
    is_apart = apart is not None and apart > AT_ONE_PLACE
    codes = [set(map(searched, side.codes)) for side in (one, other)]
    is_other_code = bool(codes[0] and codes[1]) and codes[0].isdisjoint(codes[1])
    if is_apart or is_other_code or streets is Sameness.OTHER or towns is Sameness.DOUBT:
        return Sameness.DOUBT
    return Sameness.AGREE if Sameness.AGREE in (towns, streets) else Sameness.UNTOLD


@lru_cache(maxsize=8192)
def towns_of(street: str) -> tuple[str, ...]:
    """The towns that an address names after its street."""
    parts = [" ".join(part.split()) for part in street.split(",")]
    later = [_POSTAL.sub("", part) for part in parts[1:]]
    return tuple(part for part in later if part and not any(char.isdigit() for char in part))


def _towns(mine: Sequence[str], theirs: Sequence[str]) -> Sameness:
    found = [_one_town(here, there) for here in mine for there in theirs]
    return min(found, key=lambda one: one.value, default=Sameness.UNTOLD)


@lru_cache(maxsize=8192)
def _one_town(one: str, other: str) -> Sameness:
    first, second = (_plain_town(name) for name in (one, other))
    if not first or not second:
        return Sameness.UNTOLD
    bases = _base(first), _base(second)
    known, known_there = (
        _known_town(name) for name in (bases if first in bases or second in bases else (first, second))
    )
    if first == second or known & known_there:
        return Sameness.AGREE
    mine, theirs = (set(name.split()) for name in (first, second))
    if mine <= theirs or theirs <= mine:
        return Sameness.AGREE if mine.symmetric_difference(theirs) & LINKING else Sameness.DOUBT
    alike = alike_words.libraries()[1](first, second)
    return Sameness.DOUBT if alike >= alike_words.TYPING or mine & theirs - LINKING else Sameness.OTHER


def _known_town(name: str) -> set[int]:
    """By the lines of towns."""
    return {number for number, line in enumerate(TOWNS) if name in line}


def _base(name: str) -> str:
    """Without what tells it from another of its name, such as its river."""
    words = name.split()
    return " ".join(words[: next((at for at, word in enumerate(words) if at and word in LINKING), len(words))])


def _plain_town(name: str) -> str:
    """Without a postal code, and with umlauts as they are searched."""
    found = searched(_POSTAL.sub("", name))
    for written, plain in (("ue", "u"), ("oe", "o"), ("ae", "a")):
        found = found.replace(written, plain)
    return found


@lru_cache(maxsize=8192)
def _streets(one: str, other: str, towns: tuple[str, ...]) -> Sameness:
    if not one or not other:
        return Sameness.UNTOLD
    if searched(one) == searched(other):
        return Sameness.AGREE
    mine, theirs = ([part for part in text.split(",") if searched(part)] for text in (one, other))
    mine, theirs = (
        [part for part in parts if all(_one_town(part, town) is not Sameness.AGREE for town in towns)]
        for parts in (mine, theirs)
    )
    found = [_one_street(here, there) for here in mine for there in theirs]
    return min(found, key=lambda one: one.value, default=Sameness.UNTOLD)


def _one_street(one: str, other: str) -> Sameness:
    first, second = (searched(text).split() for text in (one, other))
    numbers = [{word for word in words if any(char.isdigit() for char in word)} for words in (first, second)]
    if numbers[0] and numbers[1] and numbers[0].isdisjoint(numbers[1]):
        return Sameness.OTHER
    mine, theirs = (_street_words(words) for words in (first, second))
    if mine <= theirs or theirs <= mine:
        return Sameness.AGREE
    alike = alike_words.libraries()[0]("".join(sorted(mine)), "".join(sorted(theirs))) / 100
    return Sameness.AGREE if alike >= ALMOST else Sameness.OTHER


def _street_words(words: Collection[str]) -> set[str]:
    """Without numbers, and the kinds of streets as they are shortened or not."""
    found = {STREETS.get(word, word) for word in words if not any(char.isdigit() for char in word)}
    return {f"{word}asse" if word.endswith("str") and len(word) > len("str") else word for word in found}


def _metres(one: tuple[float, float], other: tuple[float, float]) -> float:
    """As on a plane, which is near enough for what is near."""
    (north, east), (there, far) = one, other
    beside = abs(east - far)
    across = min(beside, 360 - beside) * math.cos(math.radians((north + there) / 2))
    return math.radians(math.hypot(north - there, across)) * EARTH
