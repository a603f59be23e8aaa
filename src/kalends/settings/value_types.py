"""The kinds of settings: how written text becomes a checked value, what is accepted, and the control in the admin."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from kalends.languages import LANGUAGES, N_
from kalends.values import appearance_texts, colours
from kalends.values.zones import canonical_zone

T = TypeVar("T")
Network = IPv4Network | IPv6Network

LONGEST_TEXT = 2000


class ReasonedError(ValueError):
    """A value that is not accepted, with the reason: it is shown before "accepted: …"."""


@dataclass(frozen=True)
class ValueType(Generic[T]):
    """How the text of a setting becomes its value."""

    accepts: str
    parse: Callable[[str], T]
    problem: str = ""  # what a person is told in the admin about a value that is not accepted
    widget: str = "text"  # a macro of admin/setting_fields.html
    choices: tuple[tuple[str, str], ...] = ()  # value and label
    separator: str = ""  # between the items of a list; empty where there is only one value


def text(low: int, high: int, problem: str = "") -> ValueType[str]:
    def parse(written: str) -> str:
        # Control characters, lone surrogates and line breaks would end up in headers, logs and feeds.
        unwritable = any(unicodedata.category(character) in appearance_texts.UNWRITABLE for character in written)
        if unwritable or not low <= len(written) <= high:
            raise ValueError
        return written

    least = f"{low} to " if low else "at most "
    return ValueType(f"one line of {least}{high} characters", parse, problem)


def whole(low: int, high: int) -> ValueType[int]:
    def parse(written: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", written) or not low <= int(written) <= high:
            raise ValueError
        return int(written)

    return ValueType(f"a whole number from {low} to {high}", parse)


def number(low: float, high: float) -> ValueType[float]:
    def parse(written: str) -> float:
        # Not all that `float` reads is meant by people: 1_0, inf, nan.
        if not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,12})?", written) or not low <= float(written) <= high:
            raise ValueError
        return float(written)

    return ValueType(f"a number from {low:g} to {high:g}", parse)


def choice(options: Mapping[str, str] | Sequence[str], problem: str = "", widget: str = "choice") -> ValueType[str]:
    """One of some words; those with a label are offered in the admin."""
    known = {option.casefold(): option for option in options}
    labelled = tuple(options.items()) if isinstance(options, Mapping) else ()

    def parse(written: str) -> str:
        try:
            return known[written.replace("-", "_").casefold()]
        except KeyError:
            raise ValueError from None

    return ValueType("one of " + ", ".join(options), parse, problem, widget, labelled)


def matching(pattern: str, accepts: str, problem: str = "", widget: str = "text") -> ValueType[str]:
    """A text of this form, kept as it was written."""

    def parse(written: str) -> str:
        if not re.fullmatch(pattern, written, re.ASCII):
            raise ValueError
        return written

    return ValueType(accepts, parse, problem, widget)


def code(letters: int, accepts: str, problem: str, widget: str) -> ValueType[str]:
    """A code of letters such as USD, or nothing."""
    written_so = matching(f"(?:[A-Za-z]{{{letters}}})?", accepts)
    return ValueType(accepts, lambda written: written_so.parse(written).upper(), problem, widget)


def checked(check: Callable[[str], object], accepts: str, problem: str, widget: str = "textarea") -> ValueType[str]:
    """A text, kept as it was written, for which `check` raises no reason; empty is accepted."""

    def parse(written: str) -> str:
        try:
            if written:
                check(written)
        except ValueError as reason:
            raise ReasonedError(str(reason)) from None
        return written

    return ValueType(accepts, parse, problem, widget)


def _yes_or_no(written: str) -> bool:
    words = {"true": True, "yes": True, "on": True, "1": True}
    words |= {"false": False, "no": False, "off": False, "0": False}
    if written.lower() not in words:
        raise ValueError
    return words[written.lower()]


def _size(written: str) -> int:
    match = re.fullmatch(r"([0-9]{1,12})\s*([KMG]?)(?:i?B)?", written, re.IGNORECASE | re.ASCII)
    if not match:
        raise ValueError
    size = int(match[1]) << 10 * " KMG".index(match[2].upper() or " ")
    if not 1024 <= size <= 1024**3:
        raise ValueError
    return size


def _size_or_none(written: str) -> int:
    return 0 if written.strip() == "0" else _size(written)


def _path(written: str) -> Path:
    if not written or "\0" in written:
        raise ValueError
    try:
        return Path(written).expanduser()
    except RuntimeError:
        raise ReasonedError("there is no such home folder") from None


def _database(written: str) -> str:
    if re.match(r"postgres(ql)?:", written, re.IGNORECASE):
        return _postgresql(written)
    if written == "sqlite:///:memory:":
        raise ReasonedError("the workers share one database, which has to be a file")
    if written and not re.fullmatch(r"sqlite:///[^\0?]*[^\0?/]", written):
        raise ValueError
    return written


def _postgresql(written: str) -> str:
    """The address of a server; what else it says is read by the driver."""
    match = re.fullmatch(r"postgres(?:ql)?(://[^\s/?]*/[^\s/?]+(?:\?\S*)?)", written, re.IGNORECASE)
    if match is None:
        raise ReasonedError("this is not the address of a PostgreSQL database")
    return "postgresql" + match[1]


def _replicas(written: str) -> tuple[str, ...]:
    # Hosts are separated by commas within one address, so addresses are by spaces.
    return tuple(_postgresql(address) for address in written.split())


def _base_url(written: str) -> str:
    if not written:
        return written
    if not re.fullmatch(r"https?://[a-z0-9.:\[\]-]+(/[\w.~%-]+)*", written, re.IGNORECASE | re.ASCII):
        raise ValueError
    parts = urlsplit(written)
    # Asking for the port is what checks it.
    if not parts.hostname or parts.port == 0:
        raise ValueError
    return written


def _currency_symbol(written: str) -> str:
    # A digit beside a price would be read as part of it.
    if any(character.isdigit() for character in written):
        raise ValueError
    return text(0, 8).parse(written)


def _networks(written: str) -> tuple[Network, ...]:
    return tuple(ip_network(item.strip()) for item in written.split(",") if item.strip())


def _contacts(written: str) -> tuple[str, ...]:
    found = tuple(part.strip() for part in written.split(",") if part.strip())
    for contact in found:
        if (
            not contact.startswith(("mailto:", "https://", "tel:"))
            or not contact.isascii()
            or not contact.isprintable()
        ):
            raise ValueError(written)
        if " " in contact or len(contact) > 500:
            raise ValueError(written)
    return found


def _password(written: str) -> str:
    if written and not 8 <= len(written) <= 1000:
        raise ValueError
    # A password that cannot be encoded could be set but never typed.
    written.encode()
    return written


def _colour(written: str) -> str:
    return colours.parse(written) if written else ""


def _lines(written: str) -> str:
    if len(written) > LONGEST_TEXT or not all(appearance_texts.is_plain(line) for line in written.splitlines()):
        raise ValueError
    return written


YES_OR_NO = ValueType("true or false (also yes, no, on, off, 1, 0)", _yes_or_no, N_("Choose yes or no."), "flag")
SIZE = ValueType("a size from 1K to 1G such as 10MB or 512K, where K is 1024 bytes", _size)
SIZE_OR_NONE = ValueType(SIZE.accepts, _size_or_none)
PATH = ValueType("the path of a folder", _path)
DATABASE = ValueType("nothing, sqlite:///path, or postgresql://user:password@host:port/name", _database)
REPLICAS = ValueType(
    "addresses such as postgresql://user:password@host:port/name, with spaces between", _replicas, separator=" "
)
# The bucket's name as S3 has it, then folders; no part starts with a dot, as in the names of the images.
MEDIA = matching(
    r"(s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[\w-][\w.-]*){0,20})?", "nothing, or s3://bucket, or s3://bucket/folder"
)
REGION = matching(r"[a-z0-9-]{0,63}", "nothing, or a name such as eu-central-1")
BASE_URL = ValueType("nothing, or an http or https address without a slash at the end", _base_url)
ROOT_PATH = matching(
    r"(/(?!\.{1,2}(/|$))[\w.~-]+)+", "a path such as /api, with a slash at the start and none at the end"
)
NETWORKS = ValueType("addresses or networks such as 10.0.0.0/8, with commas between", _networks, separator=",")
CONTACTS = ValueType(
    "addresses that begin with mailto:, https: or tel:, with commas between", _contacts, separator=","
)
PASSWORD = ValueType("8 to 1000 characters", _password)

ZONE = ValueType(
    "a name such as Europe/Berlin, or UTC, or an offset such as UTC+2",
    canonical_zone,
    N_("Choose a time zone from the list."),
    "zone",
)
LANGUAGE = choice(LANGUAGES, N_("Choose a language from the list."), "language")
SYMBOL = ValueType(
    "at most 8 characters, none of them a digit",
    _currency_symbol,
    N_("Write at most 8 characters, none of them a digit."),
    "short",
)
CURRENCY = code(
    3, "a code of three letters such as USD, or nothing", N_("Choose a currency from the list."), "currency"
)
COUNTRY = code(2, "a code of two letters such as IE, or nothing", N_("Choose a country from the list."), "country")
COLOUR = ValueType(
    "nothing, or a colour such as #a5281b", _colour, N_("Write a colour such as #a5281b, or nothing."), "color"
)
LINKS = checked(
    appearance_texts.links,
    "lines of a name and an address that begins with https://, http://, mailto: or /",
    N_("Write one link a line: its name, then an address that begins with https:// or /."),
)
LINES = ValueType(
    f"lines of together at most {LONGEST_TEXT} characters", _lines, N_("Write at most 2000 characters."), "textarea"
)
QUICK = checked(
    appearance_texts.quick_names,
    f"at most {appearance_texts.MOST_LINKS} names, on lines or between commas",
    N_("Write at most 12 names, one a line."),
)
CSS = checked(
    appearance_texts.check_css,
    "a style sheet without @import, HTML and addresses of other hosts",
    N_("Write CSS without @import, without HTML and without addresses of other hosts."),
)
LOGO = matching(
    r"(?:(?:\w[\w-]*/)*\w[\w.-]*\.(?i:png|jpe?g|gif|webp|avif))?",
    "nothing, or the name of a file of the media library, such as 2026/11/logo.png",
    N_("Choose a picture: PNG, JPEG, GIF or WebP."),
    "picture",
)
TILES = checked(
    appearance_texts.check_tiles,
    "nothing, or an address such as https://tiles.example.org/{z}/{x}/{y}.png",
    N_("Write an https address with the places z, x and y in braces, or nothing."),
    "text",
)
