"""Creates, changes and deletes records, of which events may be occurrences of a series.

`scope` says how far a change of an occurrence reaches: this one, this and the following ones, or all. On a single
event it has no meaning. A series of which nothing is public yet may be changed whole, as one event: whatever status a
date has for itself, it gets that of the others, and when it is not to repeat any more, one event is left.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

import msgspec

from kalends.calendar.access import UnitOfWork, may_edit
from kalends.calendar.posts import posts
from kalends.calendar.posts.posts import Key
from kalends.calendar.posts.references import LINKING, TERM_FIELDS
from kalends.calendar.series import changing, new_occurrences, series_change, shared_fields, whole_series
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.series.statuses import trash
from kalends.contract.errors import IN_TRASH, OUT_OF_BOUNDS, ApiError, FieldError, Problems
from kalends.contract.fields import Reading, Values, read_update
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.statuses import FUTURE, PENDING, PUBLISH, TRASH
from kalends.contract.types.recurrences import field_error
from kalends.languages import N_
from kalends.store.rows import links, series
from kalends.store.rows import posts as stored_posts
from kalends.store.rows.records import Event, Post, SentRecurrence, Series
from kalends.values import dates, names
from kalends.values.recurrence import Recurrence, RecurrenceError

THIS, FOLLOWING, ALL = "this", "following", "all"
WHOLE = "whole"  # no client sends it, nor
AS_SENT = "as sent"  # that what is sent is how the whole series should be (whole_series.py)
PUBLICATION = frozenset({"status", "date", "date_utc"})  # what says when an event is public
# What a date has for itself is known by column and kind.
OWN_NAMES = {"start_date": "start_local", "end_date": "end_local"} | {
    name: kind.name for name, kind in TERM_FIELDS.items()
}


def create(work: UnitOfWork, kind: Kind, reading: Reading, wanted_id: int = 0) -> Post:
    """A new event, venue or organizer, with the nested records of its body; of an event that repeats the first
    occurrence. A single one gets the wanted id if it is free."""
    rule = reading.values.pop("recurrence", None)
    if isinstance(rule, Recurrence):
        with _explained():
            return _create_series(work, reading, rule)
    return posts.insert(work, kind, *posts.prepare(work, kind, reading), reading.values, wanted_id)


def create_copy(work: UnitOfWork, id: int, reading: Reading) -> Post:
    """A new event with these values, protected by the password of an event that the caller sees all of."""
    original = cast(Event, posts.read(work, EVENT, id))
    if original.password is not None:
        reading.values["password"] = original.password  # the digest: the password itself is not known
    return create(work, EVENT, reading)


def update(
    work: UnitOfWork,
    kind: Kind,
    key: Key,
    reading: Reading,
    scope: str = THIS,
    precondition: Callable[[Post], None] | None = None,
    *,
    first_is_whole: bool = False,
) -> Post:
    """Changes what was sent and nothing else. `precondition` is called with the record as it was. `first_is_whole`:
    the first publication of a series is that of all its dates, whatever the scope of the other fields."""
    if scope == AS_SENT and kind is EVENT and (found := whole_series.of(work, key)) is not None:
        with _explained():
            return whole_series.update(work, found, key, reading, precondition)
    before, post, values = posts.change(work, kind, key, reading, precondition)
    if not isinstance(before, Event) or not isinstance(post, Event):
        return posts.save(work, kind, before, post, values)
    if before.series is not None and series_change.settle(work, before.series, before.id if scope == THIS else 0):
        before, post = _renewed(work, before, post)
    with _explained():
        if before.series is not None:
            if first_is_whole and scope != WHOLE and _is_first_publication(work, before, post):
                return _publish_whole(work, post.id, reading, scope)
            _update_occurrence(work, before, post, values, scope)
            return post
        rule = values.pop("recurrence", None)
        if isinstance(rule, Recurrence):
            return _repeat(work, before, post, values, rule)
    return posts.save(work, kind, before, post, values)


def delete(work: UnitOfWork, kind: Kind, post: Post, *, force: bool, scope: str = THIS) -> Post:
    """Moves a record to the trash, or deletes it for good; the record as it then is."""
    if scope == AS_SENT and isinstance(post, Event) and post.series is not None:
        whole_series.join_parts(work, post.series)
        post, scope = posts.find(work, kind, post.id), ALL
    if isinstance(post, Event) and post.series is not None and series_change.settle(work, post.series):
        found = stored_posts.find(work.session, kind.name, post.id)
        if found is None:  # it was about to be deleted with the others
            post.status, post.modified_utc = TRASH, work.now_text
            return post
        post = found
    if not isinstance(post, Event) or post.series is None:
        return posts.delete(work, kind, post, force=force)
    with _explained():
        if not force:
            if post.status == TRASH:
                raise ApiError(IN_TRASH[kind.name])
            before = msgspec.structs.replace(post)
            trash(post)
            _store(work, changing.Request(before, post, {"status"}, {}, TRASH), scope)
        elif scope == THIS:
            changing.delete_one(work, post)
        else:
            changing.delete_many(work, post, following=scope == FOLLOWING)
    return post


def _renewed(work: UnitOfWork, before: Event, post: Event) -> tuple[Event, Event]:
    """An event before and after a change, where a change of its series that was under way came before this one."""
    found = cast(Event, posts.find(work, EVENT, post.id))
    names = [name for name in Event.__struct_fields__ if getattr(before, name) != getattr(post, name)]
    return found, msgspec.structs.replace(found, **{name: getattr(post, name) for name in names})


def find_series(work: UnitOfWork, id: int) -> Series | None:
    """A series, or the first of its course, that the caller may know of."""
    candidates = [id, *series.of_course(work.session, id)]
    found = (series.find_readable(work.session, work.visibility, one) for one in candidates)
    return next(filter(None, found), None)


def is_public(work: UnitOfWork, id: int) -> bool:
    """Whether a date of a series is public."""
    return any(status == PUBLISH for _, status in series.owners(work.session, id))


def _is_first_publication(work: UnitOfWork, before: Event, event: Event) -> bool:
    """Whether a date is published, or sent to review, of a series of which nothing is public yet."""
    is_on_its_way = event.status in (PUBLISH, FUTURE, PENDING) and before.status not in (event.status, TRASH)
    return is_on_its_way and not is_public(work, before.series or 0)


def _publish_whole(work: UnitOfWork, id: int, reading: Reading, scope: str) -> Post:
    """Publishes all dates of a series, and changes what else was sent as far as the scope says."""
    names = reading.values.keys()
    of_all = Reading({name: reading.values[name] for name in names & PUBLICATION}, Problems())
    others = Reading({name: reading.values[name] for name in names - PUBLICATION}, reading.problems)
    update(work, EVENT, id, of_all, WHOLE)
    return update(work, EVENT, id, others, scope)


def _update_occurrence(work: UnitOfWork, before: Event, event: Event, values: Values, scope: str) -> None:
    problems = Problems()
    if event.post_parent != before.post_parent:
        problems.add("post_parent", whole_series.parent_is_fixed())
    if "recurrence" in values and scope == THIS:
        problems.add(
            "recurrence",
            FieldError(OUT_OF_BOUNDS, N_("belongs to the whole series: send it with scope=all or scope=following.")),
        )
    problems.raise_any()
    names = shared_fields.changed(before, event)
    if not names and "recurrence" not in values and LINKING.isdisjoint(values):
        return  # a client sent back what it had read
    rule = values.get("recurrence", changing.KEEP)
    status = None if values.get("status") is None else str(values["status"])
    targets = posts.links_of(work, values, event)
    request = changing.Request(before, event, names, targets, status, rule, is_whole=scope == WHOLE)  # type: ignore[arg-type]
    _store(work, request, scope)


def _store(work: UnitOfWork, request: changing.Request, scope: str) -> None:
    if scope == THIS:
        changing.change_one(work, request.before, request.event, request.names, request.targets)
    else:
        changing.change_many(work, request, following=scope == FOLLOWING)


@contextmanager
def _explained() -> Iterator[None]:
    """What is wrong with a recurrence is the client's to know: which part, and why."""
    try:
        yield
    except RecurrenceError as error:
        Problems({"recurrence": field_error(error)}).raise_any()


