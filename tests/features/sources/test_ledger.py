"""A ledger of random changes at the source: after each read, the calendar has exactly what the source has."""

import random
from collections.abc import Mapping

import pytest
from tests.conftest import World
from tests.effort import effort
from tests.features.sources.calendars import Elsewhere, add, entry, events, read

pytestmark = pytest.mark.both_stores
CHANGES = effort(15, 200)


class Ledger:
    """What the source has, and what people have done here, by the ids there."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.there: dict[str, tuple[str, str]] = {}  # start and title
        self.titled_here: dict[str, str] = {}
        self.trashed_here: set[str] = set()
        self.number = 0

    def begin(self) -> None:
        for _ in range(12):
            self.create()

    def create(self) -> None:
        self.number += 1
        self.there[f"{self.number}@town"] = self.start(), f"Event {self.number}"

    def start(self) -> str:
        return (
            f"2027{self.chance.randint(1, 9):02}{self.chance.randint(1, 28):02}T{self.chance.randint(8, 22):02}0000"
        )

    def change(self) -> None:
        """Something at the source."""
        kind = self.chance.choice(["create", "move", "rename", "remove"] if len(self.there) > 8 else ["create"])
        if kind == "create":
            self.create()
            return
        id = self.chance.choice(sorted(self.there))
        start, title = self.there[id]
        if kind == "remove":
            del self.there[id]
        else:
            self.there[id] = (self.start(), title) if kind == "move" else (start, f"{title} again")

    def entries(self) -> list[str]:
        found = [entry(id, start, title) for id, (start, title) in self.there.items()]
        self.chance.shuffle(found)
        return found

    def expected(self) -> list[tuple[str, str]]:
        found = []
        for id, (start, title) in self.there.items():
            if id not in self.trashed_here:
                shown = f"{start[:4]}-{start[4:6]}-{start[6:8]} {start[9:11]}:00:00"
                found.append((shown, self.titled_here.get(id, title)))
        return sorted(found)


def here(world: World) -> dict[str, Mapping[str, str]]:
    return {one["external_id"]: one for one in events(world)}


@pytest.mark.parametrize("seed", range(effort(1, 4)))
def test_random_changes(world: World, remote: Elsewhere, seed: int) -> None:
    ledger = Ledger(seed)
    ledger.begin()
    remote.show(*ledger.entries())
    made = add(world, remote)
    read(world, made)
    for step in range(CHANGES):
        for _ in range(ledger.chance.randint(1, 3)):
            ledger.change()
        found = here(world)
        if found and step % 5 == 0:  # a person renames one of them
            id = ledger.chance.choice(sorted(found))
            ledger.titled_here[id] = f"Ours {step}"
            world.put(f"/events/{found[id]['id']}", json={"title": f"Ours {step}"})
        if found and step % 11 == 0:  # and moves one to the trash
            id = ledger.chance.choice(sorted(found))
            ledger.trashed_here.add(id)
            world.delete(f"/events/{found[id]['id']}")
        remote.show(*ledger.entries())
        assert read(world, made)["error"] == ""
        assert sorted((one["start_date"], one["title"]) for one in events(world)) == ledger.expected(), step
