"""What a person who works on the calendar wants to know first: what is on, what waits, what could be better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from kalends.calendar.lists import days, pages
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import read_query
from kalends.contract.kinds import EVENT
from kalends.store.query.days import DayEvent
from kalends.store.query.unfinished import UnfinishedEvent, unfinished
from kalends.store.query.visibility import Visibility
from kalends.store.rows import users
from kalends.store.rows.records import Event
from kalends.values import zones

LISTED = 5
WEEK = timedelta(days=7)
AHEAD = timedelta(days=30)
ALL_TIME = {"start_date": "1900-01-01", "end_date": "9999-12-31"}
EXISTING = "publish,future,draft,pending,private"


@dataclass(frozen=True, slots=True)
class Section:
    """Some events and how many there are in all."""

    total: int
    events: Sequence[Event]


@dataclass(frozen=True, slots=True)
class Overview:
    today: date
    upcoming: Sequence[DayEvent]  # of seven days
    drafts: Section
    pending: Section
    changed: Sequence[Event]
    unfinished: Sequence[UnfinishedEvent]
    authors: Mapping[int, str]  # names by id
    is_empty: bool
    visibility: Visibility  # of the caller


def overview(work: UnitOfWork) -> Overview:
    """As the caller may see it."""
    today = zones.to_local(work.now, work.settings.timezone).date()
    upcoming = days.overlapping(work, read_query(EVENT.filters, {}), today, today + WEEK - timedelta(days=1))
    changed = _section(work, EXISTING)
    lacking = unfinished(work.session, work.visibility, f"{today} 00:00:00", f"{today + AHEAD} 00:00:00", LISTED + 1)
    return Overview(
        today=today,
        upcoming=upcoming,
        drafts=_section(work, "draft"),
        pending=_section(work, "pending"),
        changed=changed.events,
        unfinished=lacking,
        authors={user.id: user.name for user in users.all_users(work.session)},
        is_empty=not changed.total,
        visibility=work.visibility,
    )


def _section(work: UnitOfWork, status: str) -> Section:
    asked = {"status": status, "show_hidden": "true", "orderby": "modified", "order": "desc", **ALL_TIME}
    asked |= {"per_page": str(LISTED)}
    page = pages.find_page(work, EVENT, read_query(EVENT.filters, asked))
    found = [post for post in pages.posts_of(work, EVENT, page) if isinstance(post, Event)]
    return Section(page.total, found)
