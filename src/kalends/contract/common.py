"""Parameters that several tables share."""

from collections.abc import Sequence

from kalends.contract.fields import ABSENT, Field
from kalends.contract.lists import StatusFilter
from kalends.contract.numbers import Flag, Reference, Whole
from kalends.contract.recurrences import SCOPES
from kalends.contract.scalars import Date, Image, OptionalDate
from kalends.contract.statuses import STATUSES
from kalends.contract.texts import (
    LONGEST_EXCERPT,
    LONGEST_EXTERNAL_ID,
    LONGEST_SOURCE,
    Choice,
    ExactChoice,
    Html,
    Line,
    Search,
    Secret,
    Slug,
    Source,
)
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
PASSWORD = Field("password", Secret(), N_("The password of a protected event."))
PASSWORD_BY_SLUG = Field("password", Secret(), N_("The password of a protected event."), extension=True)
STATUS_FILTER = Field(
    "status",
    StatusFilter(STATUSES),
    N_("Only records with this status; several are separated by commas."),
)
ORDER_WORDS = ("asc", "desc")


def search(meaning: str) -> Field:
    return Field("search", Search(), meaning)


def order(*, extension: bool) -> Field:
    return Field("order", Choice(ORDER_WORDS), N_("The direction of the order: asc or desc."), extension=extension)


def publication(absent: object = ABSENT) -> Sequence[Field]:
    """Who published a post, and when."""
    return (
        Field(
            "author",
            Reference(1),
            N_("The id of the author. Setting another user requires the right to edit others' records."),
            default=absent,
        ),
        Field(
            "date",
            Date(),
            N_("The publication date, in the site's time zone unless it says otherwise."),
            default=absent,
        ),
        Field(
            "date_utc",
            OptionalDate(),
            N_("The publication date in UTC; it takes precedence when both are sent."),
            default=absent,
        ),
    )


def description(meaning: str, absent: object = ABSENT) -> Field:
    return Field("description", Html(), meaning, default=absent)


def status(absent: object = ABSENT) -> Field:
    return Field(
        "status",
        ExactChoice(STATUSES),
        N_("The status: publish, future, draft, pending, private or trash."),
        default=absent,
    )


def image(absent: object = ABSENT) -> Field:
    return Field(
        "image",
        Image(),
        N_("The featured image: the id of a stored image or an http(s) URL."),
        default=absent,
    )


def slug(meaning: str, *, extension: bool = False) -> Field:
    return Field("slug", Slug(), meaning, extension=extension)


def excerpt(*, extension: bool = False) -> Field:
    return Field("excerpt", Html(LONGEST_EXCERPT), N_("A short text about the record."), extension=extension)


# Where a record comes from, so that an import can find it again.
EXTERNAL = (
    Field(
        "source",
        Source(LONGEST_SOURCE),
        N_("The calendar or program that the record comes from."),
        extension=True,
    ),
    Field(
        "external_id",
        Line(LONGEST_EXTERNAL_ID),
        N_("The id that the record has at its source; no two records of a kind have the same of both."),
        extension=True,
    ),
)
