"""Reads one source: the work for later that asks at its time, takes what has changed, and notes how the source is."""

import logging
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from kalends.calendar.access import ANONYMOUS, SERVICE, Caller, UnitOfWork
from kalends.calendar.background.task_kinds import Again, Also, Done, Kind, LeaseLost, Outcome, Run, nothing
from kalends.calendar.service import Calendar
from kalends.calendar.site_settings import site_id
from kalends.contract.errors import ApiError
from kalends.contract.kinds import EVENT
from kalends.contract.roles import Role
from kalends.features.importing import rows as imports
from kalends.features.importing.applying import images
from kalends.features.importing.applying.context import TO_TRASH, Options
from kalends.features.importing.applying.report import CONFLICT, CREATED, DELETED, UNCHANGED, UPDATED
from kalends.features.importing.applying.report import Outcome as Told
from kalends.features.importing.matching import merging
from kalends.features.importing.records.messages import Message, to_json
from kalends.features.importing.records.record import Source as Inner
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.run import Import
from kalends.features.importing.sources.site import Site
from kalends.features.importing.sources.web_client import WebError
from kalends.features.importing.undo import change_rows
from kalends.features.sources import letters, login, missing, readers, rows
from kalends.features.sources.failures import stored
from kalends.features.sources.fetching import Answer, Away, fetch, reach_of
from kalends.features.sources.gathering import GONE, Before, Gathered
from kalends.features.sources.known_rows import count_pending
from kalends.features.sources.missing import Shorter
from kalends.features.sources.readers import Window
from kalends.features.sources.rows import TASK, Counts, Source, SourceEvent, SourceRun, State
from kalends.languages import N_
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import users
from kalends.values import dates

FIRST_WAIT, LONGEST_WAIT = 900.0, 86_400.0  # seconds after a failure
LONGEST_SLEEP = 3600.0  # seconds until a task looks at its time again: a clock that was ahead costs no more
MOST_UNREAD = timedelta(days=7)  # what has not changed is read again so often
MOST_TOLD = 100  # changes of one read
AT_ONCE = 2  # reads of one process
FAILED = N_("the read failed; the log of the server says why")
NOBODY = N_("there is no user whom its events could belong to")

log = logging.getLogger("kalends")


class FirstPage(msgspec.Struct):
    """Of the list of a site."""

    total_pages: int = 0


@dataclass
class Result:
    """What came of a read."""

    counts: Counts = field(default_factory=Counts)
    told: list[dict[str, Any]] = field(default_factory=list)  # the first changes
    remarks: list[str] = field(default_factory=list)
    left_out: int = 0
    changed: bool = False  # whether anything was written

    def watch(self, outcome: Told) -> None:
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
        if action != UNCHANGED and len(self.told) < MOST_TOLD:
            self.told.append(outcome.as_json(to_json) | {"start": outcome.start})

    def report(self) -> str:
        told = {"events": self.told, "remarks": [to_json(one) for one in self.remarks], "left_out": self.left_out}
        return msgspec.json.encode(told).decode()


