"""The complete export: a JSON document with one record a line, so that it is read and written piece by piece."""

from collections.abc import Callable, Iterator

import msgspec

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.accounts import event_passwords
from kalends.calendar.site_settings import site_id
from kalends.contract.kinds import COMPANIONS, EVENT, KINDS, TERMS, Kind
from kalends.contract.kinds.events import CUSTOM_VALUES, LINKED_KINDS
from kalends.features.exporting.fields import fields_of, identity
from kalends.features.exporting.selection import ExportSelection
from kalends.present import managed
from kalends.present.json import values_json
from kalends.store.rows import site, users
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Companion, Event, Media, Post, Series, Term

FORMAT, VERSION = "kalends", 1
REDIRECT, CUSTOM_FIELD = "redirect", "custom_field"
HEAD = f'{{"format":"{FORMAT}","version":{VERSION},"records":[\n'.encode()

ImageName = Callable[[Media], str]  # how an export names an image: an address, or a file of the archive
Json = dict[str, object]


def write(selection: ExportSelection, image_name: ImageName | None) -> Iterator[bytes]:
    """The document, in pieces. Without names for images it tells nothing of them, also not that there is none."""
    yield HEAD
    count = 0
    for record in _Writer(selection, image_name).records():
        yield (b",\n" if count else b"") + msgspec.json.encode(record)
        count += 1
    yield b'\n],"count":%d}\n' % count


class _Writer:
    def __init__(self, selection: ExportSelection, image_name: ImageName | None) -> None:
        calendar = selection.calendar
        self.selection = selection
        self.image_name = image_name
        self.site_id = calendar.read(ANONYMOUS, site_id)
        with calendar.store.read() as session:
            self.authors = {user.id: user.name for user in users.all_users(session)}
            self.salt = site.read(session, event_passwords.SALT_KEY) or ""
        self.parents: dict[int, str | None] = {0: None}  # identities of events that others belong to
        self.series: set[int] = set()  # that were written

    def records(self) -> Iterator[Json]:
        for field in self.selection.custom_fields():
            # Another calendar knows by this which of its fields it is, or makes one.
            id = "/".join(field.identity(self.site_id))
            yield {"kind": CUSTOM_FIELD, "id": id, **managed.custom_field(field)}
        for kind in TERMS:
            found = self.selection.terms(kind)
            by_id = {term.id: term for term in found}
            for term in found:
                parent = by_id.get(term.parent)
                yield self._start(kind, term) | {"parent": self._ref(parent) if parent else None} | fields_of(term)
        for kind in COMPANIONS:
            for post, image in self.selection.posts(kind):
                yield self._post(kind, post, image)
        early: set[int] = set()  # first events of series that stand before their turn
        for event, bundle in self.selection.events():
            if bundle.series is not None and bundle.series.id not in self.series:
                self.series.add(bundle.series.id)
                first = self.selection.first_of(bundle.series) if event.post_parent else None
                if first is not None:  # an occurrence that was moved before it
                    early.add(first[0].id)
                    yield self._event(*first)
            if event.id not in early:
                yield self._event(event, bundle)
        if not self.selection.filters:
            yield from self._redirects()

    def _redirects(self) -> Iterator[Json]:
        """Old addresses of records, and the records that were merged into them."""
        for kind in KINDS:
            old_slugs, merged = self.selection.redirects(kind)
            for slug, target in old_slugs:
                yield {"kind": REDIRECT, "of": kind.name, "slug": slug, "to": self._ref(target)}
            for old, kept in sorted((self._old(*one), self._ref(target)) for one, target in merged):
                yield {"kind": REDIRECT, "of": kind.name, "merged": old, "to": kept}

    def _old(self, id: int, identity: tuple[str, str] | None) -> str:
        return "/".join(identity) if identity else f"{self.site_id}/{id}"

    def _event(self, event: Event, bundle: Bundle) -> Json:
        image = bundle.image_of(event)
        record = self._post(EVENT, event, image)
        record |= {
            **{name: [self._ref(one) for one in _in_order(bundle, kind)] for name, kind in LINKED_KINDS.items()},
            "post_parent": self._parent(event.post_parent) if bundle.series is None else None,
        }
        record[CUSTOM_VALUES.name] = values_json(bundle.defined) or {}
        if bundle.series is not None:
            record |= self._series(event, bundle.series)
        if event.password is not None:
            # Not the password: what it is compared with.
            record["password"] = {"salt": self.salt, "digest": event.password.hex()}
        return record

    def _series(self, event: Event, series: Series) -> Json:
        """The first occurrence of a series has its rule, and says whose course it goes on with; the others say whose
        they are, and all which date of it."""
        if not event.post_parent:
            keys: Json = {"recurrence": series.recurrence, "original_start": event.original_start}
            first = self._parent(self.selection.first_of_course(series))
            return keys | {"series_of": first} if first is not None else keys
        return {"occurrence_of": self._parent(event.post_parent), "original_start": event.original_start}

    def _post(self, kind: Kind, post: Post, image: Media | None) -> Json:
        start = self._start(kind, post) | {"author": self.authors.get(post.author, "")}
        record = start | fields_of(post)
        if isinstance(post, Companion) and post.waiting:
            record["waiting"] = True  # for the first public event that shows it
        if self.image_name is not None:
            record["image"] = None if image is None else self.image_name(image)
        return record

    def _start(self, kind: Kind, record: Post | Term) -> Json:
        return {"kind": kind.name, "id": self._ref(record)}

    def _ref(self, record: Post | Term) -> str:
        return identity(record, self.site_id)

    def _parent(self, id: int) -> str | None:
        if id not in self.parents:
            found = self.selection.event(id)
            self.parents[id] = None if found is None else self._ref(found)
        return self.parents[id]


def _in_order(bundle: Bundle, kind: Kind) -> list[Post | Term]:
    """What an event is linked to in the order given; terms are shown in that of their names."""
    by_id = {one.id: one for one in bundle.linked[kind.name]}
    return [by_id[id] for name, id in bundle.references if name == kind.name and id in by_id]
