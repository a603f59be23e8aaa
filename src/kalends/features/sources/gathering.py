"""What is taken of a source, as a source of the import: the events of its window and words, under the ids that they
had before, with what was chosen for them. Our own events that come back are left out."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.admission import WORKER
from kalends.contract.kinds import CATEGORY, EVENT, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import FUTURE, PENDING, PUBLISH, SCHEDULED
from kalends.features.importing.matching import merging
from kalends.features.importing.records.record import (
    ImportSource,
    Item,
    Record,
    Ref,
    SourceDefinition,
    SourceError,
    Unreadable,
)
from kalends.features.importing.rows import Imported
from kalends.features.importing.sources.by_name import identifier
from kalends.features.sources import known_rows as here
from kalends.features.sources import rows
from kalends.features.sources.contract import CANCEL, REVIEW
from kalends.features.sources.duplicates.facts import ComparedFacts, facts_of_record, is_open
from kalends.features.sources.duplicates.finding import PossibleDuplicate
from kalends.features.sources.duplicates.likeness import address_of
from kalends.features.sources.known_rows import Known
from kalends.features.sources.remote.window import MOST_EVENTS, TOO_MANY, SourceWindow, WindowedIcs
from kalends.features.sources.rows import Source, SourceEvent
from kalends.values import dates, markup, names

Find = Callable[[Mapping[str, ComparedFacts]], Mapping[str, Sequence[PossibleDuplicate]]]

GONE = "gone"  # the likeness of what the source had and stays here
OWN_UID = re.compile(r"(?:event|series)-[0-9]+@(.+?)(?:#.*)?$")
SHOWN_FIELDS = 4000  # characters of a value that are kept for people to compare


def no_duplicates(facts: Mapping[str, ComparedFacts]) -> Mapping[str, Sequence[PossibleDuplicate]]:
    """As if nothing else were here."""
    return {}


@dataclass
class KnownBefore:
    """What is known of a source before it is read."""

    site_id: str
    known: Mapping[str, Known]
    events: Mapping[str, SourceEvent]  # what it told last of each, by their ids
    pages: str = ""  # where the pages of events are here
    zone: str = "UTC"

    @classmethod
    def of(cls, work: UnitOfWork, source: Source, site_id: str) -> "KnownBefore":
        session = work.session
        known, events = here.known_of(session, source.origin), rows.events_of(session, source.origin)
        pages = address_of(f"{work.settings.base_url}/event") if work.settings.base_url else ""
        return cls(site_id, known, events, pages, work.settings.timezone)

    @property
    def gone_ids(self) -> set[str]:
        """The ids of what was gone before, and stayed."""
        return {one.external_id for one in self.events.values() if one.likeness == GONE}


@dataclass
class Gathered:
    """The events of a source that are taken. `inner` is prepared."""

    inner: ImportSource
    source: Source
    before: KnownBefore
    window: tuple[datetime, datetime]
    listed: SourceWindow = field(default_factory=SourceWindow)
    changed_events: list[SourceEvent] = field(default_factory=list)  # to be stored: they differ from before
    excluded: int = 0  # by words
    own: int = 0  # events of this calendar that came back
    find: Find = no_duplicates  # among the events that are here
    duplicates: Mapping[str, Sequence[PossibleDuplicate]] = field(default_factory=dict)  # what it has found
    gone_but_held: list[Imported] = field(default_factory=list)  # cancelled there, and here for another reason

    def __post_init__(self) -> None:
        self.name, self.label = self.source.origin, self.source.name

    @property
    def sources(self) -> Set[str]:
        return {self.name}

    @property
    def remarks(self) -> Sequence[str]:
        return self.inner.remarks

    @property
    def lost(self) -> Mapping[str, int]:
        return self.inner.lost

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

    def prepare(self) -> int | None:
        return None

    def items(self, start: str) -> Iterator[Item]:
        """Everything at once: what is not listed has an id that may be that of another one."""
        others, events = list[Item](), list[Record]()
        linked: dict[tuple[str, Ref], Record] = {}
        for item in self.inner.items(start):
            WORKER.pause()
            if isinstance(item, Record) and item.kind is EVENT:
                events.append(item)
                if len(events) > 2 * MOST_EVENTS:
                    raise SourceError(TOO_MANY, site=self.label, maximum=MOST_EVENTS)
            elif isinstance(item, Record):
                linked[item.kind.name, item.ref] = item
            elif isinstance(item, Unreadable | SourceDefinition):
                others.append(item)
        yield from others
        if isinstance(self.inner, WindowedIcs):
            self.listed = self.inner.listed
        taken = list(self._selected(events))
        self._recognise(taken)
        self._find_duplicates(taken, linked)
        for record in (*taken, *self._unchanged_dates(taken)):
            known = self.before.known.get(record.ref.external_id)
            if record.is_gone and known is not None and known.is_held:
                self.gone_but_held.append(known.imported)
                continue
            self._complete(record, linked)
            yield record

    # Which are taken

    def _selected(self, events: Sequence[Record]) -> Iterator[Record]:
        series = set[Ref]()  # of which dates are taken
        for record in events:
            if self._is_own(record):
                self.own += 1
                continue
            if record.ref.source != self.name:  # its own calendar has it from another one
                record.ref = Ref(self.name, identifier(" ".join(record.ref)))
            if record.occurrence is not None:
                first, start = record.occurrence
                if first.source != self.name:
                    record.occurrence = Ref(self.name, identifier(" ".join(first))), start
                self.listed.ids.add(record.ref.external_id)
                if record.occurrence[0] in series:
                    yield record
                continue
            self._note(record)
            if not self._is_wanted(record):
                self.excluded += 1
            elif self._is_within(record):
                series.add(record.ref)
                yield record

    def _is_own(self, record: Record) -> bool:
        if record.ref.source == self.before.site_id:
            return True
        found, website = OWN_UID.match(record.ref.external_id), str(record.fields.get("website") or "")
        if website and self.before.pages and address_of(website).startswith(f"{self.before.pages}/"):
            return True
        return found is not None and found[1] == self.before.site_id

    def _note(self, record: Record) -> None:
        repeats = bool(record.fields.get("recurrence"))
        start = "" if record.is_gone else str(record.fields.get("start_date") or "")
        self.listed.note(record.ref.external_id, start[:10], f"{self.window[1]:%Y-%m-%d}", repeats=repeats)

    def _is_wanted(self, record: Record) -> bool:
        """By its words."""
        take, leave_out = self.source.listed("take"), self.source.listed("leave_out")
        if not take and not leave_out:
            return True
        texts = [str(record.fields.get(name) or "") for name in ("title", "description", "excerpt")]
        texts += [one.name for one in record.named]
        text = names.searched(markup.plain(" \n ".join(texts)[:100_000]))
        return (not take or _has_one(text, take)) and not _has_one(text, leave_out)

    def _is_within(self, record: Record) -> bool:
        if isinstance(self.inner, WindowedIcs) or record.fields.get("recurrence"):
            return True
        known = self.before.known.get(record.ref.external_id)
        if known is not None and known.is_within(self.window):
            return True
        first, last = (f"{moment:%Y-%m-%d}" for moment in self.window)
        start = str(record.fields.get("start_date") or "")[:10]
        return str(record.fields.get("end_date") or start)[:10] >= first and start <= last

    # Which event each is

    def _recognise(self, records: Sequence[Record]) -> None:
        """Some sources give their events other ids each time: what is told as before is the same."""
        known, before = self.before.known, self.before.events
        missing: dict[str, str | None] = {}
        for id, one in before.items():
            if id in known and id not in self.listed.ids and one.likeness:
                missing[one.likeness] = None if one.likeness in missing else id
        renamed: dict[str, str] = {}
        for record in records:
            id = record.ref.external_id
            if record.occurrence is None and id not in known and (old := missing.pop(likeness(record), None)):
                renamed[id] = old
        for record in records:
            if record.occurrence is None:
                record.ref = self._renamed(record.ref, renamed)
            else:
                first, start = record.occurrence
                if first.external_id in renamed:
                    stamp = here.OCCURRENCE.search(record.ref.external_id)
                    record.occurrence = self._renamed(first, renamed), start
                    old = renamed[first.external_id]
                    record.ref = Ref(self.name, identifier(f"{old}{stamp[0] if stamp else ''}"))
            self.listed.ids.add(record.ref.external_id)

    def _find_duplicates(self, records: Sequence[Record], linked: Mapping[tuple[str, Ref], Record]) -> None:
        """What is new may be here already, from another source or because somebody entered it."""
        described: dict[str, ComparedFacts] = {}
        new = dict[str, Record]()
        for record in records:
            id, known = record.ref.external_id, self.before.known.get(record.ref.external_id)
            if record.occurrence is not None or record.is_gone:
                continue
            record.adds_nothing = not is_open(record) or self.source.publish == REVIEW
            if known is not None:
                if known.is_joined and not known.imported.digests and known.status:
                    record.same_as = known.imported.id  # it is described again
                continue
            named = {name: self._named(record, name, linked) for name in record.links}
            if (facts := facts_of_record(record, named, self.before.zone)) is not None:
                described[id], new[id] = facts, record
        self.duplicates = self.find(described) if described else {}
        for id, found in self.duplicates.items():
            if found[0].is_sure:
                new[id].same_as = found[0].event

    @staticmethod
    def _named(record: Record, name: str, linked: Mapping[tuple[str, Ref], Record]) -> list[Record]:
        """What an event is linked to, as far as the source tells it."""
        kind = LINKED_KINDS[name].name
        named = {one.ref: one for one in record.named if one.kind.name == kind}
        found = [named.get(ref) or linked.get((kind, ref)) for ref in record.links[name]]
        return [one for one in found if one is not None]

    def is_held(self, record: Record) -> bool:
        """Whether a new event waits until somebody has said that it is another one than a public one."""
        found = self.duplicates.get(record.ref.external_id, ())
        return any(one.is_public and not one.is_sure for one in found)

    @staticmethod
    def _renamed(ref: Ref, renamed: Mapping[str, str]) -> Ref:
        return Ref(ref.source, renamed.get(ref.external_id, ref.external_id))

    def _unchanged_dates(self, records: Sequence[Record]) -> Iterator[Record]:
        """Dates of a series that were changed at the source, and are again as the series has them."""
        series = {one.ref.external_id: one for one in records if one.fields.get("recurrence")}
        listed = {one.ref.external_id for one in records}
        for id, one in self.before.known.items():
            stamp = here.OCCURRENCE.search(id)
            first = series.get(id[: stamp.start()]) if stamp else None
            if stamp is None or first is None or id in listed or not one.is_live or not one.imported.digests:
                continue
            start = datetime.strptime(stamp[0], "#%Y%m%dT%H%M%S")
            fields = {name: value for name, value in first.fields.items() if name != "recurrence"}
            length = _moment(fields["end_date"]) - _moment(fields["start_date"])
            fields |= {"start_date": dates.text(start), "end_date": dates.text(start + length)}
            yield replace(first, ref=Ref(self.name, id), fields=fields, occurrence=(first.ref, start), named=[])

    # What each of them has

    def _complete(self, record: Record, linked: Mapping[tuple[str, Ref], Record]) -> None:
        source, known = self.source, self.before.known.get(record.ref.external_id)
        likeness_now = likeness(record)
        self._keep(record, likeness_now)
        record.old_id, record.author = 0, ""
        self._attach_linked(record, linked)
        for name in ("categories", "tags"):
            added = [Ref(self.before.site_id, str(id)) for id in source.listed(name)]
            if added:
                record.links[name] = list(dict.fromkeys((*record.links.get(name, ()), *added)))
        for name, id in (("venue", source.venue), ("organizer", source.organizer)):
            if id and not record.links.get(name):
                record.links[name] = [Ref(self.before.site_id, str(id))]
        if source.publish == REVIEW and record.fields.get("status", PUBLISH) == PUBLISH:
            if known is None and record.occurrence is None:
                record.fields["status"] = PENDING
            else:
                record.fields.pop("status", None)
        if known is not None and self._is_decided_here(record, known):
            record.fields.pop("status", None)
        if self.is_held(record) and record.fields.get("status", PUBLISH) == PUBLISH:
            record.fields["status"] = PENDING
        if known is not None:
            before = self.before.events.get(record.ref.external_id)
            if source.when_gone == CANCEL and (not known.imported.digests or (before and before.likeness == GONE)):
                record.fields.setdefault("event_status", SCHEDULED)  # it is there again

    @staticmethod
    def _is_decided_here(record: Record, known: Known) -> bool:
        """Whether a person says how public an event is: it waits for review, or waited and was closed."""
        would_publish = record.fields.get("status") in (PUBLISH, FUTURE)
        is_followed = "status" in merging.decode(known.imported.digests)
        return known.status == PENDING or (known.is_live and would_publish and not is_followed)

    def _attach_linked(self, record: Record, linked: Mapping[tuple[str, Ref], Record]) -> None:
        """Venues, organizers and terms come with the events that name them, and no others."""
        found: dict[tuple[str, Ref], Record] = {}

        def attach(kind: Kind, ref: Ref) -> None:
            one = linked.get((kind.name, ref))
            if one is None or (kind.name, ref) in found:
                return
            if kind is CATEGORY and one.parent is not None and len(found) < MOST_EVENTS:
                found[kind.name, ref] = one  # a circle ends here
                attach(kind, one.parent)
                del found[kind.name, ref]
            one.old_id = 0
            found[kind.name, ref] = one

        for name, refs in record.links.items():
            for ref in refs:
                attach(LINKED_KINDS[name], ref)
        record.named += [one for one in found.values() if not any(one.key == named.key for named in record.named)]

    def _keep(self, record: Record, likeness_now: str) -> None:
        """Notes what the source tells, for people to compare, if it is something else than before."""
        shown = {name: str(value)[:SHOWN_FIELDS] for name, value in record.fields.items() if value not in (None, "")}
        for name, refs in record.links.items():
            named = {one.ref: one.name for one in record.named}
            shown[name] = ", ".join(filter(None, (named.get(ref, "") for ref in refs)))
        if record.image is not None:
            shown["image"] = record.image.key
        noted = SourceEvent(self.name, record.ref.external_id, likeness_now, msgspec.json.encode(shown).decode())
        if self.before.events.get(noted.external_id) != noted:
            self.changed_events.append(noted)


def likeness(record: Record) -> str:
    """The title and the start of an event, by which it is known under another id."""
    start, rule = (record.fields.get(name) or "" for name in ("start_date", "recurrence"))
    return f"{names.fold(record.name)[:200]} {start} {rule}"[:400]


def _has_one(text: str, words: Sequence[object]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(names.searched(str(word)).strip())}(?!\w)", text) for word in words)


def _moment(written: object) -> datetime:
    return dates.from_text(str(written).removesuffix("Z"))
