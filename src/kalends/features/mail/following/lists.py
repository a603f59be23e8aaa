"""The lists that people follow: what they are called now, whatever became of the records that they name, and what
they have for everybody."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, cast

import msgspec

from kalends.calendar.access import ANONYMOUS, UnitOfWork
from kalends.calendar.lists.filter_checks import chosen_records
from kalends.calendar.lists.pages import Page, list_events
from kalends.calendar.service import Calendar
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_query
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.contract.kinds.event_filters import PAGE_FILTERS
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.nested_parameters import is_nested
from kalends.features.mail import facts
from kalends.features.mail.facts import Facts
from kalends.features.mail.following import rows
from kalends.features.mail.following.rows import WEEKLY, Follow
from kalends.languages import N_, translate
from kalends.settings import Settings
from kalends.site.calendar.calendar_selection import Records, Selection
from kalends.site.layout.frame import with_query
from kalends.store.rows import journal, posts, terms
from kalends.store.rows.records import Event
from kalends.values import dates, zones

PATH = "/events/list/"
YOUR_SEARCH = N_("your search")
MOST_LISTED = 15  # new ones, and others
SERIES_ONCE = {"collapse": "series"}


class ListFacts(NamedTuple):
    """A list as it is called now. `is_there`: everything that it names can be read by everybody; `is_deleted`: what a
    filter of it named is gone for good."""

    selection: Selection
    records: Records
    is_there: bool
    is_deleted: bool

    def words(self, language: str, settings: Settings) -> str:
        return self.selection.words(self.records, language, defined_fields(settings)) or settings.site_name

    @property
    def path(self) -> str:
        return with_query(PATH, self.selection.pairs)

    @property
    def query(self) -> str:
        """As it is stored."""
        return rows.encoded(self.selection.asked)


class FollowedList(NamedTuple):
    """What a mail tells of a list, and the list as it is called now. `is_there`: as above; of one that is not, what
    is new is told when it is back."""

    query: str
    is_there: bool
    facts: Facts


def unquoted(selection: Selection, records: Records, language: str, settings: Settings) -> str:
    """What a list is called to whom nobody has confirmed yet: without what a stranger typed."""
    typed = [name for name, _ in selection.pairs if name == "search" or is_nested(name)]
    words = Selection(selection.without(*typed)).words(records, language, defined_fields(settings))
    return " · ".join(filter(None, (words, translate(YOUR_SEARCH, language) if typed else ""))) or settings.site_name


def named(work: UnitOfWork, query: str) -> ListFacts:
    """What the stored filters of a list mean now: of records that were merged those that stay; without those that
    were deleted, as long as others of their filter are there."""
    stored = msgspec.json.decode(query, type=dict[str, str])
    selection = Selection([(name, value) for name, value in stored.items() if name != "search_in"])
    records = chosen_records(work, selection.chosen_values())
    selection = selection.by_id(records)
    is_there, is_deleted, pairs = True, False, []
    for name, value in selection.pairs:
        if name in LINKED_KINDS:
            known = {str(record.id) for record in records[name].values()}
            left = [one for one in selection.values(name) if one in known or _is_stored(work, name, one)]
            is_there, is_deleted = is_there and not {*left} - known, is_deleted or not left
            value = ",".join(left)
        pairs.append((name, value))
    return ListFacts(Selection(pairs), records, is_there, is_deleted)


def _is_stored(work: UnitOfWork, name: str, written: str) -> bool:
    """Whether a record is there at all, be it in the trash."""
    kind, id = LINKED_KINDS[name], int(written) if written.isdigit() else 0
    return (terms if kind.is_term else posts).find(work.session, kind.name, id) is not None


def new_since(work: UnitOfWork, rev: int) -> list[Event]:
    """The events to come that became public after a change. A date of a series that was public before is not new."""
    found = posts.find_many(work.session, "event", rows.announced(work.session, rev)).values()
    new = [cast(Event, event) for event in found]
    new = [event for event in new if facts.is_listed(event) and event.end_utc > work.now_text]
    series = {event.series for event in new if event.series is not None}
    others = rows.other_dates(work.session, series, [event.id for event in new], work.now_text)
    # Those that are made later of a long series are told to nobody.
    later = journal.created_since(work.session, "event", others, rev + 1)
    known = {of for id, of in others.items() if id not in later}
    return [event for event in new if event.series not in known]


def listed(
    calendar: Calendar, follow: Follow, new: Sequence[Event], now: datetime, ahead: datetime, settings: Settings
) -> FollowedList | None:
    """What a mail tells of a list: what takes place until `ahead`, and what is new of what takes place whenever; each
    series once. None of a list that is gone."""
    found = calendar.read(ANONYMOUS, named, follow.query)
    if found.is_deleted:
        return None
    written: Facts = {"rhythm": "weekly" if follow.rhythm == WEEKLY else "daily", "path": found.path}
    written["what"] = found.words(follow.language, settings)
    if not found.is_there:
        return FollowedList(found.query, False, written | {"events": [], "total": 0})
    local, until = (dates.text(zones.to_local(moment, settings.timezone)) for moment in (now, ahead))
    try:
        page, coming = _read(calendar, found, {"ends_after": local, "starts_before": until})
        total, news = page.total, dict[str, Facts]()
        if new:
            of_new, news = _read(calendar, found, _only(new))
            both = [event for event in new if event.start_utc < dates.text(ahead)]
            total += of_new.total - (_read(calendar, found, _only(both))[0].total if both else 0)
    except ApiError as error:
        if error.error_type.status not in (400, 404, 410):
            raise
        return None
    # A message is stored and passed on: what is behind a password is not in it, not even its title.
    masked = sum(event["masked"] for event in coming.values())
    keys = {_key(event) for event in new}
    shown = [event | {"is_new": key in keys} for key, event in (news | coming).items() if not event["masked"]]
    written |= {"events": sorted(shown, key=lambda one: str(one["start_utc"])), "total": total - masked}
    return FollowedList(found.query, True, written)


def _key(event: Event) -> str:
    return f"event {event.id}" if event.series is None else f"series {event.series}"


def _only(events: Sequence[Event]) -> Mapping[str, str]:
    return {"include": ",".join(str(event.id) for event in events)}


def _read(calendar: Calendar, of: ListFacts, more: Mapping[str, str]) -> tuple[Page, dict[str, Facts]]:
    """A page of a list, and what it shows, by event or series."""
    asked = {**of.selection.filters, **SERIES_ONCE, "per_page": str(MOST_LISTED), **more}
    page, shown = calendar.read(ANONYMOUS, list_events, read_query(PAGE_FILTERS, asked))
    events = {}
    for event, bundle in shown:
        venue = bundle.linked["venue"][0].name if bundle.linked["venue"] else ""
        events[_key(event)] = facts.public_facts(event, venue) | {"masked": bundle.masked}
    return page, events
