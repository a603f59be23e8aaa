"""Whether the links of events repeat what the events say, and whether categories have the events of those below."""

from collections.abc import Iterator

from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Session
from kalends.store.rows import links, tasks

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
