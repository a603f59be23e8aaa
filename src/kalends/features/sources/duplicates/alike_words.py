"""How much two words are alike, in one language or in two, and which words only one of two texts has."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from kalends.features.sources.duplicates.words import ENDINGS, MEANINGS, SILENT
from kalends.values import distinctions, names

MEANING = 0.9  # of two words of one meaning
PART = 0.85  # of a word and a compound that has it
TYPING = 0.75  # how much two words agree that differ by a typing error
SHORTEST_WORD, SHORTEST_PART, SHORTEST_REST, SHORTEST_SILENT = 4, 5, 3, 2
MOST_WORDS = 24


class Matched(NamedTuple):
    """The weight of the words that two texts have in common, those that only one has, and what only one has of the
    compounds that they share. `is_translated`: some have only the meaning in common."""

    weight: float
    left: Sequence[str]
    left_there: Sequence[str]
    rests: Sequence[str]
    rests_there: Sequence[str]
    is_translated: bool


@cache
def libraries() -> tuple[Callable[..., float], Callable[..., float], Callable[..., float]]:
    """How much two texts are alike, two words, and the words of two texts: imported with the first comparison."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import OSA

    return fuzz.ratio, OSA.normalized_similarity, fuzz.token_set_ratio


@lru_cache(maxsize=8192)
def searched(text: str) -> str:
    return names.searched(text)


_KNOWN = frozenset(word for line in MEANINGS for word in line)
ARTICLE = "ال"
PREFIXES = (ARTICLE, "l", "d", "")  # articles that are written with their words


def match(mine: Sequence[str], theirs: Sequence[str]) -> Matched:
    weight, left, left_there, is_translated = 0.0, list[str](), list(theirs), False
    rests, rests_there = list[str](), list[str]()
    for word in sorted(mine, key=len, reverse=True):
        best, found = 0.0, ""
        for there in left_there:
            alike = word_alike(word, there)
            if alike > best:
                best, found = alike, there
        if not found:
            left.append(word)
            continue
        left_there.remove(found)
        is_translated |= best == MEANING
        weight += best * (weight_of(word) + weight_of(found)) / 2
        if best in (PART, MEANING):
            rests += _rest(word, found)
            rests_there += _rest(found, word)
    return Matched(weight, left, left_there, rests, rests_there, is_translated)


def only_in_one(
    words: Sequence[str], own: Sequence[str], text: Sequence[str], others: Collection[str] = ()
) -> list[str]:
    """Of some words of a text, those that neither another text nor some names have, not even with an ending, within a
    compound, or in another language. What the text means twice, the other one has to mean twice."""
    meant, meant_there = (Counter(meaning for one in side for meaning in meanings_of(one)) for side in (own, text))
    common = {meaning for meaning, count in meant.items() if count <= meant_there[meaning]}
    return [word for word in words if word not in others and not _is_in(word, text, common)]


def is_mistyped(word: str, known: Collection[str]) -> bool:
    """Whether a short word is one letter apart from one of some words, such as articles."""
    alike = libraries()[1]
    return any(
        round((1 - alike(word, one)) * max(len(word), len(one))) == 1 for one in known if len(one) >= SHORTEST_SILENT
    )


def _is_in(word: str, text: Sequence[str], common: Collection[int]) -> bool:
    if any(word in one if len(word) >= SHORTEST_PART else word == one for one in text):
        return True
    if any(one in word and not _rest(word, one) for one in text if len(one) >= SHORTEST_WORD):
        return True
    meanings = meanings_of(word)
    return bool(meanings) and meanings.issubset(common) and not _rest(word, "")


def _rest(word: str, other: str) -> list[str]:
    """What a compound has beside a word, or beside what it is known to mean; endings do not count."""
    if word == other or (other and word in other) or word in _KNOWN:
        return []
    known = other if other and other in word else ""
    known = known or max((part for part in _KNOWN if _is_part(part, word)), key=len, default="")
    before, _, after = word.partition(known) if known else (word, "", "")
    after = after[1:] if after.startswith("s") and meanings_of(after[1:]) else after
    found = [before] if before not in PREFIXES else []
    found += [after] if after not in ENDINGS else []
    return [rest for rest in found if rest and (len(rest) >= SHORTEST_REST or not rest.isascii())]


def word_alike(one: str, other: str) -> float:
    """From 0 to 1; what is less than a typing error apart counts."""
    if one == other:
        return 1.0
    least, most = sorted((len(one), len(other)))
    if least >= SHORTEST_WORD or (least == SHORTEST_WORD - 1 and most == SHORTEST_WORD):
        alike = libraries()[1](one, other, score_cutoff=TYPING)
        if alike:
            return float(alike)
    if min(len(one), len(other)) >= SHORTEST_PART and (one in other or other in one):
        return PART
    return MEANING if meanings_of(one) & meanings_of(other) else 0.0


def weight_of(word: str) -> float:
    return min(len(word), 10) * (0.6 if meanings_of(word) else 1.0)


@lru_cache(maxsize=8192)
def meanings_of(word: str) -> frozenset[int]:
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
def words_of(text: str) -> Sequence[str]:
    words = [_without_article(word) for word in names.searched(text).split()]
    return [word for word in words if word not in SILENT or distinctions.number(word)][:MOST_WORDS]


def _without_article(word: str) -> str:
    return word.removeprefix(ARTICLE) if len(word) > len(ARTICLE) + 2 else word
