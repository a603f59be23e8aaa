"""Work for later as rows: one task for each kind and key, with a due time, and a lease while a process runs it."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from kalends.store.engine.store import Session, placeholders
from kalends.store.rows.tables import Table

GATHERING = "category-events"  # a kind: the category with this key does not have the events of those below it yet
FIRST = ""  # due: at once, before what is late
NEVER = "9999-12-31 23:59:59"  # due: it was given up, until somebody asks for it again
_AWAITED = "(rev IS NULL OR rev < (SELECT coalesce(max(j.rev), 0) FROM journal j))"


class Task(NamedTuple):
    """`due_utc` is when it may be taken, and while it has a `holder`, when that one's lease ends. With a `rev`, it
    waits for a change after that one. `tries` failed since the last success, the last with `error`. `asked` is
    another number each time it is asked for. `payload` belongs to its kind."""

    kind: str
    key: str
    due_utc: str
    rev: int | None = None
    holder: str = ""
    tries: int = 0
    asked: int = 1
    error: str = ""
    failed_utc: str = ""
    payload: str = ""


_TASKS = Table("task", Task)


class Count(NamedTuple):
    """How many tasks of a kind there are: waiting for their time, running, and waiting after a failure; and how many
    no process has taken although it was time."""

    kind: str
    queued: int
    running: int
    failed: int
    late: int
    next_utc: str


class Furthest(NamedTuple):
    """The last times for which tasks of a kind can be due: that were taken, that failed, and others."""

    kind: str
    claimed: str
    failed: str
    others: str


# Of one kind: with `Furthest`, the present, and the present as it may be elsewhere.
_TOO_FAR = (
    f"(kind = ? AND due_utc > ? AND due_utc < '{NEVER}' AND due_utc > CASE WHEN holder <> '' THEN ?"
    " WHEN tries = 0 THEN ? WHEN failed_utc > ? THEN '' ELSE ? END)"
)


def add(session: Session, kind: str, key: str, due: str, payload: str = "", rev: int | None = None) -> None:
    """Asks for a task, in the transaction of its cause. One that is there already gets this due time and payload, and
    its failures are forgotten; one that is running runs once more afterwards."""
    session.run(
        f"INSERT INTO task ({_TASKS.columns}) VALUES (?, ?, ?, ?, '', 0, 1, '', '', ?)"
        " ON CONFLICT (kind, key) DO UPDATE SET"
        " due_utc = CASE WHEN task.holder = '' THEN excluded.due_utc ELSE task.due_utc END,"
        " rev = excluded.rev, tries = 0, asked = task.asked + 1, error = '', failed_utc = '',"
        " payload = excluded.payload",
        (kind, key, due, rev, payload),
    )


def go_on(session: Session, kind: str, key: str, payload: str) -> None:
    """Notes how far a task has come."""
    session.run("UPDATE task SET payload = ? WHERE kind = ? AND key = ?", (payload, kind, key))


def ensure(session: Session, kind: str, key: str, due: str) -> None:
    """The same, unless it is there already."""
    session.run(
        f"INSERT INTO task ({_TASKS.columns}) VALUES (?, ?, ?, NULL, '', 0, 1, '', '', '')"
        " ON CONFLICT (kind, key) DO NOTHING",
        (kind, key, due),
    )


def postpone(session: Session, task: Task, due: str) -> None:
    """Another process takes it only then, unless one has taken it already."""
    session.run("UPDATE task SET due_utc = ? WHERE kind = ? AND key = ? AND holder = ''", (due, task.kind, task.key))


def remove(session: Session, kind: str, key: str) -> None:
    """One that is running is not stopped, but its end changes nothing any more."""
    session.run("DELETE FROM task WHERE kind = ? AND key = ?", (kind, key))


def find(session: Session, kind: str, key: str) -> Task | None:
    return _TASKS.one(session, "kind = ? AND key = ?", (kind, key))


def awaited(session: Session, kind: str) -> list[str]:
    """The keys of the tasks of a kind that were not given up."""
    return session.column("SELECT key FROM task WHERE kind = ? AND due_utc < ?", (kind, NEVER))


def too_far(session: Session, furthest: Sequence[Furthest], now: str, elsewhere: str) -> list[str]:
    """The kinds of which tasks are due later than anybody can have asked for, or failed in the future."""
    conditions = " OR ".join([_TOO_FAR] * len(furthest))
    values = [value for one in furthest for value in _far_values(one, now, elsewhere)]
    return session.column(f"SELECT DISTINCT kind FROM task WHERE {conditions}", values) if furthest else []


def correct_due_times(session: Session, furthest: Furthest, now: str, elsewhere: str, lease_end: str) -> int:
    """Makes those of a kind due; how many. One that was taken may be running: then its lease is renewed soon."""
    return session.run(
        "UPDATE task SET due_utc = CASE WHEN holder <> '' THEN ? ELSE ? END,"
        " failed_utc = CASE WHEN failed_utc > ? THEN ? ELSE failed_utc END"
        f" WHERE {_TOO_FAR}",
        (lease_end, now, now, now, *_far_values(furthest, now, elsewhere)),
    )


def _far_values(one: Furthest, now: str, elsewhere: str) -> tuple[str, ...]:
    return (one.kind, now, one.claimed, one.others, elsewhere, one.failed)


def due(session: Session, now: str, wanted: Sequence[tuple[str, int, int]], *, abandoned: bool = True) -> list[Task]:
    """Tasks that may be taken now. `wanted`: of each kind at most so many, and of those that failed before.
    `abandoned`: also those whose lease has ended."""
    free = "" if abandoned else " AND holder = ''"
    queries = [
        (
            f"SELECT {_TASKS.columns} FROM task WHERE kind = ? AND due_utc <= ? AND {_AWAITED}{free}"
            f" AND tries {comparison} 0 ORDER BY due_utc, key LIMIT ?",
            (kind, now, most),
        )
        for kind, fresh, failing in wanted
        for comparison, most in (("=", fresh), (">", failing))
        if most > 0
    ]
    return [Task(*row) for rows in session.all_of(*queries) for row in rows]


def next_due(session: Session, kinds: Collection[str]) -> str:
    """When the next task is due, or the next lease ends, as long as nothing changes."""
    found = session.value(
        f"SELECT min(due_utc) FROM task WHERE kind IN ({placeholders(kinds)}) AND {_AWAITED}", tuple(kinds)
    )
    return NEVER if found is None else str(found)


def claim(session: Session, task: Task, holder: str, now: str, until: str) -> Task | None:
    """Gives a task that is still due to a process until some time; as it is then. None: another one was quicker."""
    row = session.one(
        f"UPDATE task SET holder = ?, due_utc = ? WHERE kind = ? AND key = ? AND due_utc <= ?"
        f" RETURNING {_TASKS.columns}",
        (holder, until, task.kind, task.key, now),
    )
    return None if row is None else Task(*row)


def add_claimed(session: Session, kind: str, key: str, holder: str, now: str, until: str) -> bool:
    """Adds a task that a process runs from now on; False: it runs already."""
    ensure(session, kind, key, now)
    return bool(
        session.run(
            "UPDATE task SET holder = ?, due_utc = ?, tries = 0, error = '', failed_utc = ''"
            " WHERE kind = ? AND key = ? AND (holder = '' OR due_utc <= ?)",
            (holder, until, kind, key, now),
        )
    )


def renew(session: Session, holder: str, until: str) -> set[tuple[str, str]]:
    """Prolongs the leases of a process; which it still has."""
    session.run("UPDATE task SET due_utc = ? WHERE holder = ?", (until, holder))
    return {(kind, key) for kind, key in session.all("SELECT kind, key FROM task WHERE holder = ?", (holder,))}


def is_held(session: Session, task: Task) -> bool:
    sql = "SELECT 1 FROM task WHERE kind = ? AND key = ? AND holder = ?"
    return session.one(sql, (task.kind, task.key, task.holder)) is not None


def finish(session: Session, task: Task) -> None:
    """The end of a run: the task is gone. One that was asked for again meanwhile is due at once."""
    session.run("DELETE FROM task WHERE kind = ? AND key = ? AND asked = ?", (task.kind, task.key, task.asked))
    session.run(
        "UPDATE task SET holder = '', due_utc = '' WHERE kind = ? AND key = ? AND holder = ?",
        (task.kind, task.key, task.holder),
    )


def put_back(session: Session, task: Task, changed: Task) -> None:
    """The end of a run: the task is to run again, as `changed` says; or at once and as it was asked for, if that was
    done meanwhile."""
    touched = session.run(
        "UPDATE task SET holder = '', due_utc = ?, rev = ?, tries = ?, error = ?, failed_utc = ?, payload = ?"
        " WHERE kind = ? AND key = ? AND holder = ? AND asked = ?",
        (*changed[2:4], changed.tries, *changed[7:], task.kind, task.key, task.holder, task.asked),
    )
    if not touched:
        session.run(
            "UPDATE task SET holder = '', due_utc = '' WHERE kind = ? AND key = ? AND holder = ?",
            (task.kind, task.key, task.holder),
        )


def release(session: Session, holder: str, now: str) -> None:
    """Gives back everything that a process has taken, when it ends."""
    session.run("UPDATE task SET holder = '', due_utc = ? WHERE holder = ?", (now, holder))


def counts(session: Session, now: str, late_before: str) -> list[Count]:
    """How many there are of each kind. What was due before `late_before` is late."""
    rows = session.all(
        "SELECT kind, sum(CASE WHEN holder = '' AND tries = 0 THEN 1 ELSE 0 END),"
        " sum(CASE WHEN holder <> '' AND due_utc > ? THEN 1 ELSE 0 END),"
        " sum(CASE WHEN tries > 0 THEN 1 ELSE 0 END),"
        f" sum(CASE WHEN due_utc > '' AND due_utc < ? AND {_AWAITED} THEN 1 ELSE 0 END), min(due_utc)"
        " FROM task GROUP BY kind ORDER BY kind",
        (now, late_before),
    )
    return [
        Count(kind, int(waiting), int(running), int(failed), int(late), due)
        for kind, waiting, running, failed, late, due in rows
    ]


def overdue_kinds(session: Session, before: str) -> list[str]:
    """Kinds whose tasks no process has taken since: none knows them."""
    return [str(kind) for kind in session.column("SELECT DISTINCT kind FROM task WHERE due_utc < ?", (before,))]


def failed(session: Session, most: int) -> Sequence[Task]:
    """Tasks whose last try failed, the latest first."""
    return _TASKS.all(session, "tries > 0 ORDER BY failed_utc DESC, kind, key LIMIT ?", (most,))
