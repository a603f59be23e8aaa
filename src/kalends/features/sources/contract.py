"""The tables of sources: what administrators set, and how a source is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

from kalends.contract.errors import OUT_OF_BOUNDS, WRONG_FORMAT, WRONG_TYPE, FieldError
from kalends.contract.fields import Field, extensions
from kalends.contract.json_schema import DATE, FLAG, TEXT, URL, WHOLE, Key, Representation, Schema, many, or_null, ref
from kalends.contract.types import Type, single, text
from kalends.contract.types.lists import elements
from kalends.contract.types.numbers import Flag, Whole
from kalends.contract.types.scalars import LONGEST_URL
from kalends.contract.types.texts import Line, UsualChoice
from kalends.features.sources.login import SourceLogin
from kalends.languages import N_

AT_ONCE, REVIEW = "at_once", "review"
TRASH, CANCEL, KEEP = "trash", "cancel", "keep"
SECONDS = {"m": 60, "h": 3600, "d": 86_400}
SHORTEST, LONGEST, USUAL = 900, 7 * 86_400, 3600
MOST_BACK = MOST_AHEAD = 120  # months
USUAL_BACK, USUAL_AHEAD = 1, 12
MOST_WORDS, LONGEST_WORD = 50, 100
LONGEST_LOGIN = 1000
SCHEMES = ("http", "https", "webcal", "webcals")


@dataclass(frozen=True, slots=True)
class Interval(Type):
    """How often something is done: `15m`, `1h`, `7d`."""

    def read(self, value: object) -> int:
        found = re.fullmatch(r"([0-9]{1,5})([mhd])", text(value, 20).strip().lower())
        if found is None:
            raise FieldError(WRONG_FORMAT, N_("must be an interval such as 15m, 1h or 7d."))
        seconds = int(found[1]) * SECONDS[found[2]]
        if not SHORTEST <= seconds <= LONGEST:
            raise FieldError(OUT_OF_BOUNDS, N_("must be from 15m to 7d."))
        return seconds

    def cleared(self) -> object:
        return USUAL

    def schema(self) -> dict[str, Any]:
        minutes = r"(?:1[5-9]|[2-9][0-9]|[1-9][0-9]{2,3})m"
        return {"type": "string", "pattern": rf"^(?:{minutes}|(?:[1-9]|[1-9][0-9]|1[0-5][0-9]|16[0-8])h|[1-7]d)$"}


def interval_text(seconds: int) -> str:
    unit = next(unit for unit in "dhm" if seconds % SECONDS[unit] == 0)
    return f"{seconds // SECONDS[unit]}{unit}"


@dataclass(frozen=True, slots=True)
class SourceAddress(Type):
    """An address that is read; without a log-in in it."""

    response_schema: ClassVar[Schema] = URL

    def read(self, value: object) -> str:
        written = text(value, LONGEST_URL).strip()
        try:
            parts = urlsplit(written)
            is_address = parts.scheme.lower() in SCHEMES and bool(parts.hostname) and "@" not in parts.netloc
        except ValueError:
            is_address = False
        if not is_address or " " in written or not written.isprintable():
            raise FieldError(WRONG_FORMAT, N_("must be an address that begins with https://, http:// or webcal://."))
        return written

    def cleared(self) -> object:
        return self.read("")

    def schema(self) -> dict[str, Any]:
        pattern = "^(?:https?|webcals?)://[^ @/]+(?:[/?#][^ ]*)?$"
        return {"type": "string", "pattern": pattern, "maxLength": LONGEST_URL}


@dataclass(frozen=True, slots=True)
class LoginType(Type):
    """A name and a password."""

    json: ClassVar[str | None] = "object"
    null: ClassVar[object] = None

    def read(self, value: object) -> SourceLogin | None:
        value = single(value)
        if isinstance(value, str) and not value.strip():
            return None
        if not isinstance(value, Mapping) or not set(value) <= {"user", "password"}:
            raise FieldError(WRONG_TYPE, N_("must be an object with user and password."))
        user, password = (text(value.get(name, ""), LONGEST_LOGIN) for name in ("user", "password"))
        if ":" in user or not user.isprintable() or not password.isprintable():
            raise FieldError(WRONG_FORMAT, N_("has characters that a log-in cannot have."))
        return SourceLogin(user, password) if user or password else None

    def schema(self) -> dict[str, Any]:
        part = {"type": "string", "maxLength": LONGEST_LOGIN}
        return {"type": "object", "properties": {"user": part, "password": part}, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class WindowType(Type):
    """Months back and ahead."""

    json: ClassVar[str | None] = "object"
    null: ClassVar[object] = (USUAL_BACK, USUAL_AHEAD)

    def read(self, value: object) -> tuple[int, int]:
        value = single(value)
        if not isinstance(value, Mapping) or not set(value) <= {"back", "ahead"}:
            raise FieldError(WRONG_TYPE, N_("must be an object with back and ahead, in months."))
        back = Whole(0, MOST_BACK).read(value.get("back", USUAL_BACK))
        return back, Whole(1, MOST_AHEAD).read(value.get("ahead", USUAL_AHEAD))

    def schema(self) -> dict[str, Any]:
        parts = {"back": Whole(0, MOST_BACK).schema(), "ahead": Whole(1, MOST_AHEAD).schema()}
        return {"type": "object", "properties": parts, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class IdsOfRecords(Type):
    """Ids of records, as an array or a comma list; nothing is none."""

    json: ClassVar[str | None] = "array"
    null: ClassVar[object] = ()

    def read(self, value: object) -> list[int]:
        return list(dict.fromkeys(Whole(1).read(one) for one in elements(value, split_inside=True, most=100)))

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": Whole(1).schema(), "maxItems": 100}


@dataclass(frozen=True, slots=True)
class WordList(Type):
    """Words, as an array or separated by commas."""

    json: ClassVar[str | None] = "array"
    items: ClassVar[str] = "string"
    null: ClassVar[object] = ()

    def read(self, value: object) -> list[str]:
        found = [Line(LONGEST_WORD).read(one) for one in elements(value, most=MOST_WORDS)]
        return list(dict.fromkeys(word for word in found if word))

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "string", "maxLength": LONGEST_WORD}, "maxItems": MOST_WORDS}


@dataclass(frozen=True, slots=True)
class OneRecord(Whole):
    """The id of a record; 0 and nothing for none."""

    def read(self, value: object) -> int:
        value = single(value)
        return 0 if isinstance(value, str) and not value.strip() else Whole.read(self, value)


SOURCE_FIELDS = extensions(
    Field("address", SourceAddress(), N_("The address that is read."), required=True),
    Field("name", Line(200), N_("What the source is called here; by default the host of its address."), default=""),
    Field("login", LoginType(), N_("The log-in there. It is stored encrypted with secret_key, and never shown.")),
    Field("every", Interval(), N_("How often it is read: from 15m to 7d."), default="1h"),
    Field(
        "publish",
        UsualChoice((AT_ONCE, REVIEW)),
        N_("Whether new events are public at once, or wait for review."),
        default=AT_ONCE,
    ),
    Field("categories", IdsOfRecords(), N_("The ids of categories that its events have besides their own.")),
    Field("tags", IdsOfRecords(), N_("The ids of tags that its events have besides their own.")),
    Field("venue", OneRecord(), N_("The id of the venue of events that tell none; 0 for none."), default=0),
    Field("organizer", OneRecord(), N_("The id of the organizer of events that tell none; 0 for none."), default=0),
    Field("author", OneRecord(), N_("The id of the user whom its events belong to; by default who adds the source.")),
    Field("window", WindowType(), N_("How many months back and ahead events are taken.")),
    Field("take", WordList(), N_("Words of which an event has to have one to be taken.")),
    Field("leave_out", WordList(), N_("Words of which an event has none, or it is left out.")),
    Field(
        "when_gone",
        UsualChoice((TRASH, CANCEL, KEEP)),
        N_("What becomes of an event that is gone there: it goes to the trash, is cancelled, or stays."),
        default=TRASH,
    ),
    Field("images", Flag(True), N_("Whether images are taken."), default=True),
    Field("active", Flag(True), N_("Whether it is read by itself."), default=True),
)
_NUMBERS = many(WHOLE)
_WAYS: Schema = {"type": "string", "enum": [TRASH, CANCEL, KEEP]}
SOURCE = Representation(
    "Source",
    N_("A calendar elsewhere that is read again and again."),
    (
        Key("id", WHOLE, N_("The id of the source.")),
        Key("address", URL, N_("The address that is read.")),
        Key("name", TEXT, N_("What it is called here.")),
        Key("kind", TEXT, N_("What was found there: ics, csv, site, page or feed; empty before the first read.")),
        Key("has_login", FLAG, N_("Whether it is read with a log-in.")),
        Key("every", TEXT, N_("How often it is read.")),
        Key("publish", {"type": "string", "enum": [AT_ONCE, REVIEW]}, N_("Whether new events are public at once.")),
        Key("categories", _NUMBERS, N_("The ids of categories that its events have besides their own.")),
        Key("tags", _NUMBERS, N_("The ids of tags that its events have besides their own.")),
        Key("venue", WHOLE, N_("The id of the venue of events that tell none; 0 for none.")),
        Key("organizer", WHOLE, N_("The id of the organizer of events that tell none; 0 for none.")),
        Key("author", WHOLE, N_("The id of the user whom its events belong to.")),
        Key("window", ref("SourceWindow"), N_("How many months back and ahead events are taken.")),
        Key("take", many(TEXT), N_("Words of which an event has to have one.")),
        Key("leave_out", many(TEXT), N_("Words of which an event has none.")),
        Key("when_gone", _WAYS, N_("What becomes of an event that is gone.")),
        Key("images", FLAG, N_("Whether images are taken.")),
        Key("active", FLAG, N_("Whether it is read by itself.")),
        Key("last_success", or_null(DATE), N_("When it was last read without an error, in UTC.")),
        Key("next_run", or_null(DATE), N_("When it is read next, in UTC; null while it is paused.")),
        Key("error", TEXT, N_("Why the last read failed; empty if it did not.")),
        Key("failing_since", or_null(DATE), N_("Since when it fails, in UTC.")),
        Key("created", WHOLE, N_("How many events the last read has created.")),
        Key("changed", WHOLE, N_("How many events the last read has changed.")),
        Key("unchanged", WHOLE, N_("How many events were as they are here.")),
        Key("gone", WHOLE, N_("How many events were gone there.")),
        Key("held", WHOLE, N_("How many of its events wait for review.")),
        Key("created_utc", DATE, N_("When the source was added, in UTC.")),
    ),
)
WINDOW = Representation(
    "SourceWindow",
    N_("Of which months events are taken."),
    (
        Key("back", WHOLE, N_("How many months back.")),
        Key("ahead", WHOLE, N_("How many months ahead.")),
    ),
)
REPRESENTATIONS = (SOURCE, WINDOW)
SCHEMAS: dict[str, Schema] = {
    "SourcePublish": {"type": "string", "enum": [AT_ONCE, REVIEW]},
    "SourceWhenGone": _WAYS,
    "SourceLogin": LoginType().schema(),
    "WindowToRead": WindowType().schema(),
}
