"""Slugs, and the forms of names and texts by which they are found, searched and sorted."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from kalends.values.marks import is_mark, normalized, ranges, without_long_runs

LONGEST = 200
PIECE = 10_000  # characters that are normalized at once
CONTEXT = 4  # characters that may become one: a syllable of Hangul has three

# Latin letters that Unicode does not take apart into a letter and an accent.
_LETTERS = {"æ": "ae", "œ": "oe", "þ": "th", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ħ": "h", "ŧ": "t"}
_LATIN_TABLE = str.maketrans({"ß": "ss"} | _LETTERS)

# Soft hyphens and joiners stand inside a word without dividing it.
_INVISIBLE = re.compile("[\u00ad\u200d\u2060\ufeff]")

# Lone surrogates and NUL fit in no store. They turn into a character that no name has.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
UNSTORABLE = "\ufffd"

# An iota below a letter, the one mark that becomes a letter when its case is folded: its place must be known before.
_IOTA_BELOW = re.compile("[\u0345\u1f80-\u1faf\u1fb2-\u1fb7\u1fbc\u1fc2-\u1fc7\u1fcc\u1ff2-\u1ff7\u1ffc]")

_ASCII_WORDS = re.compile("[0-9a-z]+")

_VIRAMA = 9


def slugify(text: str) -> str:
    """The slug of a title or name; "" when no letter or digit is in it."""
    if text.isascii():
        return _cut("-".join(_ASCII_WORDS.findall(text.lower())), LONGEST)
    letters = normalized("NFC", _INVISIBLE.sub("", text).lower())
    return _cut(_hyphenated(normalized("NFC", _fold_latin(letters))), LONGEST)


def numbered(slug: str, n: int) -> str:
    """The slug's nth namesake: `jazz-2`."""
    return with_ending(slug, f"-{n}")


def with_ending(slug: str, ending: str) -> str:
    """A slug and more. The stem gives way where the two together are too long."""
    return (_cut(slug, LONGEST - len(ending)) + ending).lstrip("-")


def slug_key(slug: str) -> str:
    """What two slugs that differ in case only have in common."""
    return fold(slug)


def sort_key(name: str) -> str:
    """The place of a name in order: compared by code points, it ignores case and accents on every store."""
    if name.isascii() and name.isprintable():
        return " ".join(name.lower().split())[:LONGEST].rstrip()
    # Case first and last: some compatibility forms hide a capital, some capitals hide an accent.
    apart = normalized("NFKD", _storable(name).casefold()).casefold()
    bare = "".join(c for c in apart if unicodedata.combining(c) in (0, _VIRAMA)).translate(_LATIN_TABLE)
    shown = "".join(c for c in bare if c.isspace() or unicodedata.category(c) != "Cc")
    return " ".join(shown.split())[:LONGEST].rstrip()


def fold(text: str) -> str:
    """Text made comparable without regard to case, in any script; a part folds to a part of the whole."""
    if text.isascii():
        return _storable(text.lower())
    return "".join([_fold_piece(piece) for piece in pieces(text)])


def _fold_piece(text: str) -> str:
    if _IOTA_BELOW.search(text):
        text = normalized("NFD", text)
    return normalized("NFC", text.casefold())


def pieces(text: str) -> Iterator[str]:
    """A text that any store can have, in pieces that normalisation changes alone as it does together. Between two of
    them, another thread can run; in one call, some characters take a microsecond each."""
    text, start = without_long_runs(_storable(text)), 0
    while start < len(text):
        end = start + PIECE
        while end < len(text) and not _is_boundary(text[end - CONTEXT : end], text[end]):
            end += 1
        yield text[start:end]
        start = end


def _is_boundary(before: str, after: str) -> bool:
    apart = unicodedata.normalize("NFC", before) + unicodedata.normalize("NFC", after)
    return not is_mark(after) and apart == unicodedata.normalize("NFC", before + after)


def _storable(text: str) -> str:
    return _UNSTORABLE.sub(UNSTORABLE, text)


def _fold_latin(text: str) -> str:
    """Latin letters without their accents; an accent on a letter of another script belongs to that letter."""
    folded: list[str] = []
    after_latin = False
    for char in text:
        if unicodedata.combining(char) and after_latin:
            continue
        plain = char if char.isascii() else _latin(char)
        folded.append(plain)
        after_latin = plain.isascii()
    return "".join(folded)


@lru_cache(maxsize=4096)
def _latin(char: str) -> str:
    """A letter, ligature or digit in its plain Latin writing, or the character itself if it has none."""
    apart = unicodedata.normalize("NFKD", char).lower()
    plain = "".join(c for c in apart if not unicodedata.combining(c)).translate(_LATIN_TABLE)
    return plain if plain and plain.isascii() else char


def _hyphenated(text: str) -> str:
    written: list[str] = []
    inside = False
    for char in text:
        # A mark belongs to the letter before it; without one it is no part of a word.
        kept = char.isalnum() or (inside and _is_mark(char) and not written[-1].isascii())
        if kept:
            if written and not inside:
                written.append("-")
            written.append(char)
        inside = kept or (inside and _is_mark(char))
    return "".join(written)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Mc")


def _cut(slug: str, longest: int) -> str:
    if len(slug) > longest:
        end = longest
        while end and _is_mark(slug[end]):
            end -= 1
        # A "letter" of marks alone is longer than any script writes: cut through it.
        slug = slug[: end or longest]
    return slug.rstrip("-")