@dataclass
class Reader:
    """Reads the sources of a calendar. `seconds`: for all pages of a site."""

    calendar: Calendar
    seconds: float = readers.SECONDS

    def kind(self) -> Kind:
        return Kind(TASK, N_("Sources"), self.run, at_once=AT_ONCE, longest=LONGEST_SLEEP)

    def run(self, run: Run, *, asked: bool = False) -> Outcome:
        """One look at a source: it is read when it is time, or when somebody asks."""
        now = self.calendar.clock()
        with self.calendar.store.read() as session:
            source = rows.find(session, int(run.task.key))
            state = rows.state(session, int(run.task.key))
        if source is None or not (source.active or asked):
            return Done()
        if not asked and not self._is_due(source, state, now):
            return self._again(source, dates.from_text(state.next_run), now)
        return self._read(run, source, state, now)

    def _is_due(self, source: Source, state: State, now: datetime) -> bool:
        """Whether it is time; what is further away than it can be was noted by a clock that was ahead."""
        if not state.next_run or state.next_run <= dates.text(now):
            return True
        longest = max(source.every, LONGEST_WAIT if state.failures else 0.0)
        return dates.from_text(state.next_run) > now + timedelta(seconds=longest)

    @staticmethod
    def _again(source: Source, at: datetime, now: datetime, also: Also = nothing) -> Outcome:
        return Again(min(at, now + timedelta(seconds=LONGEST_SLEEP)), also=also) if source.active else Done(also)

    def _read(self, run: Run, source: Source, state: State, now: datetime) -> Outcome:
        found, result, seconds, problem = msgspec.structs.replace(state), Result(), 0.0, ""
        try:
            self.gather(source, found, result, run.check)
        except (LeaseLost, StoreUnavailable):
            raise
        except Away as away:
            problem, seconds = stored(away.message), away.seconds
        except SourceError as error:
            problem = stored(error.message)
        except WebError as error:
            problem = stored(Message("{site}: {reason}", site=source.name, reason=error.message))
        except ApiError as error:
            problem = stored(Message(error.error_type.message, **error.arguments))
        except Exception:
            problem = stored(Message(FAILED))
            if problem != state.error:  # the same in each read would only fill the log
                log.exception("the read of source %d failed", source.id)
        ended = self.calendar.clock()
        wait = self._note(source, found, result, problem, seconds, ended)
        at = ended + timedelta(seconds=wait)
        found.next_run = dates.text(at)
        return self._again(source, at, ended, partial(self._store, source, state, found, result, now, ended))

    @staticmethod
    def _note(source: Source, state: State, result: Result, problem: str, seconds: float, now: datetime) -> float:
        """How the source is after a read; the seconds until the next one."""
        counts = result.counts
        if not problem or result.changed:
            state.created, state.changed, state.unchanged, state.gone, state.held = counts
        state.error = problem
        if problem:
            state.failures += 1
            state.failing_since = state.failing_since or dates.text(now)
            state.etag = state.modified = state.digest = state.probe = ""
            return min(max(seconds, FIRST_WAIT * float(2 ** min(state.failures - 1, 20))), LONGEST_WAIT)
        state.failures, state.failing_since, state.told_utc = 0, "", ""
        state.last_success = dates.text(now)
        return float(source.every)

    def _store(
        self,
        source: Source,
        before: State,
        state: State,
        result: Result,
        began: datetime,
        ended: datetime,
        session: Session,
    ) -> None:
        """In the transaction that ends the run: how the source is, and the read, if it is worth telling."""
        now = rows.find(session, source.id)
        if now is None:
            return
        if now != source:  # somebody changed it meanwhile, and it is read anew
            state.etag = state.modified = state.digest = ""
            state.kind = state.kind if now.address == source.address else ""
            state.next_run = dates.text(ended)
        work = UnitOfWork(session, SERVICE, ended, self.calendar.settings)
        letters.tell(work, now, state)
        rows.put_state(session, state)
        counts = result.counts
        is_first = not before.last_success and not before.failing_since
        if result.changed or state.error != before.error or is_first:
            entry = next(iter(change_rows.of_source(session, source.origin)), None)
            is_own = entry is not None and result.changed and entry.began_utc >= dates.text(began)
            run = SourceRun(
                0, source.id, entry.id if entry is not None and is_own else 0, dates.text(began), dates.text(ended),
                *counts, state.error, result.report(),
            )  # fmt: skip
            rows.add_run(session, run)

    # What is there

    def gather(
        self, source: Source, state: State, result: Result, check: Callable[[], None], *, dry: bool = False
    ) -> None:
        """Reads what is there and merges it, if it is something else than the state knows, which is brought up to
        date. Raises SourceError."""
        now = self.calendar.clock()
        window = dates.months_later(now, -source.back), dates.months_later(now, source.ahead)
        credentials = login.unsealed(source.login, self.calendar.settings)
        with tempfile.TemporaryDirectory(prefix="kalends-") as folder:
            path = Path(folder) / "answer"
            asked = state if state.stale_utc > dates.text(now) else State(id=state.id)
            kind, answer = state.kind, None
            if kind != readers.SITE or (state.probe and asked is state):
                address = state.probe if kind == readers.SITE else source.address
                answer = fetch(address, credentials, asked, path, reach_of(self.calendar.settings), now)
                if not answer.head:
                    self._unchanged(source, state, answer, result)
                    return
                kind = kind if kind == readers.SITE else self._kind(source, state, readers.kind_of(answer.head))
            before = self._before(source)
            known = {id for id, one in before.known.items() if one.is_within(window)}
            if kind == readers.SITE or (kind == readers.PAGE and not state.kind):
                inner: Inner = self._site_or_page(source, credentials, window, path, known, kind)
            else:
                inner = readers.reader_of(self.calendar, source, kind, path, window, known)
            check()
            gathered = Gathered(inner, source, before, window)
            if isinstance(inner, Site):  # before it is read: what changes meanwhile is another answer the next time
                kind, state.probe = readers.SITE, inner.first_page if not source.login else ""
                answer = self._probe(state, path, now) if state.probe else None
            self._apply(gathered, state, result, check, now, dry=dry)
        state.kind = kind
        if answer is not None:
            state.etag, state.modified, state.digest = answer.etag, answer.modified, answer.digest
        state.stale_utc = dates.text(self._stale(gathered, window, now))

    def _probe(self, state: State, path: Path, now: datetime) -> Answer | None:
        """The beginning of the list of a site, if that is all of it; later reads ask for it first."""
        try:
            answer = fetch(state.probe, login.NOBODY, State(id=0), path, reach_of(self.calendar.settings), now)
            whole = msgspec.json.decode(path.read_bytes(), type=FirstPage).total_pages <= 1
        except (Away, msgspec.DecodeError):
            whole = False
        state.probe = state.probe if whole else ""
        return answer if whole else None

    def _site_or_page(
        self, source: Source, credentials: login.Login, window: Window, path: Path, known: set[str], kind: str
    ) -> Inner:
        """A page may be that of a site with an interface, which tells more."""
        try:
            return readers.site_of(self.calendar, source, credentials, window, self.seconds)
        except (SourceError, WebError):
            if kind == readers.SITE:
                raise
        return readers.reader_of(self.calendar, source, kind, path, window, known)

    def _kind(self, source: Source, state: State, found: str) -> str:
        readers.check_kind(found, state.kind, source.name)
        return found

    def _before(self, source: Source) -> Before:
        here = self.calendar.read(ANONYMOUS, site_id)
        return self.calendar.read_latest(SERVICE, Before.of, source, here)

    def _unchanged(self, source: Source, state: State, answer: Answer, result: Result) -> None:
        with self.calendar.store.read() as session:
            held = count_pending(session, source.origin)
        result.counts = Counts(unchanged=state.created + state.changed + state.unchanged, held=held)
        state.etag, state.modified = answer.etag, answer.modified

    @staticmethod
    def _stale(gathered: Gathered, window: tuple[datetime, datetime], now: datetime) -> datetime:
        """When the window reaches the next event, or a while has passed."""
        latest = now + (timedelta(days=1) if isinstance(gathered.inner, Site) else MOST_UNREAD)
        if not gathered.listed.next:
            return latest
        reached = now + (dates.from_text(f"{gathered.listed.next} 00:00:00") - window[1])
        return min(max(reached, now + timedelta(days=1)), latest)

    # What becomes of it

    def _apply(
        self, gathered: Gathered, state: State, result: Result, check: Callable[[], None], now: datetime, *, dry: bool
    ) -> None:
        source = gathered.source
        with self.calendar.store.read() as session:
            rev = _last_entry(session, source.origin)
        importer = Import(
            self.calendar,
            self._caller(source),
            Options(dry_run=dry, when_gone=source.when_gone),
            images.guarded_fetch(self.calendar, allow_private=self.calendar.settings.fetch_private),
            with_images=source.images,
            watch=result.watch,
            progress=lambda count: check(),
        )
        try:
            importer.run(gathered, resume=False)
            result.remarks += importer.report.remarks
            if not dry:
                self._keep(gathered.told)
                self._remove_missing(gathered, importer, state, now)
        finally:
            with self.calendar.store.read() as session:
                result.changed = _last_entry(session, source.origin) != rev
                result.counts = result.counts._replace(held=count_pending(session, source.origin))

    def _remove_missing(self, gathered: Gathered, importer: Import, state: State, now: datetime) -> None:
        source, known = gathered.source, gathered.before.known
        left = gathered.before.left
        if isinstance(gathered.inner, Site):
            within = {id for id, one in known.items() if id not in left and one.is_within(gathered.window)}
            importer.remove_missing(
                gathered.inner,
                lambda row: row.kind == EVENT.name and row.external_id in within - gathered.listed.ids,
            )
            return
        try:
            found = missing.look_for(
                known.values(), gathered.listed, left, gathered.window, now, source.name, state.shrunk_utc
            )
        except Shorter:
            state.shrunk_utc = state.shrunk_utc or dates.text(now)
            raise
        state.shrunk_utc = ""
        if not found.gone:
            return
        importer.remove(gathered, found)
        if source.when_gone != TO_TRASH:
            self._mark_gone(found.gone)

    def _keep(self, told: list[SourceEvent]) -> None:
        if told:
            with self.calendar.store.write() as session:
                rows.put_events(session, told)

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


def _last_entry(session: Session, origin: str) -> tuple[int, str]:
    entry = next(iter(change_rows.of_source(session, origin)), None)
    return (0, "") if entry is None else (entry.id, entry.updated_utc)
