"""Whether the stored totals are those of a recount."""

from collections.abc import Iterator

from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Session
from kalends.store.rows.links import LINKED
from kalends.store.rows.tallies import DATES, END, HIDDEN, START, UNITS, hidden_scope

ALL, DIRECT = "all", "direct"
COUNTED_DIRECTLY = ("category", "tag")
_COLUMNS = "scope, id, edge, unit, day, n"


def totals(session: Session) -> Iterator[Problem]:
    """Totals that are not those of a recount, each by what it is a total of."""
    for scope, id in session.all(
        f"WITH counted ({_COLUMNS}) AS ({_RECOUNT}), kept AS (SELECT {_COLUMNS} FROM tally WHERE n <> 0)"
        " SELECT scope, id FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept) AS lacking"
        " UNION SELECT scope, id FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted) AS extra ORDER BY 1, 2"
    ):
        yield Problem(scope, id, f"The totals of {_name(scope, id)} are not those of its events.")


def _name(scope: str, id: int) -> str:
    if scope == ALL:
        return "the calendar"
    if scope == DATES[0]:
        return "the dates of series"
    return f"the category or tag {id}" if scope == DIRECT else f"the {scope.removeprefix('hidden_')} {id}"


def recount(session: Session, scope: str, id: int) -> None:
    """Counts the events of one record, or of the whole calendar, again."""
    session.run("DELETE FROM tally WHERE scope = ? AND id = ?", (scope, id))
    session.run(
        f"INSERT INTO tally ({_COLUMNS}) WITH counted ({_COLUMNS}) AS ({_RECOUNT})"
        " SELECT * FROM counted WHERE scope = ? AND id = ?",
        (scope, id),
    )


def _by_days(scope: str, id: str, table: str, level: str) -> Iterator[str]:
    for edge, column in ((START, "start_local"), (END, "end_local")):
        for unit in UNITS:
            day = f"substr({column}, 1, {unit})"
            grouped = day if id == "0" else f"{id}, {day}"
            yield (
                f"SELECT '{scope}', {id}, '{edge}', {unit}, {day}, count(*) FROM {table}"
                f" WHERE visibility_level {level} GROUP BY {grouped}"
            )


def _of_links(scope: str, kind: str, condition: str) -> str:
    return (
        f"SELECT '{scope}', l.target, '{START}', 0, '', count(*) FROM event_{kind} l JOIN event ON event.id = l.event"
        f" WHERE {condition} GROUP BY l.target"
    )


_RECOUNT = " UNION ALL ".join(
    [
        *_by_days(ALL, "0", "event", "> 0"),
        *_by_days(DATES[0], "0", "event", "> 0 AND series IS NOT NULL"),
        *(sql for kind in LINKED for sql in _by_days(kind, "target", f"event_{kind}", "= 2")),
        *(_of_links(hidden_scope(kind), kind, HIDDEN) for kind in LINKED),
        *(
            _of_links(DIRECT, kind, f"l.position IS NOT NULL AND (event.visibility_level = 2 OR ({HIDDEN}))")
            for kind in COUNTED_DIRECTLY
        ),
    ]
)
