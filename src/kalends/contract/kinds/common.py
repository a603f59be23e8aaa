"""Parameters that several tables share."""

from collections.abc import Sequence
from dataclasses import replace

from kalends.contract.fields import ABSENT, Field, RecordField, table
from kalends.contract.json_schema import DATE, OBJECT, TEXT, UNMASKED, URL, WHOLE, Key, Schema, many
from kalends.contract.statuses import STATUSES
from kalends.contract.types.lists import Names, StatusFilter
from kalends.contract.types.numbers import Flag, Reference, Whole
from kalends.contract.types.recurrences import SCOPES
from kalends.contract.types.scalars import Date, Image, OptionalDate
from kalends.contract.types.texts import (
    LONGEST_EXCERPT,
    LONGEST_EXTERNAL_ID,
    LONGEST_SOURCE,
    Choice,
    ExactChoice,
    Html,
    Line,
    Name,
    SearchWords,
    Secret,
    Slug,
    SourceName,
)
from kalends.feature import declared
from kalends.languages import N_

DEFAULT_PER_PAGE = 12

PAGE = Field("page", Whole(1), N_("The page of the list to return."), default=1)
PER_PAGE = Field("per_page", Whole(1), N_("How many records a page has."), default=DEFAULT_PER_PAGE)
FORCE = Field("force", Flag(), N_("Delete for good instead of moving to the trash."), default=False, extension=True)
SCOPE = Field(
    "scope",
    Choice(SCOPES),
    N_("Which occurrences of a series this is about: this one, this and the following ones, or all."),
    default="this",
    extension=True,
)
SCOPE_BY_EXTERNAL = replace(
    SCOPE,
    meaning=N_("Which occurrences of a series this is about; its id at the source names all of them."),
    default="all",
)
SCOPE_OF_UPDATE = replace(
    SCOPE,
    meaning=N_(
        "Which occurrences of a series this is about: this one, this and the following ones, or all. Where it is not"
        " sent, the first publication of a series is that of all its occurrences."
    ),
)
PASSWORD = Field("password", Secret(), N_("The password of a protected event."))
PASSWORD_BY_SLUG = Field("password", Secret(), N_("The password of a protected event."), extension=True)
STATUS_FILTER = Field(
    "status",
    StatusFilter(STATUSES),
    N_("Only records with this status; several are separated by commas."),
)
ORDER_WORDS = ("asc", "desc")
SLUG_HELP = N_("The last part of the address; made from the name when it is empty")


def of_features(part: str) -> Sequence[RecordField]:
    """The fields that features add to a kind."""
    return [field for added in declared(part) for field in added]


def search(meaning: str) -> Field:
    return Field("search", SearchWords(), meaning)


def order(*, extension: bool) -> Field:
    return Field("order", Choice(ORDER_WORDS), N_("The direction of the order: asc or desc."), extension=extension)


def modified_after(meaning: str = N_("Records that changed after this time.")) -> Field:
    return Field("modified_after", Date(), meaning, extension=True)


def publication(absent: object = ABSENT, *, control: str = "") -> Sequence[RecordField]:
    """Who published a post, and when; `control`: that of forms which can set it."""
    return (
        RecordField(
            "author",
            Reference(1),
            N_("The id of the author. Setting another user requires the right to edit others' records."),
            default=absent,
            label=N_("Author"),
            json={"type": "string", "pattern": "^[0-9]+$"},
            shows=N_("The id of the author."),
            masked=UNMASKED,
            control="",
            is_exported=False,
            csv=(),
            wp="author",
        ),
        RecordField(
            "date",
            Date(),
            N_("The publication date, in the site's time zone unless it says otherwise."),
            default=absent,
            label=N_("Publication"),
            column="",
            shows=N_("The publication date, in the site's time zone."),
            masked=UNMASKED,
            control=control,
            help=N_("A time in the future publishes the event then"),
            is_exported=False,
            csv=(),
            wp="date",
        ),
        RecordField(
            "date_utc",
            OptionalDate(),
            N_("The publication date in UTC; it takes precedence when both are sent."),
            default=absent,
            label=N_("Publication"),
            is_ruled=True,
            shows=N_("The publication date in UTC."),
            masked=UNMASKED,
            control="",
            csv=("Published (UTC)",),
            wp="date_gmt",
            is_in_feeds=False,
            element="wp:post_date_gmt",
        ),
    )


def description(meaning: str, absent: object = ABSENT, *, csv: Sequence[str], always: bool) -> RecordField:
    return RecordField(
        "description",
        Html(),
        meaning,
        default=absent,
        label=N_("Description"),
        shows=N_("The description, as safe HTML."),
        always=always,
        group="description",
        csv=csv,
        wp="content",
        element="content:encoded",
    )


