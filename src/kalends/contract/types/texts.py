"""Texts: names, lines, markup, slugs, words to choose from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.contract.errors import EMPTY, NOT_IN_ENUM, OUT_OF_BOUNDS, WRONG_FORMAT, FieldError
from kalends.contract.types import (
    LONGEST_TEXT,
    Fixed,
    Type,
    check_length,
    check_marks,
    patterns,
    short_text,
    single,
    text,
    too_long,
)
from kalends.languages import N_
from kalends.values import marks, markup, names

LONGEST_SECRET = 255
LONGEST_SOURCE = 200
LONGEST_EXTERNAL_ID = 500
LONGEST_SEARCH = 500
LONGEST_HTML = 200_000
LONGEST_EXCERPT = 20_000
MOST_SIGNS = 2_500  # tags and entities of a text with markup, each of which costs time
MOST_ATTRIBUTES = 2_500  # of these tags
MOST_ADDED = 16 * MOST_SIGNS  # characters of the tags and entities that cleaning adds: none adds more


@dataclass(frozen=True, slots=True)
class Line(Type):
    """One line of plain text: tags, control characters and surplus white space go."""

    longest: int = LONGEST_TEXT

    def read(self, value: object) -> str:
        line = markup.plain(text(value, self.longest))
        check_length(line, self.longest)
        return line

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "number", "boolean"], "maxLength": self.longest}


class SourceName(Line):
    """The name of another calendar or program. It is one part of an address, so it has no slash."""

    def read(self, value: object) -> str:
        line = Line.read(self, value)
        if "/" in line:
            raise FieldError(WRONG_FORMAT, N_("cannot have a slash."))
        return line

    def schema(self) -> dict[str, Any]:
        return Line.schema(self) | {"pattern": "^[^/]*$"}


class Name(Line):
    """A line that cannot be blank."""

    def read(self, value: object) -> str:
        line = Line.read(self, value)
        if not line:
            raise FieldError(EMPTY, N_("cannot be blank."))
        return line

    def cleared(self) -> object:
        raise FieldError(EMPTY, N_("cannot be blank."))

    def schema(self) -> dict[str, Any]:
        schema = Line.schema(self)
        return schema | {"minLength": 1, "pattern": patterns.NOT_BLANK}


@dataclass(frozen=True, slots=True)
class Html(Type):
    """Text with markup, kept to the safe set."""

    longest: int = LONGEST_HTML
    control: ClassVar[str] = "rich"
    display: ClassVar[str] = "html"

    def read(self, value: object) -> str:
        written = self._written(value)
        check_signs(markup.count_signs(written))
        try:
            safe = markup.safe_html(written, MOST_SIGNS, MOST_ATTRIBUTES)
        except markup.TooManySigns:
            raise too_many_signs() from None
        except markup.TooManyAttributes:
            message = N_("must have at most {maximum} attributes in its tags.")
            raise FieldError(OUT_OF_BOUNDS, message, maximum=MOST_ATTRIBUTES) from None
        # What a read returns can be sent again: this limit holds for it too, and the tags that it got do not count.
        check_signs(markup.count_signs(safe))
        if len(written) > self.longest:
            check_length(markup.text_of(safe) if safe == written else written, self.longest)
        if not safe.isascii():
            words = markup.text_of(safe)  # without the markup that may have stood between marks
            check_divided(words)
            check_marks(words)
        return safe

    def _written(self, value: object) -> str:
        """What was sent, which may be what a read returned."""
        value = single(value)
        if isinstance(value, str) and len(value) > self.longest + MOST_ADDED:
            raise too_long(self.longest)
        return short_text(value, self.longest + MOST_ADDED)

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "number", "boolean"], "maxLength": self.longest}


def check_signs(count: int) -> None:
    if count > MOST_SIGNS:
        raise too_many_signs()


def too_many_signs() -> FieldError:
    return FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} tags and entities."), maximum=MOST_SIGNS)


def check_divided(written: str) -> None:
    if marks.divides_into_many(written):
        raise FieldError(
            OUT_OF_BOUNDS,
            N_("must have at most {maximum} characters that Unicode takes apart."),
            maximum=marks.MOST_DIVIDED,
        )


class TermHtml(Html):
    """The description of a term: as other texts with markup, but one line stays a line instead of a paragraph."""

    control: ClassVar[str] = "textarea"

    def read(self, value: object) -> str:
        safe = Html.read(self, value)
        line = safe.removeprefix("<p>").removesuffix("</p>")
        is_one = len(line) == len(safe) - len("<p></p>") and "<p" not in line
        return line if is_one and "<p" not in str(single(value)).lower() else safe


@dataclass(frozen=True, slots=True)
class Secret(Type):
    """A password, exactly as it was sent. `shortest` is checked where a password is set."""

    shortest: int = 0

    def read(self, value: object) -> str:
        return text(value, LONGEST_SECRET)

    def schema(self) -> dict[str, Any]:
        if self.shortest:
            return {"type": ["string", "number"], "minLength": self.shortest, "maxLength": LONGEST_SECRET}
        return {"type": ["string", "number", "boolean"], "maxLength": LONGEST_SECRET}


class Slug(Type):
    """A name in addresses; empty asks for a fresh one."""

    def read(self, value: object) -> str:
        return names.slugify(text(value))


class SlugFilter(Fixed):
    """A slug to find, as it is but for case; never blank."""

    def read(self, value: object) -> str:
        slug = text(value).strip()
        if not slug:
            raise FieldError(EMPTY, N_("cannot be empty."))
        return slug

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "number", "boolean"], "minLength": 1, "pattern": patterns.NOT_BLANK}


class SearchWords(Fixed):
    """Words to search for; never blank."""

    def read(self, value: object) -> str:
        words = " ".join(text(value, LONGEST_SEARCH).replace("\0", " ").split())
        if not words:
            raise FieldError(EMPTY, N_("cannot be blank."))
        return words

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": ["string", "number", "boolean"], "pattern": patterns.NOT_BLANK}
        return schema | {"minLength": 1, "maxLength": LONGEST_SEARCH}


@dataclass(frozen=True, slots=True)
class Choice(Fixed):
    """One of a few words."""

    words: Sequence[str] = ()
    control: ClassVar[str] = "select"
    display: ClassVar[str] = "choice"

    def read(self, value: object) -> str:
        return self.word(text(value).strip().lower())

    def word(self, word: str) -> str:
        if word not in self.words:
            raise FieldError(NOT_IN_ENUM, N_("must be one of: {choices}."), choices=", ".join(self.words))
        return word

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class UsualChoice(Choice):
    """One of a few words; nothing stands for the first of them."""

    def read(self, value: object) -> str:
        return Choice.read(self, value) if text(value).strip() else self.words[0]

    def cleared(self) -> object:
        return self.words[0]


class ExactChoice(Choice):
    """One of a few words, written exactly so."""

    def read(self, value: object) -> str:
        return self.word(text(value))
