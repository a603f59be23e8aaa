"""Creates, changes and deletes records, of which events may be occurrences of a series.

`scope` says how far a change of an occurrence reaches: this one, this and the following ones, or all. On a single
event it has no meaning.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

import msgspec

from kalends.calendar.posts import posts
from kalends.calendar.posts.posts import Key
from kalends.calendar.posts.unchanged import LINKING
from kalends.calendar.series import creating, fields, many, one
from kalends.calendar.series.edit import trash
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import IN_TRASH, OUT_OF_BOUNDS, ApiError, FieldError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.recurrences import field_error
from kalends.contract.statuses import TRASH
from kalends.languages import N_
from kalends.store.rows import series
from kalends.store.rows.records import Event, Post, Series
from kalends.values.recurrence import Recurrence, RecurrenceError

THIS, FOLLOWING, ALL = "this", "following", "all"


def create(work: UnitOfWork, kind: Kind, reading: Reading, wanted_id: int = 0) -> Post:
    """A new record; of an event that repeats the first occurrence. A single one gets the wanted id if it is free."""
    rule = reading.values.pop("recurrence", None)
    if not isinstance(rule, Recurrence):
        return posts.create(work, kind, reading, wanted_id)
    with _explained():
        return creating.create(work, reading, rule)


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
) -> Post:
    """Changes what was sent and nothing else. `precondition` is called with the record as it was."""
    before, post, values = posts.change(work, kind, key, reading, precondition)
    if not isinstance(before, Event) or not isinstance(post, Event):
        return posts.save(work, kind, before, post, values)
    with _explained():
        if before.series is not None:
            _update_occurrence(work, before, post, values, scope)
            return post
        rule = values.pop("recurrence", None)
        if isinstance(rule, Recurrence):
            return creating.repeat(work, before, post, values, rule)
    return posts.save(work, kind, before, post, values)


def delete(work: UnitOfWork, kind: Kind, post: Post, *, force: bool, scope: str = THIS) -> Post:
    """Moves a record to the trash, or deletes it for good; the record as it then is."""
    if not isinstance(post, Event) or post.series is None:
        return posts.delete(work, kind, post, force=force)
    with _explained():
        if not force:
            if post.status == TRASH:
                raise ApiError(IN_TRASH[kind.name])
            before = msgspec.structs.replace(post)
            trash(post)
            _store(work, many.Request(before, post, {"status"}, {}, TRASH), scope)
        elif scope == THIS:
            one.delete(work, post)
        else:
            many.delete(work, post, following=scope == FOLLOWING)
    return post


def find_series(work: UnitOfWork, id: int) -> Series | None:
    """A series, if the caller may know of it."""
    return series.find_readable(work.session, work.visibility, id)


def _update_occurrence(work: UnitOfWork, before: Event, event: Event, values: Values, scope: str) -> None:
    problems = Problems()
    if event.post_parent != before.post_parent:
        problems.add("post_parent", creating.parent_is_fixed())
    if "recurrence" in values and scope == THIS:
        problems.add(
            "recurrence",
            FieldError(OUT_OF_BOUNDS, N_("belongs to the whole series: send it with scope=all or scope=following.")),
        )
    problems.raise_any()
    names = fields.changed(before, event)
    if not names and "recurrence" not in values and LINKING.isdisjoint(values):
        return  # a client sent back what it had read
    rule = values.get("recurrence", many.KEEP)
    status = None if values.get("status") is None else str(values["status"])
    targets = posts.links_of(work, values, event)
    _store(work, many.Request(before, event, names, targets, status, rule), scope)  # type: ignore[arg-type]


def _store(work: UnitOfWork, request: many.Request, scope: str) -> None:
    if scope == THIS:
        one.change(work, request.before, request.event, request.names, request.targets)
    else:
        many.change(work, request, following=scope == FOLLOWING)


@contextmanager
def _explained() -> Iterator[None]:
    """What is wrong with a recurrence is the client's to know: which part, and why."""
    try:
        yield
    except RecurrenceError as error:
        Problems({"recurrence": field_error(error)}).raise_any()