def status(absent: object = ABSENT, *, csv: Sequence[str] = ()) -> RecordField:
    return RecordField(
        "status",
        ExactChoice(STATUSES),
        N_("The status: publish, future, draft, pending, private or trash."),
        default=absent,
        label=N_("Status"),
        is_ruled=True,
        is_shared=False,
        json={"type": "string", "enum": list(STATUSES)},
        shows=N_("The status of the record."),
        masked=UNMASKED,
        control="",
        csv=csv,
        wp="status",
        is_in_feeds=False,
        element="wp:status",
    )


def image(
    absent: object = ABSENT,
    *,
    csv: Sequence[str],
    json: Schema | None = None,
    shows: str = N_("The featured image."),
    masked: object = ABSENT,
) -> RecordField:
    return RecordField(
        "image",
        Image(),
        N_("The featured image: the id of a stored image or an http(s) URL."),
        default=absent,
        label=N_("Picture"),
        is_ruled=True,
        json=json,
        shows=shows,
        always=json is not None,
        masked=masked,
        is_exported=False,
        csv=csv,
        wp="featured_media",
    )


def slug(meaning: str, *, extension: bool = False, csv: Sequence[str] = (), help: str = SLUG_HELP) -> RecordField:
    return RecordField(
        "slug",
        Slug(),
        meaning,
        extension=extension,
        label=N_("Address of its page"),
        is_ruled=True,
        is_shared=False,
        shows=N_("The name of the record in its address."),
        masked=UNMASKED,
        help=help,
        csv=csv,
        wp="slug",
        element="wp:post_name",
    )


def excerpt(*, extension: bool = False, csv: Sequence[str] = ()) -> RecordField:
    return RecordField(
        "excerpt",
        Html(LONGEST_EXCERPT),
        N_("A short text about the record."),
        extension=extension,
        label=N_("Summary"),
        always=not extension,
        control="" if extension else "textarea",
        help=N_("One or two sentences for lists and for search engines"),
        csv=csv,
        wp="excerpt",
        element="excerpt:encoded",
    )


def external(*, always: bool, csv: Sequence[str] = ("ID", "External ID")) -> tuple[RecordField, RecordField]:
    """Where a record comes from, so that an import can find it again."""
    source = RecordField(
        "source",
        SourceName(LONGEST_SOURCE),
        N_("The calendar or program that the record comes from."),
        extension=True,
        label=N_("Source"),
        is_shared=False,
        always=always,
        control="",
        is_exported=False,
        csv=(),
        meta="",
    )
    external_id = RecordField(
        "external_id",
        Line(LONGEST_EXTERNAL_ID),
        N_("The id that the record has at its source; no two records of a kind have the same of both."),
        extension=True,
        label=N_("Number at the source"),
        is_shared=False,
        shows=N_("The id that the record has at its source."),
        always=always,
        control="",
        is_exported=False,
        csv=csv,
        meta="",
    )
    return source, external_id


EXTERNAL = external(always=True)
EXTERNAL_FILTERS = (
    Field("source", Names(), N_("Records that come from any of these sources."), extension=True),
    Field(
        "external_id",
        Name(LONGEST_EXTERNAL_ID),
        N_("The record with this id at its source; of a series its first occurrence has it."),
        extension=True,
    ),
)

# Keys that are only read.
ID_KEY = Key("id", WHOLE, N_("The id of the record."), column="id")
SLUG_KEY = Key("slug", TEXT, N_("The name of the record in its address."), column="slug")
PAGE_KEY = Key("url", URL, N_("The public page of the record."))
CHANGED_KEYS = (
    Key("modified", DATE, N_("When the record last changed, in the site's time zone.")),
    Key("modified_utc", DATE, N_("When the record last changed, in UTC."), column="modified_utc"),
)
GLOBAL_KEYS = (
    Key("global_id", TEXT, N_("An id that is unique across sites.")),
    Key("global_id_lineage", many(TEXT), N_("The global ids that the record has had.")),
)
REV_KEY = Key(
    "rev",
    WHOLE,
    N_("The revision: a number that increases with every change in the calendar."),
    extension=True,
    column="rev",
)
JSON_LD_KEY = Key("json_ld", OBJECT, N_("The record as schema.org describes it; only when it is read alone."), False)


def shown_fields(kind: str, *, can_be_protected: bool = False) -> tuple[RecordField, ...]:
    """The fields of features that are only shown: no request sends them, and no column has them."""
    rows = [field for added in declared("shown_fields") for field in added.get(kind, ())]
    rows = [replace(field, is_added=True) for field in rows]
    return table(kind.title(), *rows, can_be_protected=can_be_protected)
