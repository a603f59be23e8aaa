"""What an export contains: every record, or the events of a filter with what they are linked to."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import cast

import msgspec

from kalends import hooks
from kalends.calendar.access import Caller, may_manage_site, require_to_read
from kalends.calendar.lists import exports
from kalends.calendar.lists.exports import Exported
from kalends.calendar.service import Calendar
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import COMPANIONS, EVENT, Kind
from kalends.contract.statuses import LIVE_STATUSES, TRASH
from kalends.present.ical_series import VisibleSeries
from kalends.store.engine.store import Session
from kalends.store.query import all_records
from kalends.store.rows import merges, redirects
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import series as stored_series
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.bundles import images_of
from kalends.store.rows.records import Event, Media, Post, Series, Term
from kalends.user_error import UserError
from kalends.values import names
from kalends.values.custom_fields import CustomField

Merged = tuple[int, tuple[str, str] | None]  # an id that is no longer one, and its source and id there

BATCH = 500
MOST_SORTED = 5000  # events of one start that are in memory together
EVERY_STATUS = ",".join(LIVE_STATUSES)
NOT_FILTERS = {"page", "per_page", "order", "orderby", "password"}


class ExportError(UserError):
    """What keeps an export from being written, in one line for the person who asked for it."""


@dataclass(frozen=True)
class ExportSelection:
    """The records of an export, as an administrator sees them; never the trash. `filters` are those of the list of
    events; with one of them, only what the found events are linked to is exported."""

    calendar: Calendar
    caller: Caller
    filters: Mapping[str, str]

    def __post_init__(self) -> None:
        """An export has every record, the names of all people, and what protects events."""
        require_to_read(may_manage_site(self.caller), self.caller)

    def check(self) -> None:
        """Raises ExportError for a filter that there is not, and ApiError for a value that cannot be read."""
        known = {field.name for field in EVENT.filters} - NOT_FILTERS
        if unknown := sorted(set(self.filters) - known):
            raise ExportError(f"there is no filter {', '.join(unknown)}; filters are: {', '.join(sorted(known))}")
        self.opened()

    def opened(self) -> None:
        """Raises ApiError for a value that cannot be read."""
        exports.open_with_password(self.calendar, self.caller, self._reading(), whole=True)

    def events(self) -> Iterator[Exported]:
        """The events by their start, with what they show."""
        return cast(Iterator[Exported], self._export(by_series=False))

    def entries(self) -> Iterator[Exported | VisibleSeries]:
        """The events by their start, and in place of the first of a series all of it."""
        return self._export(by_series=True)

    def _export(self, *, by_series: bool) -> Iterator[Exported | VisibleSeries]:
        export = exports.open_with_password(
            self.calendar, self.caller, self._reading(), whole=True, by_series=by_series
        )
        for _, together in groupby(exports.export_events(self.calendar, self.caller, export), key=_start):
            # Of ids the next calendar has others, so they order nothing.
            while some := list(islice(together, MOST_SORTED)):
                yield from map(_without_trash, sorted(some, key=_slug))

    def first_of(self, series: Series) -> Exported | None:
        """The first event of a series, if it is exported."""
        reading = self._reading()
        reading.values["series"] = series.id
        export = exports.open_with_password(self.calendar, self.caller, reading, whole=True, by_series=False)
        found = cast(Iterator[Exported], exports.export_events(self.calendar, self.caller, export))
        first = next((one for one in found if not one[0].post_parent), None)
        return None if first is None else _live(first)

    def first_of_course(self, series: Series) -> int:
        """The first event of the course that a series goes on with; 0 of the first series itself."""
        with self.calendar.store.read() as session:
            leading = min(stored_series.of_course(session, series.id))
            found = None if leading == series.id else stored_series.first_event(session, leading)
        return 0 if found is None else found[0]

    def event(self, id: int) -> Post | None:
        """An event that another belongs to, unless it is in the trash."""
        with self.calendar.store.read() as session:
            found = stored_posts.find(session, EVENT.name, id)
        return found if found is not None and found.status != TRASH else None

    def posts(self, kind: Kind) -> Iterator[tuple[Post, Media | None]]:
        """The records of a kind in the order in which they were created, with their images."""
        wanted = self._linked(kind) if self.filters else None
        last = 0
        while True:
            with self.calendar.reading(self.caller) as work:
                batch = all_records.posts_after(work.session, kind.name, work.visibility, last, BATCH)
                images = images_of(work.session, batch)
            for post in batch:
                if post.status != TRASH and (wanted is None or post.id in wanted):
                    yield post, images.get(post.image or 0)
            if len(batch) < BATCH:
                return
            last = batch[-1].id

    def terms(self, kind: Kind) -> list[Term]:
        """The categories or tags, parents before their children."""
        with self.calendar.store.read() as session:
            found = {term.id: term for term in all_records.terms(session, kind.name)}
        if self.filters:
            wanted = _with_ancestors(found, self._linked(kind))
            found = {id: term for id, term in found.items() if id in wanted}
        return sorted(found.values(), key=lambda term: (_depth(term, found), names.sort_key(term.name), term.id))

    def custom_fields(self) -> list[CustomField]:
        """The custom fields in their order."""
        with self.calendar.reading(self.caller) as work:
            found = work.settings.custom_fields.fields
        if self.filters:
            shown = {row.name for _, bundle in self.events() for row, _ in bundle.defined}
            found = tuple(field for field in found if field.key in shown)
        return [msgspec.structs.replace(field, public=field.public and not field.hiding) for field in found]

    def redirects(self, kind: Kind) -> tuple[list[tuple[str, Post | Term]], list[tuple[Merged, Post | Term]]]:
        """Old slugs, and ids of merged records with where these come from, each with the record that they lead to."""
        with self.calendar.store.read() as session:
            slugs, merged = redirects.every(session, kind.name), merges.every(session, kind.name)
            targets = _records(session, kind, {*merged.values(), *(target for _, target in slugs)})
            identities: dict[int, tuple[str, str]] = {}
            for known in hooks.identities if merged else ():
                identities |= known(session, kind.name, merged.keys())
            for id, post in _records(session, kind, merged.keys()).items():
                if post.external_id:
                    identities[id] = post.source, post.external_id
        live = {id: one for id, one in targets.items() if isinstance(one, Term) or one.status != TRASH}
        old_slugs = [(slug, live[target]) for slug, target in slugs if target in live]
        return old_slugs, [((old, identities.get(old)), live[new]) for old, new in merged.items() if new in live]

    def images(self) -> list[Media]:
        """The images that the exported records show, each once, by their file names."""
        shown: dict[int, Media] = {}
        for event, bundle in self.events():
            if (image := bundle.image_of(event)) is not None:
                shown[image.id] = image
        for kind in COMPANIONS:
            shown |= {image.id: image for _, image in self.posts(kind) if image is not None}
        return sorted(shown.values(), key=lambda image: image.file)

    def _reading(self) -> Reading:
        return read_query(EVENT.filters, {"status": EVERY_STATUS, "show_hidden": "true"} | dict(self.filters))

    def _linked(self, kind: Kind) -> set[int]:
        """The ids that the exported events are linked to."""
        return {id for _, bundle in self.events() for name, id in bundle.references if name == kind.name}


def _records(session: Session, kind: Kind, ids: Collection[int]) -> dict[int, Post | Term]:
    if kind.is_term:
        return dict(stored_terms.find_many(session, kind.name, ids))
    return dict(stored_posts.find_many(session, kind.name, list(ids)))


def _without_trash(found: Exported | VisibleSeries) -> Exported | VisibleSeries:
    """Without linked records that are in the trash."""
    if isinstance(found, VisibleSeries):
        return VisibleSeries(found.series, [_live(one) for one in found.occurrences])
    return _live(found)


def _live(found: Exported) -> Exported:
    event, bundle = found
    live = {kind.name: [one for one in bundle.linked[kind.name] if one.status != TRASH] for kind in COMPANIONS}
    return event, replace(bundle, linked={**bundle.linked, **live})


def _start(found: Exported | VisibleSeries) -> str:
    return _first(found).start_local


def _slug(found: Exported | VisibleSeries) -> str:
    return _first(found).slug


def _first(found: Exported | VisibleSeries) -> Event:
    return found.occurrences[0][0] if isinstance(found, VisibleSeries) else found[0]


def _with_ancestors(known: Mapping[int, Term], ids: set[int]) -> set[int]:
    wanted = set(ids)
    for id in ids:
        while id in known and (id := known[id].parent) and id not in wanted:
            wanted.add(id)
    return wanted


def _depth(term: Term, known: Mapping[int, Term]) -> int:
    depth = 0
    while term.parent in known and depth <= len(known):
        term, depth = known[term.parent], depth + 1
    return depth
