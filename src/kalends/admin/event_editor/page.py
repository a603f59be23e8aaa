"""The editor of an event: what its page offers, beside what the form holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import ClassVar

from markupsafe import Markup

from kalends.admin import conflicts, locating, pictures
from kalends.admin.conflicts import Edited
from kalends.admin.event_editor import differences, series_dates
from kalends.admin.event_editor.series_dates import EditorSeriesDates
from kalends.admin.pictures import ChosenPicture
from kalends.admin.request import ACTIONS, EDITED, FIELDS, AdminRequest
from kalends.admin.values_in_words import STATUS_NAMES
from kalends.calendar.access import Caller, may_create, may_publish, may_upload
from kalends.calendar.editing import previews
from kalends.calendar.editing.review import notes as review_notes
from kalends.calendar.lists import filter_choices
from kalends.calendar.posts.labels import Branch, Namesake, category_tree
from kalends.contract.fields import Link, RecordField, arranged
from kalends.contract.kinds import CATEGORY, EVENT, TAG
from kalends.contract.kinds.defined_fields import defined_fields, fields_of
from kalends.contract.statuses import CANCELLED, PUBLISH, TRASH
from kalends.languages import N_, translate
from kalends.present import event_statuses
from kalends.settings import Settings
from kalends.site import times
from kalends.site.calendar.calendar_days import first_weekday
from kalends.site.forms import name_lookup
from kalends.site.forms.defined_controls import DefinedControl, control
from kalends.site.forms.event_form import PICKED, EventForm
from kalends.site.forms.form import Form
from kalends.site.forms.repeats_form import WEEKDAYS
from kalends.site.pages.page_blocks import Block, blocks_of
from kalends.store.query.filter_values import FilterChoice
from kalends.store.rows.records import Event, Series
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


NEW = "/admin/events/new"


def path_of(id: int | None) -> str:
    return NEW if id is None else f"/admin/events/{id}"


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
class OpenedEvent:
    """The event that is being edited; a new one has no record yet."""

    event: Event | None
    event_form: EventForm
    series: Series | None = None
    is_whole: bool = False  # a series of which nothing is public yet: what is done to it is done to all its dates


@dataclass(frozen=True)
class EditorPage:
    """What was opened, with what was typed; whatever else it shows is read as it is shown."""

    template: ClassVar[str] = "admin/event_editor/editor.html"
    in_sight: ClassVar[Sequence[RecordField]] = IN_SIGHT
    more: ClassVar[Sequence[RecordField]] = MORE

    request: AdminRequest
    opened: OpenedEvent
    event_form: EventForm  # with what was typed

    @property
    def event(self) -> Event | None:
        """A new one has no record yet."""
        return self.opened.event

    @property
    def is_whole(self) -> bool:
        return self.opened.is_whole

    @property
    def settings(self) -> Settings:
        return self.request.settings

    @cached_property
    def categories(self) -> Sequence[Branch]:
        return self.request.read(category_tree)

    @cached_property
    def choices(self) -> Mapping[str, Sequence[FilterChoice]]:
        """Of linked records, by field."""
        return self.request.read(filter_choices.choices, wanted=PICKED)

    @cached_property
    def picture(self) -> ChosenPicture:
        return pictures.chosen(self.request, self.event_form.text("image"))

    @cached_property
    def notes(self) -> Sequence[NoteOnPage]:
        request, event = self.request, self.event
        return [
            NoteOnPage(request.people.get(note.author, ""), request.frame.day_and_time(note.at), note.text)
            for note in (request.read(review_notes, event.id) if event else ())
        ]

    @cached_property
    def dates(self) -> EditorSeriesDates | None:
        return series_dates.dates_of(self.request, self.event)

    @property
    def action(self) -> str:
        return self.request.root_path + path_of(self.event.id if self.event else None)

    @cached_property
    def preview_link(self) -> str:
        """The secret address of an event that is not public yet."""
        if self.event is None or self.event.status in (PUBLISH, TRASH):
            return ""
        return f"{self.request.base_url}/preview/{self.request.read(previews.key_of, self.event.id)}/"

    @cached_property
    def edited(self) -> Edited:
        """Which version it is, and how what was typed differs from what somebody else has saved."""
        form, stored, differing = self.request.form, self.opened.event_form, None
        if conflicts.is_in(form):
            differing = differences.differences(
                stored,
                self.event_form,
                form.values,
                {str(branch.term.id): branch.term.name for branch in self.categories},
                pictures.names(self.request, [stored.text("image"), form.text("image")]),
                self.request.language,
                fields_of(EVENT, self.settings),
                form.asked,
            )
        version = conflicts.version_for(form, str(self.event.rev) if self.event else "")
        return Edited(labels(self.settings, self.request.language), version, differing)

    @cached_property
    def actions(self) -> Markup:
        """Of features, at the foot."""
        return self._block(ACTIONS)

    @cached_property
    def fields(self) -> Markup:
        """Of features, below the others; its buttons belong to forms among the actions."""
        return self._block(FIELDS)

    @cached_property
    def above(self) -> Markup:
        """Of features, above the form."""
        return self._block(EDITED)

    def _block(self, position: str) -> Markup:
        return self.request.block(position, EVENT, self.event.id) if self.event else Markup()

    @cached_property
    def blocks(self) -> Sequence[Block]:
        """Of features, in the form."""
        return self.request.read(blocks_of, self)

    @cached_property
    def country(self) -> str:
        """Of a new venue."""
        return locating.usual_country(self.request)

    @cached_property
    def namesakes(self) -> Mapping[str, Sequence[Namesake]]:
        """What may be meant by the names of new linked records."""
        request, form = self.request, self.request.form
        return {
            link.name: name_lookup.asked(request.calendar, request.caller, form, link)
            for link in PICKED.values()
            if link.name in form.errors or form.text(f"{link.name}{name_lookup.ANSWER}")
        }

    @property
    def defined(self) -> list[DefinedControl]:
        """The controls of the fields that the people of this calendar have defined."""
        return [control(row, self.event_form.text(row.name)) for row in defined_fields(self.settings)]

    @property
    def status(self) -> str:
        return self.event.status if self.event else "draft"

    @property
    def status_name(self) -> str:
        return translate(STATUS_NAMES[self.status], self.request.language) if self.event else ""

    @property
    def off_plan(self) -> str:
        """That it is cancelled, or whatever else is not as planned; empty as planned."""
        return event_statuses.label(self.event.event_status, self.request.language) if self.event else ""

    @property
    def off_plan_mark(self) -> str:
        return "bad" if self.event and self.event.event_status == CANCELLED else "warn"

    @property
    def buttons(self) -> tuple[Button, Sequence[Button]]:
        """What most people want, and the other ways to save."""
        return buttons(self.event, self.request.caller)

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
        return self.event is None or (self.event.status == "draft" and self.event.author == self.request.caller.user)

    def form_data(self, action: str, form: Form) -> dict[str, str]:
        """What its script is told of the form: where it saves itself, and whether it shows what is not saved."""
        background = {"autosave": f"{action}/autosave"} if self.saves_itself else {}
        return background | ({"refused": "1"} if form.values else {})

    @property
    def may_upload(self) -> bool:
        return may_upload(self.request.caller)

    @property
    def may_create_categories(self) -> bool:
        return may_create(self.request.caller, CATEGORY)

    @property
    def may_create_tags(self) -> bool:
        return may_create(self.request.caller, TAG)

    @property
    def weekdays(self) -> list[tuple[str, str]]:
        """Code and name, from the first day of the week."""
        monday = date(2024, 1, 1)
        order = [(first_weekday(self.request.language) + number) % 7 for number in range(7)]
        language = self.request.language
        return [(WEEKDAYS[day], times.short_weekday(monday + timedelta(days=day), language)) for day in order]

    @property
    def single_dates(self) -> list[tuple[str, str, str]]:
        """Dates that are skipped or added, before the event is a series: control, value, label."""
        repeats = self.event_form.repeats
        skipped = [("repeat_exceptions[]", value, N_("Skipped: {date}")) for value in repeats.exceptions]
        added = [("repeat_dates[]", value, N_("Added: {date}")) for value in repeats.dates]
        return [
            (control, value, translate(label, self.request.language).format(date=self._day(value)))
            for control, value, label in (*skipped, *added)
        ]

    def _day(self, value: str) -> str:
        found = dates.day_in(value[:10])
        return times.day(found, self.request.language) if found else value

    @property
    def event_statuses(self) -> list[tuple[str, str]]:
        return [(word, translate(label, self.request.language)) for word, label in event_statuses.LABELS.items()]

    @property
    def public(self) -> str:
        """The slug of the public page, if there is one."""
        return self.event.slug if self.event and self.event.status == "publish" else ""


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
