"""The values of the editor of an event: what its page offers, beside what the form holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from kalends.calendar.access import Caller
from kalends.calendar.posts.labels import Branch
from kalends.calendar.service import Calendar
from kalends.contract.fields import RecordField, arranged
from kalends.contract.kinds import EVENT, ORGANIZER, VENUE
from kalends.languages import N_, translate
from kalends.pages import times
from kalends.pages.admin.event_form import ORGANIZER_DETAILS, VENUE_DETAILS
from kalends.pages.admin.repeats_form import WEEKDAYS
from kalends.pages.admin.setting_fields import country_name
from kalends.pages.calendar_days import first_weekday
from kalends.settings import Settings
from kalends.store.rows.records import Event
from kalends.values import dates, zones

SUGGESTED = 200  # names in the lists that a browser offers without a script

STATUS_NAMES = {
    "publish": N_("Published"),
    "future": N_("Scheduled"),
    "draft": N_("Draft"),
    "pending": N_("Waiting for review"),
    "private": N_("Private"),
    "trash": N_("In the trash"),
}


# The part of the form that has what no other part names.
MORE = arranged(
    [field for field in EVENT.fields if field.group == "more" and field.form_control not in ("", "image")],
    (
        *("event_status", "featured", "sticky", "hide_from_listings", "show_map", "show_map_link"),
        *(..., "excerpt", "slug", "date", "post_password"),
    ),
)
LABELS = {field.name: field.label for field in EVENT.fields}
LABELS |= {f"venue_{name}": VENUE.field(name).label for name in VENUE_DETAILS}
LABELS |= {f"organizer_{name}": ORGANIZER.field(name).label for name in ORGANIZER_DETAILS}
LABELS |= {
    "repeat_interval": N_("Interval"),
    "repeat_until": N_("Last day"),
    "repeat_count": N_("Number of dates"),
    "image_alt": N_("Alternative text"),
    "image_focus": N_("Focus point"),
    "version": N_("Version"),
}


@dataclass(frozen=True, slots=True)
class Button:
    """A way to save the form."""

    do: str
    label: str


@dataclass(frozen=True, slots=True)
class EditorPage:
    """The values of admin/editor.html."""

    status: str
    status_name: str
    main: Button
    others: Sequence[Button]
    categories: Sequence[Branch]
    venues: Sequence[str]
    organizers: Sequence[str]
    country: str  # of a new venue
    zones: Sequence[str]
    zone: str
    clock: str  # "12", "24", or "" for that of the language
    saves_itself: bool
    may_upload: bool
    may_create_categories: bool
    may_create_tags: bool
    weekdays: Sequence[tuple[str, str]]  # code and name, from the first day of the week
    labels: Mapping[str, str]  # of the fields, for the summary of errors
    more: Sequence[RecordField]
    public: str  # the slug of the public page, if there is one


def page(
    calendar: Calendar,
    caller: Caller,
    event: Event | None,
    settings: Settings,
    language: str,
    *,
    may_publish: bool,
    may_upload: bool,
    may_create_categories: bool,
    may_create_tags: bool,
) -> EditorPage:
    status = event.status if event else "draft"
    main, others = buttons(event.status if event else "", may_publish=may_publish)
    choices = calendar.choices(caller, wanted=("venue", "organizer"))
    return EditorPage(
        status=status,
        status_name=translate(STATUS_NAMES[status], language) if event else "",
        main=main,
        others=others,
        categories=calendar.category_tree(caller),
        venues=[choice.name for choice in choices["venue"][:SUGGESTED]],
        organizers=[choice.name for choice in choices["organizer"][:SUGGESTED]],
        country=country_name(settings.country, settings.language),
        zones=zones.names(),
        zone=settings.timezone,
        clock={"12": "12", "24": "24"}.get(str(settings.hour_format), ""),
        saves_itself=event is None or (event.status == "draft" and event.author == caller.user),
        may_upload=may_upload,
        may_create_categories=may_create_categories,
        may_create_tags=may_create_tags,
        weekdays=weekdays(language),
        labels=labels(language),
        more=MORE,
        public=event.slug if event and event.status == "publish" else "",
    )


def labels(language: str) -> dict[str, str]:
    return {name: translate(label, language) for name, label in LABELS.items()}


def weekdays(language: str) -> list[tuple[str, str]]:
    monday = date(2024, 1, 1)
    order = [(first_weekday(language) + number) % 7 for number in range(7)]
    return [(WEEKDAYS[day], times.short_weekday(monday + timedelta(days=day), language)) for day in order]


def buttons(status: str, *, may_publish: bool) -> tuple[Button, list[Button]]:
    """The first button is what most people want; `status` is empty for a new event."""
    draft = Button("draft", N_("Save draft"))
    if not may_publish:
        submit = Button("submit", N_("Submit for review"))
        return (Button("save", N_("Save")), [draft]) if status == "pending" else (submit, [draft])
    private = Button("private", N_("Save as private"))
    if status in ("publish", "future"):
        return Button("save", N_("Update")), [Button("draft", N_("Back to draft")), private]
    if status == "private":
        return Button("save", N_("Update")), [Button("publish", N_("Publish")), Button("draft", N_("Back to draft"))]
    return Button("publish", N_("Publish")), [draft, private]


def publication(event: Event, settings: Settings, language: str) -> str:
    """When a scheduled event becomes public, on the clock of the site."""
    local = zones.to_local(dates.from_text(event.date_utc), settings.timezone)
    return times.moment(dates.text(local), language)


def first_day(wanted: str, today: date) -> date:
    """The day that a link of the calendar names, else a week from now."""
    return dates.day_in(wanted) or today + timedelta(days=7)