def _create_series(work: UnitOfWork, reading: Reading, rule: Recurrence) -> Post:
    """A new event with all its occurrences; the first of them."""
    if reading.values.get("post_parent"):
        reading.problems.add("post_parent", whole_series.parent_is_fixed())
    event, targets = posts.prepare(work, EVENT, reading)
    assert isinstance(event, Event)
    slug = str(reading.values.get("slug") or "") or names.slugify(event.name) or EVENT.name
    stem = new_occurrences.stem_of(slug, event.start_local)
    edit = SeriesEdit(work, _new_series(event, targets, stem, rule), [event], {})
    edit.fill()
    edit.save()
    return event


def _repeat(work: UnitOfWork, before: Event, event: Event, values: Values, rule: Recurrence) -> Post:
    """Makes a single event the first of a series. It keeps its id and its address."""
    targets = posts.links_of(work, values, event)
    all_targets = {**links.all_targets(work.session, event.id), **targets}
    stem = new_occurrences.stem_of(event.slug, event.start_local)
    edit = SeriesEdit(work, _new_series(event, all_targets, stem, rule), [event], {event.id: before})
    if targets:
        edit.linked[event.id] = targets
    edit.fill()
    edit.save()
    return event


def _new_series(event: Event, targets: dict[str, list[int]], stem: str, rule: Recurrence) -> Series:
    """The series that begins with an event. It is stored with its events, when all of them are known."""
    first = dates.from_text(event.start_local)
    try:
        new_occurrences.check_new(rule, event)
    except RecurrenceError as error:
        Problems({"recurrence": field_error(error)}).raise_any()
    event.original_start, event.post_parent = event.start_local, 0
    template = shared_fields.template_of(event, targets, stem)
    text = rule.localized(first, event.timezone).to_text()
    template.sent = SentRecurrence(text, event.start_local)
    usual_end = dates.text(first + new_occurrences.length_of(event))
    if usual_end != event.end_local:  # it lasts into the second of a repeated hour, and others do not
        template.event.end_local = usual_end
        event.own_fields = [*event.own_fields, "end_local"]
    return Series(
        author=event.author,
        status=event.status,
        recurrence=text,
        template=template,
    )


