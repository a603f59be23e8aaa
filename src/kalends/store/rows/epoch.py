"""The identity of a store: numbers of changes mean the same as long as it is the same."""

from kalends.store.engine.store import Session


def read(session: Session) -> str:
    return str(session.value("SELECT id FROM epoch"))
