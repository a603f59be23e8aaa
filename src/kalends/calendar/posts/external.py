"""Where records come from: a source and an id there, which name one record of a kind."""

from kalends.calendar.access import may_edit_others, require
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import TAKEN, FieldError, Problems
from kalends.contract.kinds import Kind
from kalends.languages import N_
from kalends.store.rows import external
from kalends.store.rows.records import Post, Term

EXTERNAL = frozenset({"source", "external_id"})


def check_identity(
    work: UnitOfWork, kind: Kind, before: Post | Term | None, record: Post | Term, problems: Problems
) -> None:
    """No other record of the kind has the same source and id there. To give or take an identity needs the right to
    edit the records of others: an import takes a record that has one for the one that it brings."""
    if not record.external_id and (before is None or not before.external_id):
        return
    if before is not None and (before.source, before.external_id) == (record.source, record.external_id):
        return
    require(may_edit_others(work.caller), work.caller)
    known = external.id_of(work.session, kind.name, record.source, record.external_id)
    if known is not None and known != record.id:
        problems.add("external_id", FieldError(TAKEN, N_("is the id of another record from the same source.")))
