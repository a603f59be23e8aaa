"""Candidates for a misspelt name: a bounded number of records, those with the same first letter first."""

from kalends.store.engine.store import Session
from kalends.store.query.record_filters import has_public_events
from kalends.store.rows.visibility import Visibility
from kalends.values import names

SAME_LETTER = 300
ANY_LETTER = 200

Candidate = tuple[int, str, str]  # id, slug, name


def terms(session: Session, kind: str, visibility: Visibility, name: str) -> list[Candidate]:
    """Categories or tags; only editors are told of those that no public event has."""
    shown = "TRUE" if visibility.everything else has_public_events(kind, "near.id", visibility)
    return _candidates(session, kind, name, shown, [])


def posts(session: Session, kind: str, visibility: Visibility, name: str) -> list[Candidate]:
    """Venues or organizers that the reader may read."""
    sql, parameters = visibility.where_readable("near")
    return _candidates(session, kind, name, f"near.status <> 'trash' AND {sql}", parameters)


def _candidates(session: Session, kind: str, name: str, visible: str, parameters: list[object]) -> list[Candidate]:
    """The limits are inside the subquery, so that records the reader may not read do not make it slower."""
    first = names.slug_key(name)[:1]
    candidates: dict[int, Candidate] = {}
    for condition, bounds, most in (
        ("slug_key >= ? AND slug_key < ?", [first, f"{first}\U0010ffff"], SAME_LETTER),
        ("TRUE", [], ANY_LETTER),
    ):
        rows = session.all(
            f"SELECT near.id, near.slug, near.name FROM (SELECT * FROM {kind} WHERE {condition}"
            f" ORDER BY slug_key LIMIT {most}) near WHERE {visible}",
            [*bounds, *parameters],
        )
        candidates |= {row[0]: (row[0], row[1], row[2]) for row in rows}
    return list(candidates.values())