def change_dates(work: UnitOfWork, id: int, wanted: Mapping[int, Values]) -> int | None:
    """Sends each of these dates of a series its values, the same fields to all: as the series, where that concerns no
    other date, and then later dates are made the same way; else each by itself. The date through which the series
    was changed; None if each was changed by itself."""
    found = series.find(work.session, id)
    if found is None:
        return None
    own, events = _stored_names(wanted), series.events(work.session, id)
    through, others = _through(work, found, events, wanted, own), dict(wanted)
    if through is not None:
        _send(work, through.id, others.pop(through.id), ALL)
        # What goes to the trash as a series does so whatever it has for itself.
        alone = [] if all(values == {"status": TRASH} for values in wanted.values()) else events
        others = {event.id: others[event.id] for event in alone if event.id in others and _sets(event, own)}
    for event, values in others.items():
        _send(work, event, values, THIS)
    return None if through is None else through.id


def _stored_names(wanted: Mapping[int, Values]) -> frozenset[str]:
    names = {name for values in wanted.values() for name in values}
    return frozenset(OWN_NAMES.get(name, name) for name in names)


def _through(
    work: UnitOfWork, found: Series, events: Sequence[Event], wanted: Mapping[int, Values], names: Collection[str]
) -> Event | None:
    """A date by which the series can be changed, if no date besides the wanted ones would become another."""
    if not all(may_edit(work.caller, event) for event in (found.template.event, *events)):
        return None
    values = next(iter(wanted.values()), {})
    live = [event for event in events if event.status != TRASH]
    alike = live if values.get("status") == TRASH else [event for event in live if not _sets(event, names)]
    if not all(event.id in wanted or _has(event, values) for event in alike or live):
        return None
    # A list of records that a date has for itself is not that of the others.
    candidates = alike if _names_records(values) else [*alike, *live]
    return next((event for event in candidates if event.id in wanted), None)


def _sets(event: Event, names: Collection[str]) -> bool:
    """Whether a date has one of these fields for itself."""
    return not set(names).isdisjoint(event.own_fields)


def _has(event: Event, values: Values) -> bool:
    """Whether a date has these values already. Other dates have other times."""
    is_comparable = not _names_records(values) and OWN_NAMES.keys().isdisjoint(values)
    return is_comparable and all(getattr(event, name) == value for name, value in values.items())


def _names_records(values: Values) -> bool:
    return not LINKING.isdisjoint(values)


def _send(work: UnitOfWork, id: int, values: Values, scope: str) -> None:
    update(work, EVENT, id, read_update(EVENT.fields, values), scope)
