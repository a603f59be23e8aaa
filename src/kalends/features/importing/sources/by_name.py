"""Records that a source knows only by their names: the venues, organizers and terms of a calendar file or a table."""

import hashlib
from collections.abc import Sequence, Sized

from kalends.contract.kinds import Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import DRAFT, PUBLISH, STATUSES, TRASH
from kalends.contract.types.texts import LONGEST_EXTERNAL_ID
from kalends.features.importing.records.record import Record, Ref
from kalends.values import markup, names

LONGEST_TERM = 200


class RecordsByName:
    """What the events of a source name. Each event brings its own: which of them is the first that is imported is
    only known then."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._named: dict[tuple[str, str], Record] = {}

    def ref(
        self,
        kind: Kind,
        name: str,
        where: str,
        fields: dict[str, object] | None = None,
        key: str = "",
        *,
        status: str = "",
        is_exact: bool = False,
    ) -> Ref:
        """The identity of a record of this name. `key`: what tells it from others of the same name; `status`: if it
        is not public there, whatever shows it; `is_exact`: one with another address is another one."""
        key = key or name
        found = Ref(self._source, identifier(names.slugify(key) or key))
        values = {kind.name_field: name, **(fields or {})}
        if status not in ("", PUBLISH):
            values["status"] = status if status in STATUSES and status != TRASH else DRAFT
        self._named.setdefault(
            (kind.name, found.external_id),
            Record(
                *(kind, found, values, where),
                covers_image=False,
                is_named=True,
                is_exact=is_exact,
                comes_with_event=not kind.is_term,
            ),
        )
        return found

    def terms(self, field: str, written: list[str], where: str) -> list[Ref]:
        """The categories or tags of these names."""
        kind = LINKED_KINDS[field]
        found = [self.ref(kind, name.strip()[:LONGEST_TERM], where) for name in written if name.strip()]
        return list(dict.fromkeys(found))

    def pop_named(self) -> list[Record]:
        """What was named since the last call, for the event that names it."""
        found, self._named = list(self._named.values()), {}
        return found


def for_each(statuses: Sequence[str], named: Sized) -> list[str]:
    """A status for each of some names; those of which none is told have an empty one."""
    return [*statuses[: len(named)], *[""] * (len(named) - len(statuses))]


def identifier(written: str) -> str:
    """An id at a source as it can be kept: the text itself, or a digest where that would not come back as it is."""
    if 0 < len(written) <= LONGEST_EXTERNAL_ID and markup.plain(written) == written:
        return written
    return hashlib.blake2b(written.encode("utf-8", "replace"), digest_size=16).hexdigest()
