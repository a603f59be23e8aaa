"""Names that may have been meant: a bounded number of records whose slugs stand near a misspelt one."""

from kalends.store.engine.store import Session
from kalends.store.query.visibility import Visibility
from kalends.values import names

SAME_LETTER = 300
OTHERS = 200

Candidate = tuple[int, str, str]  # id, slug, name


def terms(session: Session, kind: str, written: str) -> list[Candidate]:
    """Terms are public, all of them."""
    return _near(session, kind, written, "TRUE", [])


def posts(session: Session, kind: str, visibility: Visibility, written: str) -> list[Candidate]:
    """Venues or organizers that the reader may see."""
    sql, parameters = visibility.where_readable("near")
    return _near(session, kind, written, f"near.status <> 'trash' AND {sql}", parameters)


def _near(session: Session, kind: str, written: str, visible: str, parameters: list[object]) -> list[Candidate]:
    """The limits are inside, so that what may not be seen costs no more than what may."""
    first = names.slug_key(written)[:1]
    found: dict[int, Candidate] = {}
    for condition, bounds, most in (
        ("slug_key >= ? AND slug_key < ?", [first, f"{first}\U0010ffff"], SAME_LETTER),
        ("TRUE", [], OTHERS),
    ):
        rows = session.all(
            f"SELECT near.id, near.slug, near.name FROM (SELECT * FROM {kind} WHERE {condition}"
            f" ORDER BY slug_key LIMIT {most}) near WHERE {visible}",
            [*bounds, *parameters],
        )
        found |= {row[0]: (row[0], row[1], row[2]) for row in rows}
    return list(found.values())
