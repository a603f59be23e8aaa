"""What a person who works on the calendar wants to know first: what is on, what waits, what could be better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from kalends.calendar.access import UnitOfWork, may_manage_site, require_to_read
from kalends.calendar.lists import day_events, pages, series_rows
from kalends.calendar.lists.series_rows import EventOrSeries
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import EVENT
from kalends.store.copies import archive, copying
from kalends.store.engine.migrating import CORE, applied_migrations
from kalends.store.query.days import DayEvent
from kalends.store.query.editable_records import UnfinishedEvent, unfinished
from kalends.store.rows import reviews, users
from kalends.store.rows.records import Event
from kalends.store.rows.reviews import Note
from kalends.store.rows.visibility import Visibility
from kalends.values import zones

# What the people who run the server ask of its store.


class StoreState(NamedTuple):
    schema: int  # the number of its last migration
    events: int
    last_backup: str | None


def store_state(work: UnitOfWork) -> StoreState:
    require_to_read(may_manage_site(work.caller), work.caller)
    session = work.session
    schema = max(number for owner, number in applied_migrations(session) if owner == CORE)
    return StoreState(schema, copying.rows(session, "event"), archive.last_backup(session))


LISTED = 5
DRAFTS_READ = 25  # to find those that were sent back
READ_AT_ONCE, MOST_PAGES = 50, 20  # events that are read to find those that were changed last
WEEK = timedelta(days=7)
AHEAD = timedelta(days=30)
ALL_TIME = {"start_date": "1900-01-01", "end_date": "9999-12-31"}
EXISTING = "publish,future,draft,pending,private"


@dataclass(frozen=True, slots=True)
class DashboardSection:
    """Some rows and how many there are in all; each series is one."""

    total: int
    rows: Sequence[EventOrSeries]


@dataclass(frozen=True, slots=True)
class Overview:
    today: date
    upcoming: Sequence[DayEvent]  # of seven days
    drafts: DashboardSection
    sent_back: Sequence[tuple[EventOrSeries, Note]]  # of the caller's own, with what was said in review
    pending: DashboardSection
    changed: Sequence[Event]  # of each series the date that was changed last
    unfinished: Sequence[UnfinishedEvent]
    authors: Mapping[int, str]  # names by id
    is_empty: bool
    visibility: Visibility  # of the caller


def overview(work: UnitOfWork) -> Overview:
    """As the caller may see it."""
    today = zones.to_local(work.now, work.settings.timezone).date()
    upcoming = day_events.overlapping(work, read_query(EVENT.filters, {}), today, today + WEEK - timedelta(days=1))
    changed = _changed(work)
    lacking = unfinished(work.session, work.visibility, f"{today} 00:00:00", f"{today + AHEAD} 00:00:00", LISTED + 1)
    drafts = _section(work, "draft", DRAFTS_READ)
    said = reviews.notes_of(work.session, [row.event.id for row in drafts.rows])
    own = [row for row in drafts.rows if row.event.author == work.caller.user and row.event.id in said]
    own = [row for row in own if said[row.event.id].addressee == work.caller.user]
    return Overview(
        today=today,
        upcoming=upcoming,
        drafts=DashboardSection(drafts.total, drafts.rows[:LISTED]),
        sent_back=[(row, said[row.event.id]) for row in own],
        pending=_section(work, "pending"),
        changed=changed,
        unfinished=lacking,
        authors=users.author_names(work.session),
        is_empty=not changed,
        visibility=work.visibility,
    )


def _section(work: UnitOfWork, status: str, most: int = LISTED) -> DashboardSection:
    page, rows = series_rows.find_rows(work, _lately(status, per_page=str(most)))
    return DashboardSection(page.total, rows)


def _changed(work: UnitOfWork) -> list[Event]:
    """What was changed last. A change of a whole series is one of hundreds of dates, and shown once."""
    found: dict[int, Event] = {}
    for number in range(1, MOST_PAGES + 1):
        page = pages.find_page(
            work, EVENT, _lately(EXISTING, per_page=str(READ_AT_ONCE), page=str(number)), count_to=0
        )
        for event in pages.posts_of(work, EVENT, page):
            if isinstance(event, Event):
                found.setdefault(event.series or event.id, event)
        if len(found) >= LISTED or len(page.ids) < READ_AT_ONCE:
            break
    return list(found.values())[:LISTED]


def _lately(status: str, **more: str) -> Reading:
    asked = {"status": status, "show_hidden": "true", "orderby": "modified", "order": "desc", **ALL_TIME}
    return read_query(EVENT.filters, asked | more)
