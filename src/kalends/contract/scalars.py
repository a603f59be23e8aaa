"""The simple types of the interface: how a number, flag, text, date or address is read from what a client sent."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

from kalends.contract import patterns
from kalends.contract.errors import EMPTY, N_, NOT_IN_ENUM, OUT_OF_BOUNDS, WRONG_FORMAT, WRONG_TYPE, Invalid
from kalends.values import cost, dates, markup, names, zones

LARGEST = 2**63 - 1
LONGEST_URL = 2048
LONGEST_EMAIL = 254
LONGEST_SECRET = 255
LONGEST_SEARCH = 500
LONGEST_HTML = 500_000

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
    """How one parameter is read. `null` is what an explicit null means on an update; `shared` is the name under
    which the description of the interface keeps a schema that many parameters have."""

    json: ClassVar[str | None] = "string"
    null: ClassVar[object] = ""
    shared: ClassVar[str] = ""

    def read(self, value: object) -> object:
        raise NotImplementedError

    def cleared(self) -> object:
        return self.null

    def schema(self) -> dict[str, Any]:
        """What is accepted in JSON, as JSON Schema."""
        return {"type": ["string", "number", "boolean"]}

    def form_schema(self) -> dict[str, Any]:
        """What a query or a form can hold of it: text."""
        return self.schema()


class Unspecified(Type):
    """A text that is looked at by other means, or not at all."""

    json: ClassVar[str | None] = None

    def read(self, value: object) -> str:
        return text(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


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
                {"type": "string", "pattern": patterns.padded(patterns.whole(self.minimum, self.maximum))},
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

    def schema(self) -> dict[str, Any]:
        written = patterns.padded(patterns.decimal(int(self.maximum)))
        return {"anyOf": [Number.schema(self), {"type": "string", "pattern": written}, NOTHING]}


@dataclass(frozen=True, slots=True)
class Flag(Type):
    """true/false, 1/0, yes/no, on/off."""

    default: bool = False
    json: ClassVar[str | None] = "boolean"
    shared: ClassVar[str] = "TrueOrFalse"

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
        words = patterns.padded(patterns.words(sorted(TRUE_WORDS | FALSE_WORDS)))
        return {
            "anyOf": [
                {"type": "boolean"},
                {"type": "number", "enum": [0, 1]},
                {"type": "string", "pattern": words},
            ]
        }


class MapFlag(Flag):
    """A flag that the interface declares as a string."""

    json: ClassVar[str | None] = "string"


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


class Date(Fixed):
    """A date and time in any of the accepted forms, not yet placed in a zone."""

    shared: ClassVar[str] = "DateAndTime"

    def read(self, value: object) -> dates.Moment:
        value = single(value)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise Invalid(WRONG_TYPE, N_("must be a date and time such as 2027-03-10 09:00:00."))
        try:
            return dates.read(value)
        except dates.NotADate:
            raise Invalid(WRONG_FORMAT, N_("is not a date and time; write it as 2027-03-10 09:00:00.")) from None

    def schema(self) -> dict[str, Any]:
        texts = self.form_schema()
        first, last = patterns.FIRST_SECOND, patterns.LAST_SECOND
        return {
            "anyOf": [
                *texts["anyOf"],
                {"type": "number", "minimum": first, "exclusiveMaximum": last + 1},
                # Of this size they are milliseconds.
                {"type": "number", "minimum": 10**12, "exclusiveMaximum": 10**13},
                {"type": "number", "minimum": first * 1000, "exclusiveMaximum": 1 - 10**12},
            ],
            "examples": texts["examples"],
        }

    def form_schema(self) -> dict[str, Any]:
        forms = patterns.dates(dates.MONTHS, dates.WEEKDAYS, dates.DAY_WORDS, dates.UNITS)
        return {
            "anyOf": [{"type": "string", "pattern": form} for form in forms],
            "examples": ["2027-03-10 09:00:00", "2027-03-10T09:00:00+01:00"],
        }


class DateFilter(Date):
    """A date in a list's question, for which the interface declares no type."""

    json: ClassVar[str | None] = None


class OptionalDate(Date):
    """A date whose null changes nothing."""

    def cleared(self) -> object:
        return None


