"""Creates a series: from a new event, or from a single one that is to repeat."""

from kalends.calendar.posts import posts
from kalends.calendar.series import fields, occurrences
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT
from kalends.contract.recurrences import field_error
from kalends.languages import N_
from kalends.store.rows import links
from kalends.store.rows.records import Event, Post, Series
from kalends.values import dates, names
from kalends.values.recurrence import Recurrence, RecurrenceError


def create(work: UnitOfWork, reading: Reading, rule: Recurrence) -> Post:
    """A new event with all its occurrences; the first of them."""
    if reading.values.get("post_parent"):
        reading.problems.add("post_parent", parent_is_fixed())
    event, targets = posts.prepare(work, EVENT, reading)
    assert isinstance(event, Event)
    slug = str(reading.values.get("slug") or "") or names.slugify(event.name) or EVENT.name
    stem = occurrences.stem_of(slug, event.start_local)
    edit = SeriesEdit(work, _new_series(event, targets, stem, rule), [event], {})
    occurrences.name_all(work.session, [event], stem)
    edit.fill()
    edit.save()
    return event


def repeat(work: UnitOfWork, before: Event, event: Event, values: Values, rule: Recurrence) -> Post:
    """Makes a single event the first of a series. It keeps its id and its address."""
    targets = posts.links_of(work, values, event)
    all_targets = {**links.all_targets(work.session, event.id), **targets}
    stem = occurrences.stem_of(event.slug, event.start_local)
    edit = SeriesEdit(work, _new_series(event, all_targets, stem, rule), [event], {event.id: before})
    if targets:
        edit.linked[event.id] = targets
    edit.fill()
    edit.save()
    return event


def parent_is_fixed() -> FieldError:
    return FieldError(OUT_OF_BOUNDS, N_("cannot be set on an event that repeats: it is the first of the series."))


def _new_series(event: Event, targets: dict[str, list[int]], stem: str, rule: Recurrence) -> Series:
    """The series that begins with an event. It is stored with its events, when all of them are known."""
    first = dates.from_text(event.start_local)
    try:
        occurrences.check(rule, first, event.timezone)
    except RecurrenceError as error:
        Problems({"recurrence": field_error(error)}).raise_any()
    event.original_start, event.post_parent = event.start_local, 0
    return Series(
        author=event.author,
        status=event.status,
        recurrence=rule.localized(first, event.timezone).to_text(),
        template=fields.template_of(event, targets, stem),
    )
