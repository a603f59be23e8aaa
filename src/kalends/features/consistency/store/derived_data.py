"""Whether what is said twice agrees: copies in links, added values, totals, times, trees, first publications."""

from collections.abc import Iterator, Mapping

import msgspec

from kalends.contract.kinds.terms import DEEPEST
from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Row, Session
from kalends.store.query.outdated_times import next_outdated
from kalends.store.rows import custom_values, links, tasks
from kalends.store.rows.links import IS_SHOWN_TO_ALL, KINDS, LINKED
from kalends.store.rows.records import Event
from kalends.store.rows.tallies import DATES, END, HIDDEN, START, UNITS, hidden_scope
from kalends.values.custom_fields import CHOICES, Values

# Whether the times of events agree with the rules of time zones that the service has now.


def times(session: Session) -> Iterator[Problem]:
    """Events whose UTC is not that of their wall clock."""
    last: int | None = 0
    while last is not None:
        found, last = next_outdated(session, last)
        for id in found:
            yield Problem("event", id, f"The times of the event {id} are of other rules of its time zone.")


# Whether the stored totals are those of a recount.

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


# Whether what waits for its first public event still does.


def overdue(session: Session) -> Iterator[Problem]:
    """Venues and organizers that wait although a public event shows them."""
    for kind in KINDS:
        is_shown = IS_SHOWN_TO_ALL.format(kind=kind)
        for id in session.column(
            f"SELECT r.id FROM {kind} r"
            f" WHERE r.waiting = 1 AND r.status IN ('draft', 'pending') AND {is_shown} ORDER BY r.id"
        ):
            yield Problem(kind, id, f"The {kind} {id} is not public, although a public event brought it.")


# Whether the rows by which events are found by their custom fields say what the events say.

AT_ONCE = 1000
_decoded = msgspec.json.Decoder(Values).decode


def rows(session: Session) -> Iterator[Problem]:
    """Events whose rows have other values, times or another visibility level, lack some or are too many."""
    of_choices = {field.key for field in custom_values.read(session) if field.type == CHOICES}
    last = 0
    while True:
        found = session.all(
            "SELECT id, custom_fields, visibility_level, start_local, end_local FROM event e WHERE id > ?"
            " AND (custom_fields <> '{}' OR EXISTS (SELECT 1 FROM event_custom v WHERE v.event = e.id))"
            " ORDER BY id LIMIT ?",
            (last, AT_ONCE),
        )
        stored: dict[int, set[Row]] = {}
        for row in custom_values.stored_rows(session, [id for id, *_ in found]):
            stored.setdefault(int(row[0]), set()).add(tuple(row))
        for id, written, *copied in found:
            if _expected(id, _decoded(written), copied, of_choices) != stored.get(id, set()):
                sentence = f"The event {id} is found by other values of its custom fields than it has."
                yield Problem("event", id, sentence)
        if len(found) < AT_ONCE:
            return
        last = found[-1][0]


def _expected(id: int, values: Values, copied: list[object], of_choices: set[str]) -> set[Row]:
    event = Event(id=id, author=0, status="", date_utc="", modified_utc="", custom_fields=values)
    return {(*row, *copied) for row in custom_values.values_of(event, of_choices)}


# Whether the categories are a tree, without a circle and not too deep.


def tree(session: Session) -> Iterator[Problem]:
    """Categories that are above themselves, and those that are too far down."""
    parents: dict[int, int] = dict(session.all("SELECT id, parent FROM category ORDER BY id"))
    for id in parents:
        above = lineage(parents, id)
        if id in above:
            yield Problem("category", id, f"The category {id} is above itself.")
        elif len(above) >= DEEPEST:
            yield Problem("category", id, f"The category {id} is more than {DEEPEST} levels deep.")


def lineage(parents: Mapping[int, int], id: int) -> list[int]:
    """The ancestors of a category, the nearest first; in a circle each of them once."""
    found: dict[int, None] = {}
    above = parents.get(id, 0)
    while above and above not in found:
        found[above] = None
        above = parents.get(above, 0)
    return list(found)


_ABOVE = """WITH RECURSIVE above (id, ancestor) AS (
    SELECT id, parent FROM category WHERE parent <> 0
    UNION SELECT above.id, c.parent FROM above JOIN category c ON c.id = above.ancestor WHERE c.parent <> 0
) """
_IMPLIED = "SELECT event, target FROM event_category WHERE position IS NULL"
_GIVEN = "SELECT event, target FROM event_category WHERE position IS NOT NULL"
_RIGHT = (
    "SELECT l.event, above.ancestor FROM event_category l JOIN above ON above.id = l.target"
    f" WHERE l.position IS NOT NULL EXCEPT {_GIVEN}"
)


def copies(session: Session) -> Iterator[Problem]:
    """Links whose times or visibility level are not those of the event, and places in the order that two have."""
    for kind in links.LINKED:
        for event in session.column(
            f"SELECT DISTINCT l.event FROM event_{kind} l JOIN event e ON e.id = l.event WHERE l.visibility_level"
            " <> e.visibility_level OR l.start_local <> e.start_local OR l.end_local <> e.end_local"
            " ORDER BY 1"
        ):
            yield Problem("event", event, f"The {kind} of the event {event} has other times than the event.")
        for event in session.column(
            f"SELECT DISTINCT event FROM (SELECT event FROM event_{kind} WHERE position IS NOT NULL"
            " GROUP BY event, position HAVING count(*) > 1) AS twice ORDER BY 1"
        ):
            yield Problem("event", event, f"Two of the kind {kind} have the same place in the event {event}.")


def implied(session: Session) -> Iterator[Problem]:
    """Events that a category above theirs lacks, and those that a category has without having one below; not while
    a task is to mend that."""
    awaited = {int(key) for key in tasks.awaited(session, tasks.GATHERING)}
    lacking = session.all(f"{_ABOVE} SELECT * FROM ({_RIGHT}) AS wanted EXCEPT {_IMPLIED} ORDER BY 1, 2")
    extra = session.all(f"{_ABOVE} {_IMPLIED} EXCEPT SELECT * FROM ({_RIGHT}) AS wanted ORDER BY 1, 2")
    for event, category in lacking:
        if category in awaited:
            continue
        sentence = f"The category {category} lacks the event {event} of a category below it."
        yield Problem("event", event, sentence)
    for event, category in extra:
        if category in awaited:
            continue
        sentence = f"The category {category} has the event {event}, which is in no category below it."
        yield Problem("event", event, sentence)
