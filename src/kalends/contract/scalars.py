"""Values with a form of their own: dates, zones, addresses, costs and images."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit

from kalends.contract import patterns
from kalends.contract.errors import N_, WRONG_FORMAT, WRONG_TYPE, Invalid
from kalends.contract.numbers import Whole
from kalends.contract.types import FALSE, Fixed, Several, Type, is_position, or_null, single, text
from kalends.values import cost, dates, zones

LONGEST_URL = 2048
LONGEST_EMAIL = 254
EMAIL = re.compile(r"[^\s@<>()\[\],;:\\\"]{1,64}@[^\s@<>()\[\],;:\\\"/.]+(?:\.[^\s@<>()\[\],;:\\\"/.]+)+")


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
        url = text(value, LONGEST_URL).strip()
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


class OpenUrl(Url):
    """A web address for which the interface declares no type."""

    json: ClassVar[str | None] = None


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
        if isinstance(value, str):
            value = text(value, LONGEST_URL)
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
