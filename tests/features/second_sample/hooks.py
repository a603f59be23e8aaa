"""What it answers: something for every event that has cheers to it."""

from collections.abc import Mapping, Sequence

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import EVENT, Kind
from kalends.store.engine.store import Ids
from kalends.values.more import More


def more_of(work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> Mapping[int, More]:
    if kind is not EVENT:
        return {}
    sql = f"SELECT DISTINCT record FROM cheer WHERE kind = 'event' AND record {work.session.dialect.in_ids}"
    more = More({"greeting": "Hello"}, {"offers": {"@type": "Offer", "price": "1"}}, [("X-GREETING", "Hello")])
    return dict.fromkeys(work.session.column(sql, [Ids(ids)]), more)


HOOKS = [hooks.more_of.by(more_of)]
