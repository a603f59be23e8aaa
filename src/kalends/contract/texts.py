"""Texts: names, lines, markup, slugs, words to choose from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kalends.contract import patterns
from kalends.contract.errors import EMPTY, N_, NOT_IN_ENUM, OUT_OF_BOUNDS, Invalid
from kalends.contract.types import Fixed, Type, text
from kalends.values import markup, names

LONGEST_SECRET = 255
LONGEST_SEARCH = 500
LONGEST_HTML = 500_000


@dataclass(frozen=True, slots=True)
class Line(Type):
    """One line of plain text: tags, control characters and surplus white space go."""

    longest: int = 1000

    def read(self, value: object) -> str:
        written = text(value)
        line = markup.plain(written)
        if len(written) > self.longest or len(line) > self.longest:
            raise Invalid(OUT_OF_BOUNDS, N_("must have at most {maximum} characters."), maximum=self.longest)
        return line

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "number", "boolean"], "maxLength": self.longest}


class Name(Line):
    """A line that cannot be blank."""

    def read(self, value: object) -> str:
        line = Line.read(self, value)
        if not line:
            raise Invalid(EMPTY, N_("cannot be blank."))
        return line

    def cleared(self) -> object:
        raise Invalid(EMPTY, N_("cannot be blank."))

    def schema(self) -> dict[str, Any]:
        schema = Line.schema(self)
        return schema | {"minLength": 1, "pattern": patterns.NOT_BLANK}


class Html(Type):
    """Text with markup, kept to the safe set."""

    def read(self, value: object) -> str:
        written = text(value)
        if len(written) > LONGEST_HTML:
            raise Invalid(OUT_OF_BOUNDS, N_("must have at most {maximum} characters."), maximum=LONGEST_HTML)
        return markup.safe_html(written)


class TermHtml(Html):
    """The description of a term: as other texts with markup, but one line stays a line instead of a paragraph."""

    def read(self, value: object) -> str:
        safe = Html.read(self, value)
        line = safe.removeprefix("<p>").removesuffix("</p>")
        is_one = len(line) == len(safe) - len("<p></p>") and "<p" not in line
        return line if is_one and "<p" not in text(value).lower() else safe


@dataclass(frozen=True, slots=True)
class Secret(Type):
    """A password, exactly as it was sent. `shortest` is held by who sets it."""

    shortest: int = 0

    def read(self, value: object) -> str:
        secret = text(value)
        if len(secret) > LONGEST_SECRET:
            raise Invalid(OUT_OF_BOUNDS, N_("must have at most {maximum} characters."), maximum=LONGEST_SECRET)
        return secret

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
            raise Invalid(EMPTY, N_("cannot be empty."))
        return slug

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "number", "boolean"], "minLength": 1, "pattern": patterns.NOT_BLANK}


class Search(Fixed):
    """What to look for; never blank."""

    def read(self, value: object) -> str:
        written = text(value)
        words = " ".join(written.replace("\0", " ").split())
        if not words:
            raise Invalid(EMPTY, N_("cannot be blank."))
        if len(written) > LONGEST_SEARCH:
            raise Invalid(OUT_OF_BOUNDS, N_("must have at most {maximum} characters."), maximum=LONGEST_SEARCH)
        return words

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": ["string", "number", "boolean"], "pattern": patterns.NOT_BLANK}
        return schema | {"minLength": 1, "maxLength": LONGEST_SEARCH}


@dataclass(frozen=True, slots=True)
class Choice(Fixed):
    """One of a few words."""

    words: Sequence[str] = ()

    def read(self, value: object) -> str:
        word = text(value).strip().lower()
        if word not in self.words:
            raise Invalid(NOT_IN_ENUM, N_("must be one of: {choices}."), choices=", ".join(self.words))
        return word

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}


class ExactChoice(Choice):
    """One of a few words, written exactly so."""

    def read(self, value: object) -> str:
        word = text(value)
        if word not in self.words:
            raise Invalid(NOT_IN_ENUM, N_("must be one of: {choices}."), choices=", ".join(self.words))
        return word
