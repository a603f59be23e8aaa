"""One read of a source: takes what is there and merges it, if it is something else than before, and removes what is
gone there for certain."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from kalends.calendar.access import ANONYMOUS, SERVICE, Caller
from kalends.calendar.service import Calendar
from kalends.calendar.site_settings import site_id
from kalends.contract.kinds import EVENT
from kalends.contract.roles import Role
from kalends.features.importing import rows as imports
from kalends.features.importing import run_rows
from kalends.features.importing.applying import images
from kalends.features.importing.applying.context import TO_TRASH, ImportOptions
from kalends.features.importing.applying.report import CONFLICT, CREATED, DELETED, UNCHANGED, UPDATED, RecordOutcome
from kalends.features.importing.matching import merging
from kalends.features.importing.records.messages import to_json
from kalends.features.importing.records.record import ImportSource, SourceError
from kalends.features.importing.rows import Imported
from kalends.features.importing.run import Import
from kalends.features.importing.sources.site import RemoteSite
from kalends.features.importing.sources.web_client import WebError
from kalends.features.sources import login, missing, rows
from kalends.features.sources.duplicates import looking as duplicates_looking
from kalends.features.sources.duplicates.facts import ComparedFacts
from kalends.features.sources.duplicates.finding import PossibleDuplicate, recognise
from kalends.features.sources.gathering import GONE, Gathered, KnownBefore
from kalends.features.sources.known_rows import Known, count_pending
from kalends.features.sources.missing import Shorter
from kalends.features.sources.remote import readers
from kalends.features.sources.remote.fetching import FetchedAnswer, fetch, plain_address, reach_of
from kalends.features.sources.remote.linked_pages import LinkedPages
from kalends.features.sources.remote.probing import probe, probe_anew
from kalends.features.sources.remote.readers import Window
from kalends.features.sources.remote.web_sources import WebSource
from kalends.features.sources.remote.window import SourceWindow
from kalends.features.sources.rows import ReadCounts, Source, SourceEvent, SourceStatus
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import users
from kalends.values import dates

MOST_UNREAD = timedelta(days=7)  # what has not changed is read again so often
PAGES_SECONDS = 120.0  # for the pages that a list of events links to
MOST_ASKED = 20  # pages that may be gone, in one read
MOST_CHANGES = 100  # changes of one read
NOBODY = N_("there is no user whom its events could belong to")


@dataclass
class ReadResult:
    """What came of a read."""

    counts: ReadCounts = field(default_factory=ReadCounts)
    changes: list[dict[str, Any]] = field(default_factory=list)  # the first ones
    remarks: list[str] = field(default_factory=list)
    left_out: int = 0
    changed: bool = False  # whether anything was written

    def watch(self, outcome: RecordOutcome) -> None:
        if outcome.kind != EVENT.name:
            return
        action = outcome.action
        is_changed = any(getattr(one, "sentence", "").startswith("changed:") for one in outcome.details)
        if action == CONFLICT:
            action = UPDATED if is_changed else UNCHANGED
        name = {CREATED: "created", UPDATED: "changed", UNCHANGED: "unchanged", DELETED: "gone"}.get(action)
        if name is None:
            self.left_out += 1
        else:
            self.counts = self.counts._replace(**{name: getattr(self.counts, name) + 1})
        if action != UNCHANGED and len(self.changes) < MOST_CHANGES:
            self.changes.append(outcome.as_json(to_json) | {"start": outcome.start})

    def report(self) -> str:
        content = {
            "events": self.changes,
            "remarks": [to_json(one) for one in self.remarks],
            "left_out": self.left_out,
        }
        return msgspec.json.encode(content).decode()


@dataclass
class SourceRead:
    """`seconds`: for all pages of a site. `dry`: nothing is written."""

    calendar: Calendar
    check: Callable[[], None]
    seconds: float = readers.SECONDS
    dry: bool = False

    def gather(self, source: Source, state: SourceStatus, result: ReadResult) -> None:
        """Reads what is there and merges it, if it is something else than the state knows, which is brought up to
        date. Raises SourceError."""
        now = self.calendar.clock()
        window = dates.months_later(now, -source.back), dates.months_later(now, source.ahead)
        credentials = login.unsealed(source.login, self.calendar.settings)
        with tempfile.TemporaryDirectory(prefix="kalends-") as folder:
            path = Path(folder) / "answer"
            asked = state if state.stale_utc > dates.text(now) else SourceStatus(id=state.id)
            kind, answer = state.kind, None
            reach, seconds = reach_of(self.calendar.settings), min(self.seconds, PAGES_SECONDS)
            if kind != readers.SITE:
                answer = fetch(source.address, credentials, asked, path, reach, now)
                kind = self._kind(source, state, readers.kind_of(answer.head)) if answer.head else kind
            elif state.probe and asked is state:
                answer = probe(state.probe, asked, path, reach, now)
            if answer is not None and not answer.head:
                self._unchanged(source, state, answer, result)
                return
            before = self._before(source)
            known = {id for id, one in before.known.items() if one.is_within(window)}
            pages = LinkedPages(plain_address(source.address), credentials, reach, seconds, self.check)
            if kind == readers.SITE or (kind in (readers.PAGE, readers.FEED) and not state.kind):
                inner: ImportSource = self._site_or_page(source, credentials, window, path, known, kind, pages)
            else:
                inner = readers.reader_of(self.calendar, source, kind, path, window, known, pages)
            self.check()

            def find(described: Mapping[str, ComparedFacts]) -> Mapping[str, Sequence[PossibleDuplicate]]:
                return self.calendar.read_latest(SERVICE, recognise, source.origin, described)

            gathered = Gathered(inner, source, before, window, find=find)
            if isinstance(
                inner, RemoteSite
            ):  # before it is read: what changes meanwhile is another answer the next time
                kind = readers.SITE
                answer = probe_anew(inner.first_page, path, reach, now) if not source.login else None
                state.probe = inner.first_page if answer is not None else ""
            self._apply(gathered, state, result, now)
        state.kind = kind
        if answer is not None:
            state.etag, state.modified, state.digest = answer.etag, answer.modified, answer.digest
        state.stale_utc = dates.text(self._stale(gathered, window, now))

    def _site_or_page(
        self, source: Source, credentials: login.SourceLogin, window: Window, path: Path, known: set[str], kind: str,
        pages: LinkedPages,
    ) -> ImportSource:  # fmt: skip
        """A page or a feed may be that of a site with an interface, which tells more."""
        try:
            return readers.site_of(self.calendar, source, credentials, window, self.seconds)
        except (SourceError, WebError):
            if kind == readers.SITE:
                raise
        return readers.reader_of(self.calendar, source, kind, path, window, known, pages)

    def _kind(self, source: Source, state: SourceStatus, found: str) -> str:
        readers.check_kind(found, state.kind, source.name)
        return found

    def _before(self, source: Source) -> KnownBefore:
        here = self.calendar.read(ANONYMOUS, site_id)
        return self.calendar.read_latest(SERVICE, KnownBefore.of, source, here)

    def _unchanged(self, source: Source, state: SourceStatus, answer: FetchedAnswer, result: ReadResult) -> None:
        with self.calendar.store.read() as session:
            held = count_pending(session, source.origin)
        result.counts = ReadCounts(unchanged=state.created + state.changed + state.unchanged, held=held)
        state.etag, state.modified = answer.etag, answer.modified

    @staticmethod
    def _stale(gathered: Gathered, window: tuple[datetime, datetime], now: datetime) -> datetime:
        """When the window reaches the next event, or a while has passed."""
        latest = now + (timedelta(days=1) if isinstance(gathered.inner, RemoteSite | WebSource) else MOST_UNREAD)
        if not gathered.listed.next:
            return latest
        reached = now + (dates.from_text(f"{gathered.listed.next} 00:00:00") - window[1])
        return min(max(reached, now + timedelta(days=1)), latest)

    # What becomes of it

    def _apply(self, gathered: Gathered, state: SourceStatus, result: ReadResult, now: datetime) -> None:
        source = gathered.source
        with self.calendar.store.read() as session:
            rev = last_run(session, source.origin)
        importer = Import(
            self.calendar,
            self._caller(source),
            ImportOptions(dry_run=self.dry, when_gone=source.when_gone),
            images.guarded_fetch(self.calendar, allow_private=self.calendar.settings.fetch_private),
            with_images=source.images,
            watch=result.watch,
            progress=lambda count: self.check(),
        )
        try:
            importer.run(gathered, resume=False)
            result.remarks += importer.report.remarks
            if not self.dry:
                self._store(gathered.changed_events)
                self._note(gathered)
                self._remove_missing(gathered, importer, state, now)
        finally:
            with self.calendar.store.read() as session:
                result.changed = last_run(session, source.origin) != rev
                result.counts = result.counts._replace(held=count_pending(session, source.origin))

    def _remove_missing(self, gathered: Gathered, importer: Import, state: SourceStatus, now: datetime) -> None:
        source, known = gathered.source, gathered.before.known
        gone = gathered.before.gone_ids
        if isinstance(gathered.inner, RemoteSite):
            among_site = (id for id, one in known.items() if id not in gone and not one.is_held)
            within = {id for id in among_site if known[id].is_within(gathered.window)}
            importer.remove_missing(
                gathered.inner,
                lambda row: row.kind == EVENT.name and row.external_id in within - gathered.listed.ids,
            )
            return
        among, inner = list(known.values()), gathered.inner
        if isinstance(inner, WebSource):
            among = [one for one in among if inner.covers(one.external_id, one.start_utc[:10])]
        try:
            found = missing.look_for(
                among, gathered.listed, gone, gathered.window, now, source.name, state.shrunk_utc
            )
        except Shorter:
            state.shrunk_utc = state.shrunk_utc or dates.text(now)
            raise
        state.shrunk_utc = ""
        if isinstance(inner, WebSource):
            there = [one for id, one in known.items() if id not in gone and one.is_within(gathered.window)]
            found = found._replace(gone=[*found.gone, *_gone_pages(inner, there, gathered.listed)])
        held = {id for id, one in known.items() if one.is_held}
        self._forget_gone([one for one in found.gone if one.external_id in held])
        found = found._replace(gone=[one for one in found.gone if one.external_id not in held])
        if not found.gone:
            return
        importer.remove(gathered, found)
        if source.when_gone != TO_TRASH:
            self._mark_gone(found.gone)

    def _store(self, events: list[SourceEvent]) -> None:
        if events:
            with self.calendar.store.write() as session:
                rows.put_events(session, events)

    def _note(self, gathered: Gathered) -> None:
        """What may be two of one is for people, and so is what was taken for one."""
        self._forget_gone(gathered.gone_but_held)
        if gathered.duplicates:
            self.calendar.write(SERVICE, duplicates_looking.note, gathered.source.origin, gathered.duplicates)

    def _forget_gone(self, gone: Sequence[Imported]) -> None:
        """What is gone there and here for another reason stays as it is."""
        if gone:
            with self.calendar.store.write() as session:
                imports.put_many(session, [one._replace(digests="") for one in gone])

    def _mark_gone(self, gone: Any) -> None:
        """What is gone there and stays here, so that it is told once."""
        with self.calendar.store.write() as session:
            for one in gone:
                memory = merging.decode(one.digests)
                memory.pop("event_status", None)
                imports.put_many(session, [one._replace(digests=merging.encode(memory))])
            rows.put_events(session, [SourceEvent(one.source, one.external_id, GONE, "{}") for one in gone])

    def _caller(self, source: Source) -> Caller:
        """Whose events they are. What a source brings is as public as its administrators chose."""
        with self.calendar.store.read() as session:
            found = users.find_user(session, source.author)
            if found is None:
                others = [one for one in users.all_users(session) if one.role == Role.ADMINISTRATOR.word]
                found = others[0] if others else None
        if found is None:
            raise SourceError(NOBODY)
        return Caller(found.id, found.name, Role.EDITOR)


def _gone_pages(inner: WebSource, there: Sequence[Known], listed: SourceWindow) -> list[Imported]:
    """The events that are not listed any more and whose pages are gone too. A feed has only its newest entries, and
    a page may be the beginning of a list."""
    pages = {one.external_id: inner.page_of(one.external_id) for one in missing.unlisted(there, listed)}
    asked = [one for one in missing.unlisted(there, listed) if pages[one.external_id] and one.digests][:MOST_ASKED]
    return [one for one in asked if inner.pages.is_gone(pages[one.external_id])]


def last_run(session: Session, origin: str) -> tuple[int, str]:
    run = next(iter(run_rows.of_source(session, origin)), None)
    return (0, "") if run is None else (run.id, run.updated_utc)
