"""What the people who run the server ask of its store."""

from typing import NamedTuple

from kalends.calendar.access import may_manage_site, require_to_read
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.store.copies import archive, copying
from kalends.store.engine.migrating import CORE, applied_migrations


class StoreState(NamedTuple):
    schema: int  # the number of its last migration
    events: int
    last_backup: str | None


def store_state(work: UnitOfWork) -> StoreState:
    require_to_read(may_manage_site(work.caller), work.caller)
    session = work.session
    schema = max(number for owner, number in applied_migrations(session) if owner == CORE)
    return StoreState(schema, copying.rows(session, "event"), archive.last_backup(session))
