"""How much two descriptions of an event are alike: points for title, start, place and what else is told of them.

From SURE on they are taken for one event, from PERHAPS on a person is asked. What would make a mistake costly is
counted strictly: another start, another room, another number in the title (*Part 2*), a much longer event at the same
place are never sure, however alike the rest is.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit

from kalends.features.sources.duplicates.facts import Facts
from kalends.features.sources.duplicates.words import MEANINGS, SILENT
from kalends.values import distinctions, names

SURE, PERHAPS = 86, 62
TITLE = 60  # points of the same title
SAME_START, SAME_DAY, NEAR_START = 20, 12, 6
NEAR = 60  # minutes between two starts that may be the same: doors, and the beginning
SAME, ALIKE, UNKNOWN, OTHER, OTHER_ROOM = 20, 14, 6, -20, -40  # of two places
SAME_ORGANIZER, OTHER_ORGANIZER = 6, -4
SAME_ADDRESS, SAME_TEXT, SAME_END, DISTINCT = 15, 10, 3, 5
OTHER_LENGTH = -15  # one lasts much longer
MOST_UNSURE = SURE - 1
HALF = 0.5  # of two titles, less of which is never sure
ALMOST = 0.95  # of two titles whose blanks do not count
FIRST_SIGN = "\u2e80"
SHARED = 55  # percent of the words of titles at different places that are compared at all
NEARLY = 0.8  # what is less, in one language, are two titles
LONG_TITLE = 18  # letters that two events have hardly by chance
LONG_TEXT, TEXT_ALIKE = 60, 88
MEANING = 0.9  # of two words of one meaning
TYPING = 0.75  # how much two words agree that differ by a typing error
SHORTEST_WORD, SHORTEST_PART = 4, 5
TEXT_SHOWN, MOST_WORDS = 500, 24
TRACKING = ("utm_", "fbclid", "gclid", "mc_")


def score(one: Facts, other: Facts) -> int:
    """From 0 to about 120."""
    time = _time(one, other)
    if not time:
        return 0
    place = _place(one, other)
    if place < 0 and not _share_words(one.title, other.title):
        return 0
    linked_names = _words_of(" ".join((*one.places, *other.places, *one.organizers, *other.organizers)))
    title, is_doubtful = _title(one, other, linked_names)
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
    is_doubtful |= title < HALF or place in (OTHER, OTHER_ROOM) or time == NEAR_START
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


def _time(one: Facts, other: Facts) -> int:
    if one.all_day or other.all_day:
        return SAME_DAY if one.day[:10] == other.day[:10] else 0
    apart = abs(one.start - other.start)
    return SAME_START if apart == 0 else NEAR_START if apart <= NEAR else 0


def _length(one: Facts, other: Facts) -> int:
    first, second = one.end - one.start, other.end - other.start
    if one.all_day or other.all_day or first <= 0 or second <= 0:
        return 0
    if one.end == other.end:
        return SAME_END
    return OTHER_LENGTH if max(first, second) > 3 * min(first, second) else 0


def _organizer(one: Facts, other: Facts) -> int:
    if not one.organizers or not other.organizers:
        return 0
    first, second = ({names.searched(name) for name in side.organizers} for side in (one, other))
    return SAME_ORGANIZER if first & second else OTHER_ORGANIZER


def _is_same_text(one: str, other: str) -> bool:
    first, second = one[:TEXT_SHOWN], other[:TEXT_SHOWN]
    least = min(len(first), len(second))
    return least >= LONG_TEXT and _libraries()[0](first[:least], second[:least]) >= TEXT_ALIKE


def _share_words(one: str, other: str) -> bool:
    """Whether two titles have much in common as they are written: a quick look for what is at other places."""
    return bool(_libraries()[2](_searched(one), _searched(other)) >= SHARED)


@cache
def _libraries() -> tuple[Callable[..., float], Callable[..., float], Callable[..., float]]:
    """How much two texts are alike, two words, and the words of two texts: imported with the first comparison."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import OSA

    return fuzz.ratio, OSA.normalized_similarity, fuzz.token_set_ratio


@lru_cache(maxsize=8192)
def _searched(text: str) -> str:
    return names.searched(text)


# Titles


def titles_agree(one: Facts, other: Facts) -> float:
    """How much two titles agree, from 0 to 1."""
    return _title(one, other, ())[0]


def _title(one: Facts, other: Facts, linked_names: Collection[str]) -> tuple[float, bool]:
    """How much two titles agree, from 0 to 1, and whether each has something that tells it from the other."""
    first, second = _searched(one.title), _searched(other.title)
    if first == second:
        return 1.0, not first
    mine, theirs = _words_of(first), _words_of(second)
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
    found, left, left_there, is_translated = _matched(mine, theirs)
    left, left_there = ([word for word in words if word not in linked_names] for words in (left, left_there))
    whole = 2 * found + sum(map(_weight, left)) + sum(map(_weight, left_there))
    agree = 2 * found / whole if whole else 0.0
    if agree and not (left and left_there):  # the one is the other with more words
        agree = max(agree, 0.78 + 0.2 * agree)
    elif left and left_there:
        agree *= 0.9
    differs = bool(left and left_there and not is_translated and agree < NEARLY)
    joined = _joined(first, second)
    differs = differs and not joined
    if _has_one_letter_words(first + second):
        differs = first not in second and second not in first
    return (agree * 0.5 if is_other else max(agree, joined)), is_other or differs