# Texts as they are searched: without regard to case, accents, apostrophes and punctuation.
#
# A text and what somebody looks for in it become plain by the same rules, so both stores compare characters only, and
# a part of a text becomes a part of the plain text:
#
# - Letters are those without accents: é is e, ø is o, ß is ss, ё is е. So are full-width letters, ligatures and ².
#   Points of Hebrew and Arabic, which most texts leave out, do not count. Marks that make another letter, as in
#   Japanese, Hangul or the scripts of India, do.
# - Apostrophes and characters that nobody sees are left out: *New Year’s* is `new years`.
# - Other punctuation, signs and white space are a blank: *Ice-Hockey* is `ice hockey`. Emoji are like letters.
# - Four signs stay where they belong to a word: & and @ inside of one (*R&B*, *box@example*), + and # behind one
#   (*C++*). Between two lone letters blanks around & do not count: *R & B* is *R&B*.

_OTHER_LETTERS = re.compile(f"[{''.join(_LETTERS)}]")  # ß is ss in either case anyway
_APOSTROPHES = "'`’‘‛ʼʻʹʽ′‵՚׳ꞌ"
# What compatibility would make of it is no use: a blank and an accent of what is typed as an apostrophe, eighteen
# letters of one.
_TAKEN_BEFORE = {"´": "'", "\ufdfa": " ", "\ufdfb": " "}
# Accents of Latin, Greek and Cyrillic letters, the selectors of variants, points of Hebrew and Arabic, and the line
# that draws Arabic words out.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0670\u06d6-\u06dc]"
)
_SIGNS_OF_WORDS = "&@+#"
_NOT_IN_A_WORD = re.compile(r"(?<![\w\x00])[&@]|[&@](?![\w\x00])|(?<!\w)(?<!\w\+)\+|(?<!\w)#")
_AMPERSAND = re.compile(r"(?<=\b\w) *& *(?=\w\b)")  # between two letters, with the blanks around it
_HAS_SIGN = re.compile(f"[{_SIGNS_OF_WORDS}]")
_NOTHING = "\x00"
_SIGNS = ("Cc", "Cs", "Sc", "Sk", "Sm")  # categories, beside those of punctuation and white space
_FIRST_PLANE = 0x10000
_SKIN_TONES, _TAGS = "\U0001f3fb-\U0001f3ff", "\U000e0001-\U000e007f"  # of emoji, beyond the first plane


def _plain_character(char: str) -> str:
    """What stands for a character in a plain text, which may be nothing."""
    category = unicodedata.category(char)
    if category == "Cf" or char in _APOSTROPHES or _ACCENTS.match(char):  # Cf: joiners, soft hyphens, directions
        return ""
    if char in _SIGNS_OF_WORDS:
        return char
    is_sign = category[0] in "PZ" or category in _SIGNS or (category == "So" and char < "\u0100")
    return " " if is_sign or char == UNSTORABLE else char


_PLAIN_ASCII = {code: _plain_character(chr(code)) or None for code in range(128)}  # None is quicker than ""
_IN_PLACE = {code: plain or _NOTHING for code, plain in _PLAIN_ASCII.items()}


@cache
def _dropped_and_blank() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The characters that nothing and that a blank stands for in a plain text. Most texts have few of them."""
    plain = {code: _plain_character(chr(code)) for code in range(_FIRST_PLANE) if code != ord(" ")}
    left_out, blank = (ranges(code for code, found in plain.items() if found == other) for other in ("", " "))
    return re.compile(f"[{left_out}{_SKIN_TONES}{_TAGS}]+"), re.compile(f"[{blank}]+")


def searched(text: str) -> str:
    """A text of one field as it is searched: words with a blank between two of them."""
    if text.isascii():
        found = text.lower().translate(_PLAIN_ASCII)
    else:
        found = "".join([_plain_piece(piece) for piece in pieces(text)])
    return " ".join(_without_lone_signs(found).replace(_NOTHING, "").split())


def searched_with_positions(text: str) -> tuple[str, list[int]]:
    """The plain text, and for each of its characters the place of the one that it comes from: some become two, and
    others none."""
    if text.isascii():
        found = text.lower().translate(_IN_PLACE)
        places = [at for at, char in enumerate(found) if char != _NOTHING]
        spread = found.replace(_NOTHING, "")
    else:
        spread, places = _spread(text)
    kept, last = list[int](), " "
    spread = _without_lone_signs(spread)
    for at, char in enumerate(spread):
        if char != _NOTHING and not char == last == " ":
            kept.append(at)
            last = char
    return "".join([spread[at] for at in kept]), [places[at] for at in kept]


def _spread(text: str) -> tuple[str, list[int]]:
    """Letter by letter, each with its marks."""
    parts, places, start = list[str](), list[int](), 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not is_mark(text[end]):
            parts.append(_plain_letter(text[start:end]))
            places += [start] * len(parts[-1])
            start = end
    return "".join(parts), places


def _plain_piece(text: str) -> str:
    # Case first and last: some compatibility forms hide a capital.
    for char, other in _TAKEN_BEFORE.items():
        text = text.replace(char, other)
    apart = normalized("NFKD", text.casefold()).casefold()
    left_out, blank = _dropped_and_blank()
    found = blank.sub(" ", left_out.sub("", apart))
    found = _OTHER_LETTERS.sub(lambda letter: _LETTERS[letter[0]], found)
    if found.isascii():
        return found
    parts = [found] if len(found) <= PIECE else pieces(found)  # it may be longer now
    return "".join([unicodedata.normalize("NFC", part) for part in parts])


_plain_letter = lru_cache(4096)(_plain_piece)


def _without_lone_signs(text: str) -> str:
    """A text of the same length, in which nothing stands for the blanks around an & between lone letters."""
    if not _HAS_SIGN.search(text):
        return text
    if "&" in text:
        text = _AMPERSAND.sub(lambda found: found[0].replace(" ", _NOTHING), text)
    return _NOT_IN_A_WORD.sub(" ", text)
