"""What values of The Events Calendar mean, in its interface and in the export files of WordPress."""

import re
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from kalends.contract.fields import RecordField
from kalends.contract.kinds import EVENT, POSTS, Kind
from kalends.contract.operations.model import COMPAT_NAMESPACE
from kalends.contract.statuses import CANCELLED, DRAFT, EVENT_STATUSES, PUBLISH, STATUSES, TRASH
from kalends.contract.types.scalars import Date, Email, Url
from kalends.contract.types.texts import LONGEST_SOURCE, Html, Line, Slug
from kalends.features.exporting.fields import EXPORTED, is_flag
from kalends.values import zones

NAMESPACE = COMPAT_NAMESPACE
NO_DATE = "0000-00-00"
BEHIND = ("suffix", "postfix", "after")  # positions of a currency
EVENT_STATUS_WORDS = {"canceled": CANCELLED}
# Fields with rules of their own.
OWN_RULES = {"start_date", "end_date", "timezone", "all_day", "cost", "event_status", "tickets", "custom_fields"}
OWN_RULES |= {*(kind.name_field for kind in POSTS)}
# What WordPress has of every post, and what the plugin adds to it.
OF_POSTS = [field for field in EXPORTED[EVENT.name] if field.element]
PLAIN = {
    kind.name: [field for field in EXPORTED[kind.name] if not field.element and field.name not in OWN_RULES]
    for kind in POSTS
}


def source_of(url: str) -> str:
    """What names a site: its host and path. It is the same for its address and for a file that it exported."""
    parts = urlsplit(url if "//" in url else f"//{url}")
    host = (parts.netloc.rpartition("@")[2] or parts.path).lower().removeprefix("www.")
    path = parts.path.strip("/").replace("/", "~") if parts.netloc else ""
    return f"{host}~{path}"[:LONGEST_SOURCE] if path else host[:LONGEST_SOURCE]


def date_of(written: object) -> str | None:
    """A date, or None where the database has none."""
    text = str(written or "").strip()
    return None if not text or text.startswith(NO_DATE) else text


def slug_of(written: object) -> str:
    """Slugs of other scripts are percent-encoded in the database."""
    return unquote(str(written or "")).removesuffix("__trashed")


def status_of(written: object) -> str:
    """A status that is not known, of some other plugin, must not make a record public."""
    status = str(written or PUBLISH)
    return status if status in STATUSES else DRAFT


def is_gone(written: object) -> bool:
    return str(written) == TRASH


def event_status_of(written: object) -> str | None:
    """Whether an event takes place; None for what is not known."""
    status = str(written or "").strip().lower().replace("-", "_")
    status = EVENT_STATUS_WORDS.get(status, status)
    return status if status in EVENT_STATUSES else None


def zone_of(written: object, default: str) -> str:
    return zones.known_zone(str(written or default)) or default


def flag_of(written: object) -> bool:
    return str(written).strip().lower() in ("1", "yes", "true", "on")


def web_address(written: object) -> str:
    """A web address; one without a scheme gets one."""
    text = str(written or "").strip()
    if not text or text.lower().startswith(("http://", "https://")):
        return text
    return f"https://{text}" if re.match(r"[\w-]+(\.[\w-]+)+(/|$)", text) else ""


def priced(cost: str, symbol: str, position: str) -> str:
    """A number with the symbol of its currency; a text has it already."""
    if not symbol or not cost.replace(".", "").replace(",", "").isdigit():
        return cost
    return f"{cost}{symbol}" if position.lower() in BEHIND else f"{symbol}{cost}"


def html_of(written: object) -> str:
    """A text without the comments in which the editor of WordPress keeps its blocks."""
    # Found one by one: a pattern would read to the end again for each comment that is not closed.
    text, kept, after = str(written or ""), list[str](), 0
    while (start := text.find("<!--", after)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[after:start])
        after = end + 3
    return "".join([*kept, text[after:]]).strip()


def plain_fields(kind: Kind, value_of: Callable[[RecordField], object]) -> dict[str, object]:
    """The plain fields of a post, as the site tells each of them; None for what it does not tell. A text that is not
    told is empty, and other fields are as they are without it."""
    found: dict[str, object] = {}
    for field in PLAIN[kind.name]:
        value = value_of(field)
        if isinstance(field.type, Url):
            found[field.name] = web_address(value)
        elif isinstance(field.type, Line | Email):
            found[field.name] = str(value or "")
        elif value is not None:
            found[field.name] = flag_of(value) if is_flag(field) else value
    missing = {field.unit for field in PLAIN[kind.name] if field.unit and field.name not in found}
    return {name: value for name, value in found.items() if kind.field(name).unit not in missing}


def post_fields(kind: Kind, name: str, value_of: Callable[[RecordField], object]) -> dict[str, object]:
    """The fields that events, venues and organizers have in common, as the site tells each of them."""
    fields = {field.name: _read(field, value_of(field)) for field in OF_POSTS}
    return {kind.name_field: name, **{name: value for name, value in fields.items() if value is not None}}


def _read(field: RecordField, value: object) -> str | None:
    match field.type:
        case Html():
            return html_of(value)
        case Slug():
            return slug_of(value)
        case Date():
            return date_of(value)
        case _:
            return status_of(value)
