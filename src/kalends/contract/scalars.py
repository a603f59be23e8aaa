"""The simple types of the interface: how a number, flag, text, date or address is read from what a client sent."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

from kalends.contract.errors import EMPTY, N_, NOT_IN_ENUM, OUT_OF_BOUNDS, WRONG_FORMAT, WRONG_TYPE, Invalid
from kalends.values import cost, dates, markup, names, zones

LARGEST = 2**63 - 1
LONGEST_URL = 2048

WHOLE_NUMBER = re.compile(r"([+-]?[0-9]{1,40})(?:\.0{1,10})?")
EMAIL = re.compile(r"[^\s@<>()\[\],;:\\\"]{1,64}@[^\s@<>()\[\],;:\\\"/.]+(?:\.[^\s@<>()\[\],;:\\\"/.]+)+")
TRUE_WORDS = frozenset({"true", "1", "yes", "on"})
FALSE_WORDS = frozenset({"false", "0", "no", "off"})


class Several(list[object]):
    """A parameter that came more than once: a list for array types, its last value for the others."""


def single(value: object) -> object:
    return value[-1] if isinstance(value, Several) else value


def is_position(key: object) -> bool:
    return isinstance(key, str) and key.isascii() and key.isdigit()


def text(value: object) -> str:
    """A string, or a JSON number or boolean where a string is expected."""
    value = single(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    raise Invalid(WRONG_TYPE, N_("must be a text."))


@dataclass(frozen=True, slots=True)
class Type:
    """How one parameter is read. `null` is what an explicit null means on an update."""

    json: ClassVar[str | None] = "string"
    null: ClassVar[object] = ""

    def read(self, value: object) -> object:
        raise NotImplementedError

    def cleared(self) -> object:
        return self.null

    def schema(self) -> dict[str, Any]:
        """What is accepted, as JSON Schema."""
        return {"type": ["string", "number", "boolean"]}


class Fixed(Type):
    """A type whose values can never be emptied."""

    def cleared(self) -> object:
        raise Invalid(EMPTY, N_("cannot be empty."))


@dataclass(frozen=True, slots=True)
class Whole(Type):
    """A whole number within bounds."""

    minimum: int = 0
    maximum: int = LARGEST
    json: ClassVar[str | None] = "integer"
    null: ClassVar[object] = 0

    def read(self, value: object) -> int:
        value = single(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        elif isinstance(value, str):
            match = WHOLE_NUMBER.fullmatch(value.strip())
            value = int(match[1]) if match else None
        if not isinstance(value, int) or isinstance(value, bool):
            raise Invalid(WRONG_TYPE, N_("must be a whole number."))
        if value < self.minimum:
            raise Invalid(OUT_OF_BOUNDS, N_("must be {minimum} or more."), minimum=self.minimum)
        if value > self.maximum:
            raise Invalid(OUT_OF_BOUNDS, N_("must be {maximum} or less."), maximum=self.maximum)
        return value

    def schema(self) -> dict[str, Any]:
        return {
            "anyOf": [
                {"type": "integer", "minimum": self.minimum, "maximum": self.maximum},
                {"type": "string", "pattern": "^[+]?[0-9]{1,18}([.]0{1,10})?$"},
            ]
        }


class Reference(Whole):
    """The id of a record that must be there; it can never be emptied."""

    def cleared(self) -> object:
        raise Invalid(EMPTY, N_("cannot be empty."))


@dataclass(frozen=True, slots=True)
class Number(Type):
    """A finite number within bounds."""

    minimum: float = -math.inf
    maximum: float = math.inf
    json: ClassVar[str | None] = "number"
    null: ClassVar[object] = None

    def read(self, value: object) -> float | None:
        value = single(value)
        if isinstance(value, str):
            try:
                value = float(value.strip()) if value.isascii() and "_" not in value else None
            except ValueError:
                value = None
        if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
            raise Invalid(WRONG_TYPE, N_("must be a number."))
        if not self.minimum <= value <= self.maximum:
            raise Invalid(
                OUT_OF_BOUNDS,
                N_("must lie between {minimum} and {maximum}."),
                minimum=self.minimum,
                maximum=self.maximum,
            )
        return float(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": self.minimum, "maximum": self.maximum}


class Coordinate(Number):
    """A number that an empty text removes."""

    def read(self, value: object) -> float | None:
        return None if single(value) == "" else Number.read(self, value)


@dataclass(frozen=True, slots=True)
class Flag(Type):
    """true/false, 1/0, yes/no, on/off."""

    default: bool = False
    json: ClassVar[str | None] = "boolean"

    def read(self, value: object) -> bool:
        value = single(value)
        if isinstance(value, bool):
            return value
        if isinstance(value, int | float) and value in (0, 1):
            return bool(value)
        word = value.strip().lower() if isinstance(value, str) else None
        if word in TRUE_WORDS:
            return True
        if word in FALSE_WORDS:
            return False
        raise Invalid(WRONG_TYPE, N_("must be true or false."))

    def cleared(self) -> object:
        return self.default

    def schema(self) -> dict[str, Any]:
        words = sorted(TRUE_WORDS | FALSE_WORDS)
        return {"anyOf": [{"type": "boolean"}, {"enum": [0, 1]}, {"type": "string", "enum": words}]}


class MapFlag(Flag):
    """A flag that the interface declares as a string."""

    json: ClassVar[str | None] = "string"


@dataclass(frozen=True, slots=True)
class Line(Type):
    """One line of plain text: tags, control characters and surplus white space go."""

    longest: int = 1000

    def read(self, value: object) -> str:
        line = markup.plain(text(value))
        if len(line) > self.longest:
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
        return {"type": ["string", "number", "boolean"], "minLength": 1, "maxLength": self.longest}


class Html(Type):
    """Text with markup, kept to the safe set."""

    def read(self, value: object) -> str:
        return markup.safe_html(text(value))


class TermHtml(Html):
    """The description of a term: as other texts with markup, but one line stays a line instead of a paragraph."""

    def read(self, value: object) -> str:
        safe = Html.read(self, value)
        line = safe.removeprefix("<p>").removesuffix("</p>")
        is_one = len(line) == len(safe) - len("<p></p>") and "<p" not in line
        return line if is_one and "<p" not in text(value).lower() else safe


class Secret(Type):
    """A password, exactly as it was sent."""

    def read(self, value: object) -> str:
        secret = text(value)
        if len(secret) > 255:
            raise Invalid(OUT_OF_BOUNDS, N_("must have at most {maximum} characters."), maximum=255)
        return secret


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


class Search(Fixed):
    """What to look for; never blank."""

    def read(self, value: object) -> str:
        words = " ".join(text(value).replace("\0", " ").split())
        if not words:
            raise Invalid(EMPTY, N_("cannot be blank."))
        if len(words) > 500:
            raise Invalid(OUT_OF_BOUNDS, N_("must have at most {maximum} characters."), maximum=500)
        return words


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


class Date(Fixed):
    """A date and time in any of the accepted forms, not yet placed in a zone."""

    def read(self, value: object) -> dates.Moment:
        value = single(value)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise Invalid(WRONG_TYPE, N_("must be a date and time such as 2027-03-10 09:00:00."))
        try:
            return dates.read(value)
        except dates.NotADate:
            raise Invalid(WRONG_FORMAT, N_("is not a date and time; write it as 2027-03-10 09:00:00.")) from None

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "integer"], "examples": ["2027-03-10 09:00:00", "2027-03-10T09:00:00+01:00"]}


class OptionalDate(Date):
    """A date whose null changes nothing."""

    def cleared(self) -> object:
        return None


class Zone(Type):
    """A time zone; empty stands for the site's."""

    def read(self, value: object) -> str:
        name = text(value).strip()
        if not name:
            return ""
        try:
            return zones.canonical_zone(name)
        except zones.UnknownZone:
            raise Invalid(
                WRONG_FORMAT, N_("is not a time zone; use a name such as Europe/Paris, UTC or UTC+2.")
            ) from None


