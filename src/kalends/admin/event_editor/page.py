"""The editor of an event: what its page offers, beside what the form holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import ClassVar

from markupsafe import Markup

from kalends.admin.conflicts import Edited
from kalends.admin.event_editor.repeats_preview import RepeatsPreview
from kalends.admin.event_editor.series_dates import EditorSeriesDates
from kalends.admin.pictures import ChosenPicture
from kalends.admin.values_in_words import STATUS_NAMES
from kalends.calendar.access import Caller, may_create, may_publish, may_upload
from kalends.calendar.posts.labels import Branch, Namesake
from kalends.contract.fields import Link, RecordField, arranged
from kalends.contract.kinds import CATEGORY, EVENT, TAG
from kalends.contract.kinds.defined_fields import defined_fields, fields_of
from kalends.contract.statuses import CANCELLED
from kalends.languages import N_, translate
from kalends.present import event_statuses
from kalends.settings import Settings
from kalends.site import times
from kalends.site.calendar.calendar_days import first_weekday
from kalends.site.forms.defined_controls import DefinedControl, control
from kalends.site.forms.event_form import PICKED, EventForm
from kalends.site.forms.form import Form
from kalends.site.forms.repeats_form import WEEKDAYS
from kalends.site.pages.page_blocks import Block
from kalends.store.query.filter_values import FilterChoice
from kalends.store.rows.records import Event
from kalends.values import dates, zones

SUGGESTED = 200  # names in the lists that a browser offers without a script

# What no other part of the form names: beside the buttons, and in a part that is opened.
_OTHERS = [field for field in EVENT.fields if field.group == "more" and field.form_control not in ("", "image")]
IN_SIGHT = arranged(_OTHERS, ("event_status", "featured", "date"))
MORE = arranged(
    [field for field in _OTHERS if field not in IN_SIGHT],
    ("sticky", "hide_from_listings", "show_map", "show_map_link", ..., "excerpt", "slug", "post_password"),
)
LABELS = {
    f"{link.name}_{name}": link.kind.field(name).label for link in PICKED.values() for name in link.kind.details
}
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
class NoteOnPage:
    """What was said in review."""

    who: str
    when: str
    text: str


@dataclass(frozen=True, slots=True)
class EditorPage:
    template: ClassVar[str] = "admin/event_editor/editor.html"
    in_sight: ClassVar[Sequence[RecordField]] = IN_SIGHT
    more: ClassVar[Sequence[RecordField]] = MORE

    event: Event | None  # a new one has no record yet
    event_form: EventForm
    caller: Caller
    settings: Settings
    language: str
    categories: Sequence[Branch]
    choices: Mapping[str, Sequence[FilterChoice]]  # of linked records, by field
    picture: ChosenPicture
    notes: Sequence[NoteOnPage]
    dates: EditorSeriesDates | None
    is_whole: bool  # a series of which nothing is public yet
    action: str
    preview_link: str  # the secret address of an event that is not public yet
    edited: Edited
    actions: Markup  # of features, at the foot
    fields: Markup  # of features, below the others; its buttons belong to forms among the actions
    above: Markup  # of features, above the form
    country: str  # of a new venue
    namesakes: Mapping[str, Sequence[Namesake]]  # what may be meant by the names of new linked records
    blocks: list[Block] = field(default_factory=list)  # of features, in the form

    @property
    def defined(self) -> list[DefinedControl]:
        """The controls of the fields that the people of this calendar have defined."""
        return [control(row, self.event_form.text(row.name)) for row in defined_fields(self.settings)]

    @property
    def status(self) -> str:
        return self.event.status if self.event else "draft"

    @property
    def status_name(self) -> str:
        return translate(STATUS_NAMES[self.status], self.language) if self.event else ""

    @property
    def off_plan(self) -> str:
        """That it is cancelled, or whatever else is not as planned; empty as planned."""
        return event_statuses.label(self.event.event_status, self.language) if self.event else ""

    @property
    def off_plan_mark(self) -> str:
        return "bad" if self.event and self.event.event_status == CANCELLED else "warn"

    @property
    def buttons(self) -> tuple[Button, Sequence[Button]]:
        """What most people want, and the other ways to save."""
        return buttons(self.event, self.caller)

    @property
    def picked(self) -> Mapping[str, Link]:
        """The links to records that the form can make."""
        return PICKED

    def suggested(self, field: str) -> list[str]:
        """Names of records that it can link to."""
        return [choice.name for choice in self.choices[field][:SUGGESTED]]

    @property
    def zones(self) -> Sequence[str]:
        return zones.names()

    @property
    def clock(self) -> str:
        """ "12", "24", or "" for that of the language."""
        return {"12": "12", "24": "24"}.get(str(self.settings.hour_format), "")

    @property
    def saves_itself(self) -> bool:
        return self.event is None or (self.event.status == "draft" and self.event.author == self.caller.user)

    def form_data(self, action: str, form: Form) -> dict[str, str]:
        """What its script is told of the form: where it saves itself, and whether it shows what is not saved."""
        background = {"autosave": f"{action}/autosave"} if self.saves_itself else {}
        return background | ({"refused": "1"} if form.values else {})

    @property
    def may_upload(self) -> bool:
        return may_upload(self.caller)

    @property
    def may_create_categories(self) -> bool:
        return may_create(self.caller, CATEGORY)

    @property
    def may_create_tags(self) -> bool:
        return may_create(self.caller, TAG)

    @property
    def weekdays(self) -> list[tuple[str, str]]:
        """Code and name, from the first day of the week."""
        monday = date(2024, 1, 1)
        order = [(first_weekday(self.language) + number) % 7 for number in range(7)]
        return [(WEEKDAYS[day], times.short_weekday(monday + timedelta(days=day), self.language)) for day in order]

    @property
    def single_dates(self) -> list[tuple[str, str, str]]:
        """Dates that are skipped or added, before the event is a series: control, value, label."""
        repeats = self.event_form.repeats
        skipped = [("repeat_exceptions[]", value, N_("Skipped: {date}")) for value in repeats.exceptions]
        added = [("repeat_dates[]", value, N_("Added: {date}")) for value in repeats.dates]
        return [
            (control, value, translate(label, self.language).format(date=self._day(value)))
            for control, value, label in (*skipped, *added)
        ]

    def _day(self, value: str) -> str:
        found = dates.day_in(value[:10])
        return times.day(found, self.language) if found else value

    @property
    def event_statuses(self) -> list[tuple[str, str]]:
        return [(word, translate(label, self.language)) for word, label in event_statuses.LABELS.items()]

    @property
    def public(self) -> str:
        """The slug of the public page, if there is one."""
        return self.event.slug if self.event and self.event.status == "publish" else ""


@dataclass(frozen=True, slots=True)
class DatesPart:
    """The next dates of an event that repeats, or why there are none."""

    template: ClassVar[str] = "admin/event_editor/dates.html"

    preview: RepeatsPreview
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PreviewMissing:
    template: ClassVar[str] = "admin/event_editor/preview_missing.html"

    labels: Mapping[str, str]


def labels(settings: Settings, language: str) -> dict[str, str]:
    found = {name: translate(label, language) for name, label in LABELS.items()}
    return found | {field.name: field.label_in(language) for field in fields_of(EVENT, settings)}


def buttons(event: Event | None, caller: Caller) -> tuple[Button, list[Button]]:
    """The first button is what most people want."""
    status = event.status if event else ""
    draft = Button("draft", N_("Save draft"))
    if not may_publish(caller):
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
    local = zones.on_clock(dates.from_text(event.date_utc), settings.timezone)
    return times.moment(dates.text(local), language)


def first_day(wanted: str, today: date) -> date:
    """The day that a link of the calendar names, else a week from now."""
    return dates.day_in(wanted) or today + timedelta(days=7)
