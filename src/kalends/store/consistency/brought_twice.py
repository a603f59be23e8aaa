"""Whether events are there twice: an earlier version could refuse the series of an import, bring its dates as single
events, and fill the series all the same."""

from collections.abc import Iterator

from kalends.store.consistency.problem import Problem
from kalends.store.engine.store import Session

TWICE = "brought twice"
FEWEST = 20  # dates that are alike; fewer may be what somebody wants


def brought_twice(session: Session) -> Iterator[Problem]:
    """Series whose dates are single events, too, that were imported. Which of the two is wanted, people know."""
    for series, number in session.all(
        "SELECT d.series, count(*) FROM event d JOIN event e ON e.start_local = d.start_local AND e.name = d.name"
        " WHERE d.series IS NOT NULL AND d.status <> 'trash' AND d.external_id = ''"
        " AND e.series IS NULL AND e.status <> 'trash' AND e.external_id <> ''"
        " GROUP BY d.series HAVING count(*) >= ? ORDER BY 1",
        (FEWEST,),
    ):
        sentence = (
            f"{number} dates of the series {series} are single events, too, which an import brought:"
            " trash the series, or those."
        )
        yield Problem(TWICE, "series", series, sentence, repairable=False)
