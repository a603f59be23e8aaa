"""Under load from writers and readers at once, no answer is older than the last change that was acknowledged before
it was asked for, whichever worker gives it and whether or not it was kept ready."""

from bisect import bisect_left
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
from tests.conftest import settings_for
from tests.http.concurrent_clients import DOCUMENTS, Places, Read, View, Write, gather
from tests.http.test_workers import figure, service
from tests.stores import Template

from kalends.bootstrap import make_store

NAMESPACE = "/api/calendar/events/v1"


@dataclass(frozen=True)
class State:
    """The calendar after a change."""

    rev: int
    venue: str
    category: str
    events: dict[int, str]

    def after(self, write: Write) -> "State":
        if write.kind == "event":
            others = {id: name for id, name in self.events.items() if id != write.id}
            return replace(
                self, rev=write.rev, events=others if write.name is None else others | {write.id: write.name}
            )
        return replace(self, rev=write.rev, **{write.kind: write.name})

    def view(self, path: str) -> View:
        shown = [(id, name, self.venue, self.category) for id, name in sorted(self.events.items())]
        if path in DOCUMENTS:
            return frozenset(self.events.values())
        if path == "/categories":
            return [(self.category, len(shown))] if shown else []
        if path.startswith("/events/"):
            return next((event for event in shown if path == f"/events/{event[0]}"), None)
        return len(shown), tuple(shown)


def test_no_answer_is_older_than_what_was_acknowledged_before(template: Template, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    template.fresh(data)
    token = template.tokens["administrator"]
    with service(tmp_path) as (base, _):
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=base + NAMESPACE, headers=headers) as admin:
            venue = admin.post("/venues", json={"venue": "Hall"}).json()
            category = admin.post("/categories", json={"name": "Music"}).json()
        writes, reads = gather(base + NAMESPACE, token, Places(venue["id"], category["id"]))
        hits = figure(base, "kalends_cache_hits_total")
    writes.sort(key=lambda write: write.rev)
    assert journal(data, category["rev"]) == [(write.rev, write.kind, write.id) for write in writes]

    states = [State(category["rev"], "Hall", "Music", {})]
    for write in writes:
        states.append(states[-1].after(write))
    assert [read for read in reads if not is_fresh(read, states)] == []

    # It means something only if reads came between the writes, and some from memory. The machine decides how many.
    assert len({read.since for read in reads}) > 5
    assert sum(read.unchanged for read in reads) > 0
    assert hits > 0
    assert {read.path for read in reads} >= set(DOCUMENTS)


def is_fresh(read: Read, states: list[State]) -> bool:
    """Whether it shows the calendar as it was after some change from the acknowledged one on, and so in one piece."""
    first = bisect_left(states, max(read.since, states[0].rev), key=lambda state: state.rev)
    return any(state.view(read.path) == read.view for state in states[first:])


def journal(data: Path, after: int) -> list[tuple[int, str, int]]:
    store = make_store(settings_for(data))
    with store.read() as session:
        rows = session.all("SELECT rev, kind, id FROM journal WHERE rev > ? ORDER BY rev", (after,))
    store.close()
    return [(rev, kind, id) for rev, kind, id in rows]
