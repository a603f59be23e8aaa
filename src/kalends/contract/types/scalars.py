"""Types with a syntax of their own: dates, time zones, addresses, costs and images."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit

from kalends.contract.errors import WRONG_FORMAT, WRONG_TYPE, FieldError
from kalends.contract.json_schema import DATE, Schema, ref
from kalends.contract.types import FALSE, Fixed, Several, Type, is_position, or_null, patterns, repeated, single, text
from kalends.contract.types.numbers import RECORD_REFERENCE, Whole
from kalends.languages import N_
from kalends.values import colours, cost, date_forms, dates, zones

DATE_EXAMPLES = ("2027-03-10 09:00:00", "March 10, 2027 9am")
LONGEST_URL = 2048
NOT_IN_URLS = frozenset(' <>"\\')
LONGEST_EMAIL = 254
EMAIL = re.compile(r"[^\s@<>()\[\],;:\\\"]{1,64}@[^\s@<>()\[\],;:\\\"/.]+(?:\.[^\s@<>()\[\],;:\\\"/.]+)+")


class Date(Fixed):
    """A date and time in any of the accepted forms, not yet placed in a zone."""

    shared: ClassVar[str] = "DateAndTime"
    response_schema: ClassVar[Schema] = DATE
    control: ClassVar[str] = "datetime-local"
    display: ClassVar[str] = "date"

    def read(self, value: object) -> dates.Moment:
        if type(value) is not str:
            value = single(value)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise _not_a_date(WRONG_TYPE, value)
        try:
            return dates.read(value)
        except dates.NotADate:
            raise _not_a_date(WRONG_FORMAT, value) from None

    def schema(self) -> dict[str, Any]:
        texts = self.form_schema()
        return {
            "anyOf": [
                *texts["anyOf"],
                # Eight digits are a day, thirteen are milliseconds.
                {"type": "integer", "minimum": 0, "maximum": 9_999_999},
                {"type": "integer", "minimum": 100_000_000, "maximum": patterns.LAST_SECOND},
                {"type": "integer", "minimum": 10**12, "maximum": 10**13 - 1},
            ],
            "examples": texts["examples"],
        }

    def form_schema(self) -> dict[str, Any]:
        forms = patterns.dates(date_forms.MONTHS, date_forms.WEEKDAYS, date_forms.DAY_WORDS, date_forms.UNITS)
        return {
            "anyOf": [{"type": "string", "pattern": form} for form in forms],
            "examples": ["2027-03-10 09:00:00", "2027-03-10T09:00:00+01:00"],
        }


def _not_a_date(code: str, value: object) -> FieldError:
    first, second = DATE_EXAMPLES
    return FieldError(
        code,
        N_("is not a date and time: “{value}”. Write it like {first} or {second}."),
        value=repeated(value),
        first=first,
        second=second,
    )


class DateFilter(Date):
    """A date in the filter of a list, for which the interface declares no type."""

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
            raise FieldError(
                WRONG_FORMAT, N_("is not a time zone; use a name such as Europe/Paris, UTC or UTC+2.")
            ) from None

    def schema(self) -> dict[str, Any]:
        # Not an enum: generators of clients make the same constant of Etc/GMT+0 and Etc/GMT-0.
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
    control: ClassVar[str] = "url"

    def read(self, value: object) -> str:
        url = text(value, LONGEST_URL).strip()
        if url and not is_web_address(url):
            raise FieldError(WRONG_FORMAT, N_("must be an address that starts with http:// or https://."))
        return url

    def schema(self) -> dict[str, Any]:
        return {
            "type": "string",
            "maxLength": LONGEST_URL,
            "pattern": patterns.padded(f"(?:{WEB_ADDRESS})?"),
            "examples": ["https://example.org/"],
        }


class OpenUrl(Url):
    """A web address for which the interface declares no type."""

    json: ClassVar[str | None] = None


class Color(Type):
    """A colour by its red, green and blue; empty is none."""

    control: ClassVar[str] = "color"

    def read(self, value: object) -> str:
        written = text(value).strip()
        try:
            return colours.parse(written) if written else ""
        except ValueError:
            raise FieldError(WRONG_FORMAT, N_("must be a colour such as #1f6f8b.")) from None

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": "^(#[0-9A-Fa-f]{6}|#[0-9A-Fa-f]{3})?$"}


# A plain address; those with other than ASCII letters are taken too.
WEB_ADDRESS = (
    r"https?://[A-Za-z0-9](?:[A-Za-z0-9.-]{0,60}[A-Za-z0-9])?(?::[1-9][0-9]{0,3})?"
    r"(?:[/?#][A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?"
)


def is_web_address(url: str) -> bool:
    # Of all white space only the blank is printable.
    if len(url) > LONGEST_URL or not url.isprintable() or not NOT_IN_URLS.isdisjoint(url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


class Email(Type):
    """An e-mail address, or nothing."""

    control: ClassVar[str] = "email"

    def read(self, value: object) -> str:
        address = text(value).strip()
        if address and (
            len(address) > LONGEST_EMAIL or not address.isprintable() or EMAIL.fullmatch(address) is None
        ):
            raise FieldError(WRONG_FORMAT, N_("must be an e-mail address."))
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
            raise FieldError(WRONG_TYPE, N_("must be text such as $20, a number, or a list of them.")) from None

    def cleared(self) -> object:
        return []

    def schema(self) -> dict[str, Any]:
        one: dict[str, Any] = {
            "anyOf": [
                {"type": "string", "maxLength": cost.LONGEST_PART, "pattern": cost.NOT_NEGATIVE},
                {"type": "number", "minimum": 0, "exclusiveMaximum": float(10**cost.LONGEST_PART)},
            ]
        }
        several = {"type": "array", "items": or_null(one), "maxItems": cost.MOST_PARTS}
        return {"anyOf": [*one["anyOf"], several], "examples": ["$20", 20, ["$10", "$20"]]}


class Image(Type):
    """The id of a stored image, the address of one, or nothing (None)."""

    shared: ClassVar[str] = "ImageReference"
    response_schema: ClassVar[Schema] = ref("Image")
    control: ClassVar[str] = "image"
    display: ClassVar[str] = "image"

    def read(self, value: object) -> int | str | None:
        value = single(value)
        if isinstance(value, Mapping) and "id" in value:  # an image as a read shows it
            return self._id(value["id"])
        if isinstance(value, str):
            value = text(value, LONGEST_URL)
        if value in ("", 0, False) or (isinstance(value, str) and value.strip().lower() in ("", "0", "false")):
            return None
        if isinstance(value, str) and is_web_address(value.strip()):
            return value.strip()
        return self._id(value)

    def _id(self, value: object) -> int:
        try:
            return Whole(minimum=1).read(value)
        except FieldError:
            raise FieldError(
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
                RECORD_REFERENCE,
            ]
        }

    def form_schema(self) -> dict[str, Any]:
        schema = self.schema()
        return schema | {"anyOf": [choice for choice in schema["anyOf"] if choice.get("type") != "object"]}
