"""Finds the records here that records of a source stand for."""

from collections.abc import Callable, Mapping, Sequence

from kalends.contract.kinds import EVENT
from kalends.importing.record import Ref
from kalends.store.engine.store import Session
from kalends.store.rows import external, imports, merges

MOST_KEPT = 50_000


class Resolver:
    """Identities at a source as ids here. What was found is kept, since many events have the same venues."""

    def __init__(self, site_id: str) -> None:
        self._site_id = site_id
        self._known: dict[tuple[str, Ref], int] = {}
        self._absent: set[tuple[str, Ref]] = set()  # of this transaction

    def id_of(self, session: Session, kind: str, ref: Ref) -> int | None:
        """The record that this identity stands for; None if it was not imported, or is deleted."""
        known = self._known.get((kind, ref))
        if known is not None:
            return known
        candidates: tuple[Callable[[], int | None], ...] = (
            lambda: _imported(session, kind, ref),
            lambda: external.id_of(session, kind, *ref),
            lambda: self._own(ref),
        )
        for find in candidates:
            id = kept(session, kind, find())
            if id is not None and external.exists(session, kind, id):
                self.keep(kind, ref, id)
                return id
        return None

    def look_for(self, session: Session, refs: Mapping[tuple[str, str], Sequence[str]]) -> None:
        """Learns which records of these kinds and sources are not here at all, so that nobody asks for each."""
        self._absent.clear()
        for (kind, source), external_ids in refs.items():
            found = external.ids_of(session, kind, source, external_ids)
            self._absent |= {(kind, Ref(source, id)) for id in external_ids if id not in found}

    def is_absent(self, kind: str, ref: Ref) -> bool:
        """Whether no record has this identity, as far as was looked for."""
        return (kind, ref) in self._absent

    def counterpart(self, session: Session, kind: str, ref: Ref) -> int | None:
        """The record that has this identity without having been imported."""
        if ref.source != self._site_id:
            return None if self.is_absent(kind, ref) else kept(session, kind, external.id_of(session, kind, *ref))
        return self.id_of(session, kind, ref)

    def keep(self, kind: str, ref: Ref, id: int) -> None:
        if len(self._known) >= MOST_KEPT:
            self._known.clear()
        self._known[kind, ref] = id
        self._absent.discard((kind, ref))

    def forget(self) -> None:
        """After a transaction that was rolled back."""
        self._known.clear()

    def _own(self, ref: Ref) -> int | None:
        """A record that comes back to the calendar that it was exported from."""
        return (ref.number or None) if ref.source == self._site_id else None


def kept(session: Session, kind: str, id: int | None) -> int | None:
    """The record itself, or the one that it was merged into."""
    if id is None or kind == EVENT.name:
        return id
    return merges.merged_into(session, kind, [id]).get(id, id)


def _imported(session: Session, kind: str, ref: Ref) -> int | None:
    found = imports.find(session, ref.source, kind, ref.external_id)
    return None if found is None else found.id
