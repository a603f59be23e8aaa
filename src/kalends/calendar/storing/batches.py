"""The one writer of events: of a request, a batch, an import, a series, and what is due. Those that are written
together take one statement a step. Every event gets its own row of the journal, which says whether everybody can
notice the change."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.storing import first_publication, redirecting, rendering
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import FUTURE, PUBLISH, TRASH
from kalends.store.rows import change_notes, history, journal, links, posts, series, tables
from kalends.store.rows import events as stored_events
from kalends.store.rows.events import EventChange, Targets
from kalends.store.rows.records import POST_TYPES, Companion, Event, Post, Series
from kalends.values import names

READ_AT_ONCE = 100  # records that are due, with their texts
# What going to the trash changes by itself.
UNNOTICED = ("status", "trashed_from", "modified_utc", "rev", "post_parent", "own_fields")


@dataclass(slots=True)
class NewEvent:
    """An event that is ready to be stored, but for its id and its slug."""

    event: Event
    targets: Targets
    wanted_slug: str = ""
    wanted_id: int = 0


def store(work: UnitOfWork, new: Sequence[NewEvent]) -> None:
    """Gives the events ids and slugs, and stores them."""
    rev = None
    if any(one.wanted_id for one in new):
        for one in new:
            one.event.id = tables.claim_number(work.session, "post", one.wanted_id)
    elif len(new) == 1:
        new[0].event.id, rev = tables.next_of_each(work.session, "post", "rev")
    else:
        assign_ids(work, [one.event for one in new])
    _name(work, new)
    insert_each(work, [(one.event, one.targets) for one in new], rev)


def _name(work: UnitOfWork, new: Sequence[NewEvent]) -> None:
    """Slugs that are unique among these events and those that are stored."""
    wanted = [one.wanted_slug or names.slugify(one.event.name) or EVENT.name for one in new]
    if len(new) == 1:
        new[0].event.slug = posts.free_slug(work.session, EVENT.name, wanted[0], 0)
        return
    taken = stored_events.used_slugs(work.session, [names.slug_key(slug) for slug in wanted]) if wanted else set()
    numbers: dict[str, int] = {}
    for one, slug in zip(new, wanted, strict=True):
        found = slug
        if names.slug_key(slug) in taken and slug not in numbers:
            free = posts.free_slug(work.session, EVENT.name, slug, 0)
            numbers[slug] = int(free.rpartition("-")[2]) if free != slug else 2
        while names.slug_key(found) in taken or (found != slug and _is_stored(work, found)):
            found = names.numbered(slug, numbers[slug])
            numbers[slug] += 1
        taken.add(names.slug_key(found))
        one.event.slug = found


def _is_stored(work: UnitOfWork, slug: str) -> bool:
    return posts.id_of_slug(work.session, EVENT.name, slug) is not None


def assign_ids(work: UnitOfWork, events: Sequence[Event]) -> None:
    """Gives new events their ids."""
    if not events:
        return
    for event, id in zip(events, tables.next_numbers(work.session, "post", len(events)), strict=True):
        event.id = id


def insert(work: UnitOfWork, events: Sequence[Event], targets: Targets) -> None:
    """Stores new events, which have their ids already and all have the same links."""
    insert_each(work, [(event, targets) for event in events])


def insert_each(work: UnitOfWork, new: Sequence[tuple[Event, Targets]], rev: int | None = None) -> None:
    """Stores new events, which have their ids already, each with what it is linked to. `rev`: the number of the
    change, if there is one event and its number was taken with its id."""
    if not new:
        return
    events = [event for event, _ in new]
    _record(work, [(event, journal.CREATE, event.status == PUBLISH) for event in events], rev)
    stored_events.insert(work.session, new)
    for tell in hooks.stored:
        tell(work, EVENT, [hooks.Stored(None, event) for event in events])
    work.changed_events.extend((None, event) for event in events)
    if showing := [event for event, targets in new if any(map(targets.get, links.KINDS))]:
        first_publication.publish_companions(work, showing)
    linked = {event.id: targets for event, targets in new}
    work.new_links.update(linked)
    rendering.refresh_events(work, events, linked)


def update(work: UnitOfWork, changes: Sequence[EventChange]) -> None:
    """Stores changed events."""
    if not changes:
        return
    for change in changes:
        change.after.modified_utc = work.now_text
    _update(work, changes)


def rewrite(work: UnitOfWork, event: Event) -> None:
    """Stores an event as it is, with everything that is computed from it."""
    _record(work, [(event, journal.UPDATE, event.status == PUBLISH)])
    targets = links.all_targets(work.session, event.id)
    stored_events.update(work.session, [EventChange(event, event, targets)], wholly=True)
    for tell in hooks.stored:
        tell(work, EVENT, [hooks.Stored(event, event)])
    first_publication.publish_companions(work, [event])
    rendering.refresh_events(work, [event])


def publish_due(work: UnitOfWork, next_due: str | None) -> bool:
    """Publishes what is due, the first of it at that time, as far as it is quickly done; whether more is left. Its
    time of change stays as it was."""
    if next_due is None or next_due > work.now_text:
        return False
    until = Deadline()
    for kind in POST_TYPES:
        due, done = posts.due(work.session, kind, work.now_text, READ_AT_ONCE), 0
        for some in until.slices(due, lambda some: [len(post.description) for post in some]):
            _publish_events(work, [post for post in some if isinstance(post, Event)])
            for post in some:
                if isinstance(post, Companion):
                    published = msgspec.structs.replace(post, status=PUBLISH)
                    first_publication.store(work, kind, post, published)
            done += len(some)
        if done < len(due) or done == READ_AT_ONCE or (due and until.is_over):
            return True
    return False


def _publish_events(work: UnitOfWork, due: Sequence[Event]) -> None:
    """Publishes events, and series that were due with them."""
    if not due:
        return
    _publish_series(work, {event.series for event in due if event.series})
    changes = [EventChange(event, msgspec.structs.replace(event, status=PUBLISH)) for event in due]
    _update(work, changes)


def _publish_series(work: UnitOfWork, ids: set[int]) -> None:
    """Publishes those of some series that are due themselves; further occurrences are then public at once."""
    for found in series.find_many(work.session, ids).values():
        if found.status == FUTURE and found.template.event.date_utc <= work.now_text:
            found.template.event.status = PUBLISH
            series.update(work.session, found)


def _update(work: UnitOfWork, changes: Sequence[EventChange]) -> None:
    _record(
        work,
        [
            (one.after, journal.UPDATE, announce(work, one.before, one.after, is_relinked=bool(one.linked)))
            for one in changes
        ],
    )
    stored_events.update(work.session, changes)
    for tell in hooks.stored:
        tell(work, EVENT, [hooks.Stored(one.before, one.after) for one in changes])
    redirecting.rename(work, EVENT, [(one.before, one.after) for one in changes])
    work.changed_events.extend((one.before, one.after) for one in changes)
    restored = [one.after.id for one in changes if one.before.status == TRASH != one.after.status]
    first_publication.restore_companions(work, restored)
    first_publication.publish_companions(work, [one.after for one in changes])
    rendering.refresh_events(work, [one.after for one in changes])


def _record(work: UnitOfWork, changed: Sequence[tuple[Event, str, bool]], first: int | None = None) -> None:
    """Journal rows, and the last change of each series."""
    rows = [(event.id, action, public) for event, action, public in changed]
    last: dict[int, int] = {}
    for (event, _, _), rev in zip(
        changed, journal.record_all(work.session, "event", rows, work.now_text, first), strict=True
    ):
        event.rev = rev
        if event.series is not None:
            last[event.series] = rev
    for id, rev in last.items():
        series.record_change(work.session, id, rev)


def insert_series(work: UnitOfWork, new: Series) -> None:
    """Stores a new series."""
    series.insert(work.session, new)
    journal.record(work.session, history.SERIES, new.id, journal.CREATE, public=False, at=work.now_text)


def note_series(work: UnitOfWork, before: Series, after: Series, *, public: bool) -> None:
    """After a series was stored: what it was before, for its history. `public`: so are some of its dates."""
    if before.recurrence != after.recurrence:
        rev = note_rule(work, after.id, public=public)
        replaced = history.RULE
    elif all(getattr(before, name) == getattr(after, name) for name in ("template", "series_of")):
        return
    else:
        rev = journal.record(work.session, history.SERIES, after.id, journal.UPDATE, public=False, at=work.now_text)
        replaced = history.SHARED
    if work.session.keeps_history:
        history.insert_series(work.session, before, replaced, rev, work.now_text)


def note_rule(work: UnitOfWork, id: int, *, public: bool) -> int:
    """After the rule of a series was stored that all its events show: those that did not change themselves have
    changed with it. The number of the change."""
    rev = journal.record(work.session, history.SERIES, id, journal.UPDATE, public=public, at=work.now_text)
    change_notes.note_cause(work.session, change_notes.SERIES, id, rev)
    return rev


def announce(work: UnitOfWork, before: Post, after: Post, *, is_relinked: bool = False) -> bool:
    """Whether the row of the journal for a change of a record is public: an anonymous reader can notice it. When a
    public event goes to the trash with something new, a row before tells that it is gone, and that of the change is
    not public: feeds that cancel it must not find it by what was never public."""
    is_public = PUBLISH in (before.status, after.status)
    if isinstance(after, Event) and (before.status, after.status) == (PUBLISH, TRASH):
        kept = {name: getattr(before, name) for name in UNNOTICED}
        if is_relinked or msgspec.structs.replace(after, **kept) != before:
            journal.announce(work.session, EVENT.name, after.id, work.now_text)
            return False
    return is_public
