"""How much two descriptions of an event are alike: points for title, start, place and what else is told of them.

From SURE on they are taken for one event, from PERHAPS on a person is asked. What would make a mistake costly is
counted strictly: another start, another room, town or street, another number in the title (*Part 2*), a word that
only one title has, a much longer event at the same place are never sure, however alike the rest is.
"""

from collections.abc import Collection, Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit

from kalends.features.sources.duplicates import alike_words, places
from kalends.features.sources.duplicates.alike_words import (
    libraries,
    only_in_one,
    searched,
    weight_of,
    words_of,
)
from kalends.features.sources.duplicates.facts import ComparedFacts
from kalends.features.sources.duplicates.words import SILENT
from kalends.values import distinctions, names

SURE, PERHAPS = 86, 62
TITLE = 60  # points of the same title
SAME_START, SAME_DAY, NEAR_START = 20, 12, 6
NEAR = 60  # minutes between two starts that may be the same: doors, and the beginning
SAME_ORGANIZER, OTHER_ORGANIZER = 6, -4
SAME_ADDRESS, SAME_TEXT, SAME_END, DISTINCT = 15, 10, 3, 5
OTHER_LENGTH = -15  # one lasts much longer
MOST_UNSURE = SURE - 1
HALF = 0.5  # of two titles, less of which is never sure
ALMOST = 0.9  # of two titles whose blanks do not count, and how many letters of them are wrong at most
MOST_ERRORS = 2
FIRST_SIGN = "\u2e80"
SHARED = 55  # percent of the words of titles at different places that are compared at all
NEARLY = 0.8  # what is less, in one language, are two titles
LONG_TITLE = 18  # letters that two events have hardly by chance
LONG_TEXT, TEXT_ALIKE = 60, 88
TEXT_SHOWN = 500
TRACKING = ("utm_", "fbclid", "gclid", "mc_")


def score(one: ComparedFacts, other: ComparedFacts) -> int:
    """From 0 to about 120."""
    time = _time(one, other)
    if not time:
        return 0
    place, is_elsewhere = places.compare(one, other)
    if place < 0 and not _share_words(one.title, other.title):
        return 0
    title, is_doubtful = _title(one, other)
    if time + place + TITLE * title + 30 < PERHAPS:
        return 0
    points = time + place + TITLE * title
    points += _organizer(one, other) + _length(one, other)
    if one.website and other.website and address_of(one.website) == address_of(other.website):
        points += SAME_ADDRESS
    if _is_same_text(one.text, other.text):
        points += SAME_TEXT
    if title > 0.9 and min(_letters(one.title), _letters(other.title)) >= LONG_TITLE:
        points += DISTINCT
    is_doubtful |= title < HALF or is_elsewhere or time == NEAR_START
    if is_doubtful or one.rule != other.rule:
        points = min(points, MOST_UNSURE)
    return round(points)


