"""What records show of cheers, from the feature's own tables, and the changes of it."""

from collections.abc import Mapping, Sequence

from kalends.features.shown_sample import rows
from msgspec.structs import replace

from kalends.calendar.access import UnitOfWork
from kalends.calendar.storing.shown_otherwise import shown_otherwise
from kalends.contract.errors import Problems
from kalends.contract.fields import Values
from kalends.contract.kinds import EVENT, Kind
from kalends.store.query.list_query import Among, ListQuery
from kalends.values.more import More, SitePath


def more_of(work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> Mapping[int, More]:
    counts = rows.counts(work.session, kind.name, ids)
    closing = rows.closing(work.session, ids) if kind is EVENT else {}
    return {id: _more(id, counts.get(id, 0), closing.get(id), work.now_text) for id in {*counts, *closing}}


def _more(id: int, count: int, closes: str | None, now: str) -> More:
    page = SitePath(f"/cheers/{id}/")
    json: dict[str, object] = {"cheers": count} if count else {}
    if closes is not None:
        json["cheering"] = "open" if now < closes else "closed"
    offer = {"@type": "Offer", "price": "0", "url": page}
    lines = [("X-CHEERS", f"{count}; all of them, really"), ("X-CHEERS-AT", page)]
    return More(json, {"interactionCount": count, "offers": offer}, lines) if count else More(json)


def apply_filters(work: UnitOfWork, query: ListQuery, values: Values, problems: Problems) -> ListQuery:
    if "cheered" not in values:
        return query
    cheered = Among("SELECT record FROM cheer WHERE kind = ?", ["event"], wanted=bool(values["cheered"]))
    return replace(query, among=[*query.among, cheered])


def add(work: UnitOfWork, kind: Kind, record: int, text: str) -> None:
    """A further cheer, which everybody sees."""
    rows.add(work.session, rows.count(work.session) + 1, kind.name, record, text)
    shown_otherwise(work, kind, [record])


def reword(work: UnitOfWork, text: str) -> None:
    """Other words, which nobody is shown."""
    rows.reword(work.session, text)


def close_at(work: UnitOfWork, event: int, closes: str) -> None:
    rows.close_at(work.session, event, closes)
    shown_otherwise(work, EVENT, [event])
