"""Gives categories the events of those below them after the tree has changed.

The transaction that moves a category does it for a few links; of many the others follow as long work. Each part looks
which links differ from the tree as it is then. Until the end, lists of a category have events of what was moved away
from it, or lack those of what was moved to it; links do not decide which readers see an event.
"""

from collections.abc import Iterable

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import LongWork
from kalends.calendar.deadline import Deadline
from kalends.contract.kinds import CATEGORY
from kalends.store.rows import history, journal, tasks, terms

LONGEST = 10.0  # seconds that a client waits for the links of a category


class Gathering(msgspec.Struct):
    category: int


def gather(work: UnitOfWork, categories: Iterable[int]) -> None:
    """Gives categories the events that they are to have, those of many right after this transaction."""
    until = Deadline()
    for category in sorted(categories):
        if _change_links(work, category, until):
            long_work.ask(work, GATHER, Gathering(category))


def _part(work: UnitOfWork, gathering: Gathering, until: Deadline) -> bool:
    is_more = _change_links(work, gathering.category, until)
    # What is kept of lists is not valid any more.
    journal.record(work.session, history.GATHERED, gathering.category, journal.UPDATE, public=True, at=work.now_text)
    return is_more


def _change_links(work: UnitOfWork, category: int, until: Deadline) -> bool:
    """Whether there are more that differ."""
    found, done = terms.not_gathered(work.session, category), 0
    extra = {*found[0]}
    events = [*found[0], *found[1]]
    for some in until.slices(events):
        going, coming = [id for id in some if id in extra], [id for id in some if id not in extra]
        terms.gather(work.session, category, going, coming)
        done += len(some)
    return done < len(events)


GATHER: LongWork[Gathering, None] = LongWork(
    tasks.GATHERING, CATEGORY.plural_label, Gathering, _part, awaited=lambda gathering: LONGEST
)