class Zone(Type):
    """A time zone; empty stands for the site's."""

    shared: ClassVar[str] = "TimeZone"

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

    def schema(self) -> dict[str, Any]:
        # Not an enum: programs that turn those into constants trip over Etc/GMT+0 and Etc/GMT-0.
        names = "|".join(re.escape(name).replace(r"\-", "-") for name in zones.names())
        offset = "UTC[+-](?:(?:0?[0-9]|1[0-3])(?::[0-5][0-9])?|14(?::00)?)"
        return {
            "type": "string",
            "pattern": patterns.padded(f"(?:{names}|{offset})?"),
            "examples": ["Europe/Paris", "UTC+2"],
        }


class Url(Type):
    """An http(s) address, or nothing."""

    shared: ClassVar[str] = "WebAddress"

    def read(self, value: object) -> str:
        url = text(value).strip()
        if url and not is_web_address(url):
            raise Invalid(WRONG_FORMAT, N_("must be an address that starts with http:// or https://."))
        return url

    def schema(self) -> dict[str, Any]:
        return {
            "type": "string",
            "maxLength": LONGEST_URL,
            "pattern": patterns.padded(f"(?:{WEB_ADDRESS})?"),
            "examples": ["https://example.org/"],
        }


# A plain address; those with other than ASCII letters are taken too.
WEB_ADDRESS = (
    r"https?://[A-Za-z0-9](?:[A-Za-z0-9.-]{0,60}[A-Za-z0-9])?(?::[1-9][0-9]{0,3})?"
    r"(?:[/?#][A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?"
)


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
        if address and (
            len(address) > LONGEST_EMAIL or not address.isprintable() or EMAIL.fullmatch(address) is None
        ):
            raise Invalid(WRONG_FORMAT, N_("must be an e-mail address."))
        return address

    def schema(self) -> dict[str, Any]:
        address = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"
        return {
            "type": "string",
            "maxLength": LONGEST_EMAIL,
            "pattern": patterns.padded(f"(?:{address})?"),
            "examples": ["info@example.org"],
        }


class Cost(Type):
    """A text, a number, or several of them."""

    json: ClassVar[str | None] = None
    shared: ClassVar[str] = "CostText"

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
        negative = r"^\s*[-−] ?[^0-9]{0,5}(?:[0-9]+(?:[.,٫٬'’ ][0-9]+)*|[.,][0-9]+)[^0-9]*$"
        one: dict[str, Any] = {
            "anyOf": [
                {"type": "string", "maxLength": cost.LONGEST_PART, "not": {"pattern": negative}},
                {"type": "number", "minimum": 0, "exclusiveMaximum": float(10**cost.LONGEST_PART)},
            ]
        }
        several = {"type": "array", "items": or_null(one), "maxItems": cost.MOST_PARTS}
        return {"anyOf": [*one["anyOf"], several], "examples": ["$20", 20, ["$10", "$20"]]}


class Image(Type):
    """The id of a stored image, the address of one, or nothing (None)."""

    shared: ClassVar[str] = "ImageReference"

    def read(self, value: object) -> int | str | None:
        value = single(value)
        if value in ("", 0, False) or (isinstance(value, str) and value.strip().lower() in ("", "0", "false")):
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

    def schema(self) -> dict[str, Any]:
        address = patterns.padded(f"(?:{WEB_ADDRESS}|[Ff]alse|0)?")
        return {
            "anyOf": [
                FALSE,
                {"type": "integer", "maximum": 0, "minimum": 0},
                *Whole(1).schema()["anyOf"],
                {"type": "string", "maxLength": LONGEST_URL, "pattern": address},
            ]
        }


class OpenUrl(Url):
    """A web address for which the interface declares no type."""

    json: ClassVar[str | None] = None


class OpenFlag(Flag):
    """A flag for which the interface declares no type."""

    json: ClassVar[str | None] = None


class Double(Number):
    """A number that the interface calls a double."""

    json: ClassVar[str | None] = "double"


# Not as constants: programs that make clients of them take a constant in a choice for the only way.
NOTHING = {"type": "string", "maxLength": 0}
FALSE = {"type": "boolean", "enum": [False]}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [*(schema["anyOf"] if list(schema) == ["anyOf"] else [schema]), {"type": "null"}]}
