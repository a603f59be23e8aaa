"""What features add to records that are shown."""

from collections.abc import Mapping, Sequence

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import Kind
from kalends.values.more import More, together


def more_of(work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> Mapping[int, More]:
    """By the ids of those records to which a feature adds something."""
    answers = [answer(work, kind, ids) for answer in hooks.more_of]
    if len(answers) < 2:
        return answers[0] if answers else {}
    return {id: together([found[id] for found in answers if id in found]) for id in set().union(*answers)}
