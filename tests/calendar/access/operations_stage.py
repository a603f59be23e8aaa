"""What the tests of rights of operations share: calendars with records, and calling an operation as somebody."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from tests.calendar.access import rights
from tests.calendar.access.rights import POSTS, SINGULAR, STATES, TERMS
from tests.calendar.access.secret_records import picture
from tests.calendar.access.test_matrix import NAME_FIELDS, Record, make
from tests.stores import Snapshot

from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.contract.errors import ApiError
from kalends.contract.kinds import Kind
from kalends.contract.roles import Role

REFUSED = (401, 403, 404)


ROLES = tuple(role for role in Role)


Act = Callable[[Calendar, Caller, Kind, int], object]


def in_writing(operation: Callable[..., object], *given: object) -> Act:
    def act(calendar: Calendar, caller: Caller, kind: Kind, id: int) -> object:
        with calendar.writing(caller) as work:
            return operation(work, *(id if one is ID else one for one in given))

    return act


# What is called, and whether the caller may.
Cases = dict[str, tuple[Callable[[], object], bool]]


ID = object()


@dataclass(frozen=True)
class Operation:
    """An operation, and the right that it needs: that to edit the record, unless `right` names one of the table."""

    name: str
    act: Act
    right: str = ""
    kinds: tuple[str, ...] = POSTS
    states: tuple[str, ...] = STATES


OTHER: dict[str, int] = {}  # by kind, a record that others are merged into


@dataclass
class Stage:
    world: Any
    records: list[Record]
    terms: dict[str, int]
    image: int
    snapshot: Snapshot

    def caller(self, role: Role) -> Caller:
        return Caller(self.world.ids.get(role.word, 0), role.word, role)


@pytest.fixture(scope="module")
def stage(build_world: Any) -> Iterator[Stage]:
    world = build_world()
    traits = [
        (kind, owner, state, False)
        for kind in POSTS
        for owner in ("contributor", "author", "other_author")
        for state in STATES
    ]
    records = [make(world, number, *one) for number, one in enumerate(traits)]
    for record in records:  # every record has a version to come back to
        status = rights.status_of(record.state)
        world.put(
            f"/{record.kind}/{record.id}", json={NAME_FIELDS[record.kind]: f"{record.word} again", "status": status}
        )
        assert world.read(record.kind, record.id)["status"] == status
    terms: dict[str, int] = {}
    for plural in TERMS:
        terms[plural] = world.make(plural, name="One")["id"]
        OTHER[SINGULAR[plural]] = world.make(plural, name="Two")["id"]
        world.put(f"/{plural}/{terms[plural]}", json={"name": "First"})
    for plural in POSTS[1:]:
        OTHER[SINGULAR[plural]] = world.make(plural, **{NAME_FIELDS[plural]: "The other"})["id"]
    image = world.upload(picture(1), "other_author", "a.png")["id"]
    found = Stage(world, records, terms, image, Snapshot(world.calendar.store))
    yield found
    found.snapshot.close()


def status_of(act: Callable[[], object]) -> int:
    """200, or the status of the refusal."""
    try:
        act()
    except ApiError as refused:
        return refused.error_type.status
    return 200