class Url(Type):
    """An http(s) address, or nothing."""

    def read(self, value: object) -> str:
        url = text(value).strip()
        if url and not is_web_address(url):
            raise Invalid(WRONG_FORMAT, N_("must be an address that starts with http:// or https://."))
        return url


def is_web_address(url: str) -> bool:
    if len(url) > LONGEST_URL or any(c.isspace() or not c.isprintable() or c in '<>"\\' for c in url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


class Email(Type):
    """An e-mail address, or nothing."""

    def read(self, value: object) -> str:
        address = text(value).strip()
        if address and (len(address) > 254 or not address.isprintable() or EMAIL.fullmatch(address) is None):
            raise Invalid(WRONG_FORMAT, N_("must be an e-mail address."))
        return address


class Cost(Type):
    """A text, a number, or several of them."""

    json: ClassVar[str | None] = None

    def read(self, value: object) -> list[str]:
        if isinstance(value, Mapping) and value and all(is_position(key) for key in value):
            value = list(value.values())  # cost[]=10&cost[]=20
        try:
            return cost.read(list(value) if isinstance(value, Several) else value)
        except cost.NotACost:
            raise Invalid(WRONG_TYPE, N_("must be a text such as $20, a number, or a list of them.")) from None

    def cleared(self) -> object:
        return []

    def schema(self) -> dict[str, Any]:
        one = {"type": ["string", "number"]}
        return {"anyOf": [one, {"type": "array", "items": one}]}


class Image(Type):
    """The id of a stored image, the address of one, or nothing (None)."""

    def read(self, value: object) -> int | str | None:
        value = single(value)
        if value in ("", 0, "0", False) or (isinstance(value, str) and not value.strip()):
            return None
        if isinstance(value, str) and is_web_address(value.strip()):
            return value.strip()
        try:
            return Whole(minimum=1).read(value)
        except Invalid:
            raise Invalid(
                WRONG_FORMAT,
                N_("must be the id of an image or an address that starts with http:// or https://."),
            ) from None

    def cleared(self) -> object:
        return None
