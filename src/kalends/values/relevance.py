"""How well a text answers a search: words that are there as they are come first, then beginnings, then parts."""

from collections.abc import Mapping, Sequence

WHOLE, BEGINNING, PART, NOWHERE = range(4)
NO_OTHERS: Mapping[str, Sequence[str]] = {}
MOST_LOOKED_AT = 20  # occurrences of a word in one text: a letter may be in it thousands of times

Rank = tuple[int, int, int, int, int]


def form(word: str, text: str) -> int:
    """How a word stands in a text, at its best place. Both are folded."""
    found, best = text.find(word), NOWHERE
    for _ in range(MOST_LOOKED_AT):
        if found < 0 or best == WHOLE:
            break
        best = min(best, _form_at(text, found, found + len(word)))
        found = text.find(word, found + 1)
    return best


def rank(words: Sequence[str], texts: Sequence[str], others: Mapping[str, Sequence[str]] = NO_OTHERS) -> Rank:
    """The place of a record among those that have all the words; the least is the best. `texts`: its title, then
    others that count for less and less. A word in none of them counts as a part. `others`: of some words, forms that
    are found as well, but come after what has the word itself."""
    forms, places, without = list[int](), list[int](), 0
    for word in words:
        found = [form(word, text) if text else NOWHERE for text in texts]
        best = min(found, default=NOWHERE)
        if best == NOWHERE and word in others:
            without += 1
            found = [min(form(other, text) for other in others[word]) if text else NOWHERE for text in texts]
            best = min(found, default=NOWHERE)
        forms.append(min(best, PART))
        places.append(found.index(best) if best != NOWHERE else len(texts))
    is_apart = len(words) > 1 and " ".join(words) not in texts[0]
    return without, max(forms, default=0), sum(forms), sum(places), int(is_apart)


def _form_at(text: str, start: int, end: int) -> int:
    if start and _is_letter(text[start - 1]) and _is_letter(text[start]):
        return PART
    return BEGINNING if end < len(text) and _is_letter(text[end]) and _is_letter(text[end - 1]) else WHOLE


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
