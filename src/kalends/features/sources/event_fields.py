"""In the editor of an event that has a source: field by field what is there and what is here, whose it is, and the
buttons that decide it. They need no script: they belong to a form of their own at the foot of the page."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from markupsafe import Markup

from kalends.admin import pictures
from kalends.admin.navigation import NOWHERE, may_write
from kalends.admin.request import ACTIONS, EDITED, FIELDS, REVIEWED, AdminRequest
from kalends.admin.screen import Screen
from kalends.admin.values_in_words import choice, yes_or_no
from kalends.calendar.access import UnitOfWork, may_manage_site
from kalends.calendar.posts import labels
from kalends.contract.fields import RecordField
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.features.importing.matching import merging
from kalends.features.sources import field_owners, reading
from kalends.features.sources.duplicates import admin as duplicates_admin
from kalends.features.sources.field_owners import AWAITED, OURS, THEIRS, EventSource, OwnedUnit
from kalends.languages import N_, translate
from kalends.present import conventions
from kalends.present.recurrence_words import in_words
from kalends.site import times
from kalends.site.forms.form import Form, number_in
from kalends.site.pages.templates import render
from kalends.values import dates, markup, recurrence, zones
from kalends.values.recurrence import RecurrenceError

FORM = "field-owners"
LONGEST = 300  # characters of a value
OWNERS = {
    THEIRS: N_("Theirs"),
    OURS: N_("Ours"),
    merging.LOCKED: N_("Locked"),
    AWAITED: N_("Theirs with the next read"),
}
GIVEN_BACK = N_("The field is again as the source has it.")
LATER = N_("The field is the source's again: the next read that tells it brings it.")
IS_LOCKED = N_("The field stays as it is here.")


class SourceFieldRow(NamedTuple):
    """A unit as people read it. `value`: what its buttons send."""

    label: str
    theirs: str
    ours: str
    owner: str
    value: str


class ShownSource(NamedTuple):
    """A source of the event."""

    name: str
    path: str  # empty for those without the right to see it
    is_series: bool
    rows: Sequence[SourceFieldRow]

    @property
    def decided(self) -> int:
        """How many fields do not follow it."""
        return sum(row.owner in (OURS, merging.LOCKED) for row in self.rows)


def record_blocks(
    work: UnitOfWork, request: AdminRequest, position: str, kind: Kind, ids: Sequence[int]
) -> Mapping[int, Markup]:
    """The fields of an event with a source, and the form that their buttons belong to."""
    if position in (EDITED, REVIEWED):
        return duplicates_admin.blocks(work, request, kind, ids)
    if kind is not EVENT or position not in (ACTIONS, FIELDS):
        return {}
    found = {id: sources for id in ids if (sources := field_owners.of_event(work, id))}
    return {id: _block(request, position, id, sources) for id, sources in found.items()}


def _block(request: AdminRequest, position: str, id: int, sources: Sequence[EventSource]) -> Markup:
    shown = [_shown(request, one) for one in sources] if position == FIELDS else []
    return Markup(  # noqa: S704 - a template, which escapes
        render(
            "features/sources/event_fields.html",
            request.language,
            frame=request.frame,
            form_id=FORM,
            action=request.frame.at(f"/admin/events/{id}/fields"),
            shown=shown,
            owners=OWNERS,
        )
    )


def decide(request: AdminRequest, form: Form, id: int) -> None:
    """Gives a field back to its source, or locks it."""
    back = f"/admin/events/{id}"
    if written := form.text("lock"):
        request.write(field_owners.lock, id, *_named(written))
        request.go(back, IS_LOCKED)
        return
    source, unit = _named(form.text("theirs"))
    request.write(field_owners.unlock, id, source, unit)
    reading.read_and_wait(request.calendar, source)
    found = request.read_latest(field_owners.of_event, id)
    owners = [row.owner for one in found if one.source.id == source for row in one.units if row.name == unit]
    request.go(back, GIVEN_BACK if owners == [THEIRS] else LATER)


def _named(written: str) -> tuple[int, str]:
    number, _, unit = written.partition(":")
    return number_in(number) or 0, unit


def _shown(request: AdminRequest, one: EventSource) -> ShownSource:
    path = f"/admin/sources/{one.source.id}" if may_manage_site(request.caller) else ""
    rows = [_row(request, one, unit) for unit in one.units]
    return ShownSource(one.source.name, path, one.is_series, rows)


def _row(request: AdminRequest, one: EventSource, unit: OwnedUnit) -> SourceFieldRow:
    fields = [field for field in EVENT.fields if field.name in unit.fields]
    theirs = {field.name: _text(request, field, one.theirs) for field in fields}
    ours = {field.name: _text(request, field, one.ours) for field in fields}
    if len(fields) > 1:  # of those that are merged as one, what differs; the first one if none does
        fields = [field for field in fields if theirs[field.name] != ours[field.name]] or fields[:1]
    label = ", ".join(translate(field.label, request.language) for field in fields)
    there, here = (" · ".join(filter(None, (side[field.name] for field in fields))) for side in (theirs, ours))
    return SourceFieldRow(label, there, here, unit.owner, f"{one.source.id}:{unit.name}")


def _text(request: AdminRequest, field: RecordField, values: Mapping[str, object]) -> str:
    """A value as people read it: what is here, or the text that is kept of what is there."""
    value, language = values.get(field.name), request.language
    ways: Mapping[str, Callable[[str], str]] = {
        "html": markup.text_of,
        "flag": lambda text: yes_or_no(text in ("True", "1", "true"), language),
        "choice": lambda text: choice(text, language),
        "date": lambda text: _moment(text, language),
        "image": lambda text: _picture(request, text),
        "recurrence": lambda text: _rule(text, values, language),
    }
    if isinstance(value, list) and field.name in LINKED_KINDS:
        names = request.calendar.read(request.caller, labels.names_of, LINKED_KINDS[field.name].name, value)
        return ", ".join(names.get(str(id), f"#{id}") for id in value)
    text = "" if value is None else str(value)
    text = ways.get(field.display, str)(text) if text else ""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _moment(text: str, language: str) -> str:
    try:
        return times.moment(dates.text(dates.from_text(text.removesuffix("Z"))), language)
    except ValueError:
        return text


def _picture(request: AdminRequest, text: str) -> str:
    """The name of its file: an address there is long, and may have a secret."""
    return pictures.names(request, [text]).get(text, "") if text.isdigit() else PurePosixPath(text).name[:80]


def _rule(text: str, fields: Mapping[str, object], language: str) -> str:
    start, zone = (str(fields.get(name) or "") for name in ("start_date", "timezone"))
    try:
        first = dates.from_text(start.removesuffix("Z"))
        known = zones.canonical_zone(zone or "UTC")
        return in_words(recurrence.from_text(text), first, known, language, region=conventions.current().region)
    except (ValueError, RecurrenceError):
        return text


SCREENS = {"/admin/events/{id:digits}/fields": Screen(NOWHERE, act=decide, right=may_write)}