def address_of(url: str) -> str:
    """An address as it is compared: what leads to the same page is one, and the first page of a site is none."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return ""
    query = [pair for pair in parse_qsl(parts.query) if not pair[0].lower().startswith(TRACKING)]
    path = parts.path.rstrip("/")
    asked = f"?{urlencode(query)}" if query else ""
    return f"{host}{path}{asked}" if host and (path or query) else ""


def _time(one: ComparedFacts, other: ComparedFacts) -> int:
    if one.all_day or other.all_day:
        return SAME_DAY if one.day[:10] == other.day[:10] else 0
    apart = abs(one.start - other.start)
    return SAME_START if apart == 0 else NEAR_START if apart <= NEAR else 0


def _length(one: ComparedFacts, other: ComparedFacts) -> int:
    first, second = one.end - one.start, other.end - other.start
    if one.all_day or other.all_day or first <= 0 or second <= 0:
        return 0
    if one.end == other.end:
        return SAME_END
    return OTHER_LENGTH if max(first, second) > 3 * min(first, second) else 0


def _organizer(one: ComparedFacts, other: ComparedFacts) -> int:
    if not one.organizers or not other.organizers:
        return 0
    first, second = ({names.searched(name) for name in side.organizers} for side in (one, other))
    return SAME_ORGANIZER if first & second else OTHER_ORGANIZER


def _is_same_text(one: str, other: str) -> bool:
    first, second = one[:TEXT_SHOWN], other[:TEXT_SHOWN]
    least = min(len(first), len(second))
    return least >= LONG_TEXT and libraries()[0](first[:least], second[:least]) >= TEXT_ALIKE


def _share_words(one: str, other: str) -> bool:
    """Whether two titles have much in common as they are written: a quick look for what is at other places."""
    return bool(libraries()[2](searched(one), searched(other)) >= SHARED)


# Titles


def titles_agree(one: ComparedFacts, other: ComparedFacts) -> float:
    """How much two titles agree, from 0 to 1."""
    return _title(one, other)[0]


def _title(one: ComparedFacts, other: ComparedFacts) -> tuple[float, bool]:
    """How much two titles agree, from 0 to 1, and whether one has something that tells it from the other."""
    first, second = searched(one.title), searched(other.title)
    if first == second:
        return 1.0, not first
    mine, theirs = words_of(first), words_of(second)
    numbers = [
        {
            number
            for word in words
            if (number := distinctions.number(word)) and number not in _numbers_of_date(one, other)
        }
        for words in (mine, theirs)
    ]
    is_other = bool(numbers[0] - numbers[1] and numbers[1] - numbers[0])
    mine, theirs = ([word for word in words if not distinctions.number(word)] for words in (mine, theirs))
    found = alike_words.match(mine, theirs)
    linked, linked_there = _linked_names(one, other)
    left = [word for word in found.left if word not in linked_there]
    left_there = [word for word in found.left_there if word not in linked]
    whole = 2 * found.weight + sum(map(weight_of, left)) + sum(map(weight_of, left_there))
    agree = 2 * found.weight / whole if whole else 0.0
    if agree and not (left and left_there):  # the one is the other with more words
        agree = max(agree, 0.78 + 0.2 * agree)
    elif left and left_there:
        agree *= 0.9
    joined = _joined(first, second)
    differs = not joined and _differ(
        _only(left, found.rests, mine, (*theirs, *found.rests_there), linked_there, second),
        _only(left_there, found.rests_there, theirs, (*mine, *found.rests), linked, first),
        is_translated=found.is_translated,
    )
    if _has_one_letter_words(first + second):
        differs = _without(first, linked_there) != _without(second, linked)
    return (agree * 0.5 if is_other else max(agree, joined)), is_other or differs


def _only(
    left: Sequence[str],
    rests: Sequence[str],
    own: Sequence[str],
    text: Sequence[str],
    linked: Sequence[str],
    title: str,
) -> list[str]:
    """The words that only one title has; an article with a wrong letter is none."""
    found = only_in_one((*left, *rests), own, text, linked)
    silent = [word for word in title.split() if word in SILENT]
    return [word for word in found if not alike_words.is_mistyped(word, silent)]


def _linked_names(one: ComparedFacts, other: ComparedFacts) -> list[Sequence[str]]:
    """The words of the places and organizers of each: what the title of the other one can have more. What tells no
    place has that of the other one."""
    found = list[Sequence[str]]()
    for side, opposite in ((one, other), (other, one)):
        found.append(words_of(" ".join((*(side.places or opposite.places), *side.organizers))))
    return found


def _differ(mine: Sequence[str], theirs: Sequence[str], *, is_translated: bool) -> bool:
    """Whether a title has words that the other one lacks. Of two languages, most words are known in neither: each
    then stands for another, but for those whose meaning is known."""
    if not is_translated or not (mine and theirs):
        return bool(mine or theirs)
    return all(any(alike_words.meanings_of(word) for word in words) for words in (mine, theirs))


def _without(title: str, words: Collection[str]) -> str:
    for word in words:
        title = title.replace(word, "")
    return title.replace(" ", "")


def _joined(first: str, second: str) -> float:
    """Of titles whose words are divided in another way, or that have none."""
    mine, theirs = (text.replace(" ", "") for text in (first, second))
    alike = libraries()[0](mine, theirs) / 100
    if _has_one_letter_words(first):
        return alike if alike >= NEARLY else 0.0
    is_divided = len(first.split()) != len(second.split())
    apart = (1 - libraries()[1](mine, theirs)) * max(len(mine), len(theirs), 1)
    return alike if is_divided and alike >= ALMOST and round(apart) <= MOST_ERRORS else 0.0


def _has_one_letter_words(title: str) -> bool:
    """Whether it is written in signs of which one more or less makes another title: Chinese or Japanese."""
    return max(title, default="") >= FIRST_SIGN


def _letters(title: str) -> int:
    return len(names.searched(title).replace(" ", ""))


def _numbers_of_date(one: ComparedFacts, other: ComparedFacts) -> set[str]:
    """Numbers of a title that only repeat the year or the hour; smaller ones may be those of a part."""
    found = set[str]()
    for day in (one.day, other.day):
        year, hour, minute = day[:4], day[11:13], day[14:16]
        found |= {year, year[2:], f"{hour}{minute}".lstrip("0")}
    return found
