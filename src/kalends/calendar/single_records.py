"""Events, venues and organizers, one at a time: what fetches, hashes or shows around the operations on them."""

from collections.abc import Callable, Sequence
from typing import cast

from kalends.calendar.access import Caller
from kalends.calendar.lists import event_view
from kalends.calendar.lists.event_view import EventView
from kalends.calendar.lists.page_views import ShownEvent
from kalends.calendar.posts import creating, posts, protected_events
from kalends.calendar.posts.apply_fields import check_required
from kalends.calendar.posts.linked_records import Shown, show, show_new
from kalends.calendar.posts.with_images import writing_with_images
from kalends.calendar.series import operations
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT, Kind
from kalends.store.rows import external
from kalends.store.rows.records import Post

Precondition = Callable[[Shown], None]  # raises when the record is not the one that the client expected


def create_post(calendar: Transactions, caller: Caller, kind: Kind, reading: Reading, base_url: str) -> Shown:
    with writing_with_images(calendar, caller, kind, reading, base_url) as work:
        if kind is EVENT:
            check_required(work, reading.values)
        return show_new(work, [operations.create(work, kind, reading)])[0]


def create_events(
    calendar: Transactions, caller: Caller, readings: Sequence[Reading], base_url: str
) -> list[creating.Result]:
    """Several events, stored together; in place of one that is refused, the reason. Each `creating.can_wait`."""
    with calendar.writing(caller, base_url) as work:
        return creating.create_events(work, readings)


def read_post(
    calendar: Transactions, caller: Caller, kind: Kind, key: posts.Key, password: str | None = None, address: str = ""
) -> Shown:
    """One record. `password` unmasks a protected event; wrong ones from an address are throttled."""
    if password is not None and kind is EVENT:
        return protected_events.read_with_password(calendar, caller, key, password, address)
    with calendar.reading(caller) as work:
        return show(work, posts.read(work, kind, key))


def update_post(
    calendar: Transactions,
    caller: Caller,
    kind: Kind,
    key: posts.Key,
    reading: Reading,
    base_url: str,
    precondition: Precondition | None = None,
    scope: str = operations.THIS,
    *,
    first_is_whole: bool = False,
) -> Shown:
    """Changes a record. `scope`: of an event that repeats, which occurrences. `first_is_whole`: its first
    publication is that of all."""
    with writing_with_images(calendar, caller, kind, reading, base_url, key) as work:

        def check(post: Post) -> None:
            if precondition is not None:
                precondition(show(work, post))

        updated = operations.update(work, kind, key, reading, scope, check, first_is_whole=first_is_whole)
        return show(work, updated)


def copy_event(calendar: Transactions, caller: Caller, id: int, reading: Reading, base_url: str) -> Shown:
    """A new event with these values, which has the password of the one that it is a copy of."""
    with calendar.writing(caller, base_url) as work:
        return show(work, operations.create_copy(work, id, reading))


def view_event(
    calendar: Transactions, caller: Caller, key: posts.Key, password: str | None = None, address: str = ""
) -> EventView:
    """The page of an event. `password` unmasks a protected one; wrong ones from an address are throttled."""
    if password is not None:
        shown = protected_events.read_with_password(calendar, caller, key, password, address)
        return calendar.read(caller, event_view.around, cast(ShownEvent, shown))
    return calendar.read(caller, event_view.of_event, key)


def delete_post(
    work: UnitOfWork,
    kind: Kind,
    key: posts.Key,
    *,
    force: bool,
    precondition: Precondition | None = None,
    scope: str = operations.THIS,
) -> Shown:
    """Deletes a record. `scope`: of an event that repeats, which occurrences."""
    shown = show(work, posts.writable(work, kind, key))
    if precondition is not None:
        precondition(shown)
    deleted = operations.delete(work, kind, shown[0], force=force, scope=scope)
    return (deleted, shown[1]) if force else show(work, deleted)  # for good, its links are gone with it


def find_external(work: UnitOfWork, kind: Kind, source: str, external_id: str) -> int | None:
    """The record of any kind that has this id at this source, if the caller can read it."""
    id = external.id_of(work.session, kind.name, source, external_id)
    if id is None or kind.is_term or work.visibility.can_read(posts.find(work, kind, id)):
        return id
    return None
