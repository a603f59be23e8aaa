"""Records and lists from fragments, for callers who see what anonymous readers see."""

from dataclasses import dataclass

from kalends.calendar.access import Caller, visibility_of
from kalends.calendar.lists.joined_fragments import FragmentReader, GatheredFragments
from kalends.calendar.lists.pages import Page
from kalends.calendar.posts import posts
from kalends.calendar.storing.prerender_task import Requested
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading
from kalends.contract.kinds import Kind
from kalends.store.rows import posts as stored_posts
from kalends.store.rows.journal import LastChange


@dataclass(frozen=True, slots=True)
class PrerenderedRecord:
    """The fragments of a record, and when something public last changed in the calendar."""

    id: int
    fragments: GatheredFragments
    changed: LastChange | None


class LastReader:
    """The reader of fragments that was used last, with what it remembers."""

    reader: FragmentReader | None = None


def read_record(calendar: Transactions, caller: Caller, kind: Kind, key: posts.Key) -> PrerenderedRecord | None:
    """One record from its fragments; None where the record itself has to be read."""
    if not visibility_of(caller).is_public:
        return None
    with calendar.reading(caller) as work:
        if work.session.due:
            return None
        id = key if isinstance(key, int) else stored_posts.id_of_slug(work.session, kind.name, key)
        if id is None:
            return None
        gathered = fragment_reader(work).read(work, kind, id)
        if gathered is None:
            work.memory.of(Requested).add(kind, [id])
            return None
        if not gathered.details and not gathered.found[0].detail:  # not public, or protected by a password
            return None
        return PrerenderedRecord(id, gathered, calendar.revision().changed)


def read_page(
    calendar: Transactions, caller: Caller, kind: Kind, reading: Reading
) -> tuple[Page, GatheredFragments] | None:
    """A page from its fragments; None where the records themselves have to be read."""
    if not visibility_of(caller).is_public:
        return None
    with calendar.reading(caller) as work:
        if work.session.due:
            return None
        page, gathered = fragment_reader(work).read_page(work, kind, reading)
        if gathered is None or not gathered.are_stored:
            work.memory.of(Requested).add(kind, page.ids)
        return None if gathered is None else (page, gathered)


def fragment_reader(work: UnitOfWork) -> FragmentReader:
    """Other settings of the site need other fragments, and neither they nor another epoch any of those that the last
    reader remembers."""
    last = work.memory.of(LastReader)
    reader = last.reader
    if reader is None or not reader.fits(work):
        reader = last.reader = FragmentReader(work.settings, work.epoch)
    return reader