def _joined(first: str, second: str) -> float:
    """Of titles whose words are divided in another way, or that have none."""
    alike = _libraries()[0](first.replace(" ", ""), second.replace(" ", "")) / 100
    return alike if alike >= (NEARLY if _has_one_letter_words(first) else ALMOST) else 0.0


def _has_one_letter_words(title: str) -> bool:
    """Whether it is written in signs of which one more or less makes another title: Chinese or Japanese."""
    return max(title, default="") >= FIRST_SIGN


def _matched(mine: Sequence[str], theirs: Sequence[str]) -> tuple[float, list[str], list[str], bool]:
    """The weight of words that both have, the others of each, and whether some have only the meaning in common."""
    weight, left, left_there, is_translated = 0.0, list[str](), list(theirs), False
    for word in sorted(mine, key=len, reverse=True):
        best, match = 0.0, ""
        for there in left_there:
            alike = _word_alike(word, there)
            if alike > best:
                best, match = alike, there
        if match:
            left_there.remove(match)
            is_translated |= best == MEANING
            weight += best * (_weight(word) + _weight(match)) / 2
        else:
            left.append(word)
    return weight, left, left_there, is_translated


def _word_alike(one: str, other: str) -> float:
    """From 0 to 1; what is less than a typing error apart counts."""
    if one == other:
        return 1.0
    if min(len(one), len(other)) >= SHORTEST_WORD:
        alike = _libraries()[1](one, other, score_cutoff=TYPING)
        if alike:
            return float(alike)
    meanings = _meanings(one) & _meanings(other)
    if meanings:
        return MEANING
    if min(len(one), len(other)) >= SHORTEST_PART and (one in other or other in one):
        return 0.85
    return 0.0


def _weight(word: str) -> float:
    return min(len(word), 10) * (0.6 if _meanings(word) else 1.0)


def _letters(title: str) -> int:
    return len(names.searched(title).replace(" ", ""))


def _numbers_of_date(one: Facts, other: Facts) -> set[str]:
    """Numbers of a title that only repeat the year or the hour; smaller ones may be those of a part."""
    found = set[str]()
    for day in (one.day, other.day):
        year, hour, minute = day[:4], day[11:13], day[14:16]
        found |= {year, year[2:], f"{hour}{minute}".lstrip("0")}
    return found


@lru_cache(maxsize=8192)
def _meanings(word: str) -> frozenset[int]:
    """What a word means in any language, alone or as a part of a compound."""
    found = {number for number, words in enumerate(MEANINGS) if word in words}
    if not found and (len(word) > SHORTEST_PART or not word.isascii()):
        found = {number for number, words in enumerate(MEANINGS) if any(_is_part(part, word) for part in words)}
    return frozenset(found)


def _is_part(part: str, word: str) -> bool:
    if not part.isascii():
        return len(part) > 1 and part in word
    return len(part) >= SHORTEST_PART and (word.startswith(part) or word.endswith(part))


@lru_cache(maxsize=8192)
def _words_of(text: str) -> Sequence[str]:
    return [word for word in names.searched(text).split() if word not in SILENT or distinctions.number(word)][
        :MOST_WORDS
    ]


# Places


def _place(one: Facts, other: Facts) -> int:
    if not one.places or not other.places:
        named_places = " ".join((*one.places, *other.places))
        titles = names.searched(f"{one.title} {other.title}")
        return ALIKE if named_places and names.searched(named_places) in titles else UNKNOWN
    found = max(_one_place(here, there) for here in one.places for there in other.places)
    if found == OTHER and one.street and names.searched(one.street) == names.searched(other.street):
        return ALIKE
    return found


@lru_cache(maxsize=8192)
def _one_place(one: str, other: str) -> int:
    first, second = names.searched(one), names.searched(other)
    if first == second or first.replace(" ", "") == second.replace(" ", ""):
        return SAME
    mine, theirs = _words_of(first), _words_of(second)
    rooms = [{found for word in words if (found := distinctions.number(word))} for words in (mine, theirs)]
    if rooms[0] - rooms[1] and rooms[1] - rooms[0]:
        return OTHER_ROOM
    mine, theirs = ([word for word in words if not distinctions.number(word)] for words in (mine, theirs))
    weight, left, left_there, _ = _matched(mine, theirs)
    if not weight:
        return OTHER
    if left and left_there:
        shared = weight / (weight + max(sum(map(_weight, left)), sum(map(_weight, left_there))))
        return OTHER_ROOM if shared >= 0.4 else OTHER
    if left or left_there or rooms[0] != rooms[1]:
        return ALIKE
    return OTHER_ROOM if distinctions.are_opposed(first, second) else SAME
