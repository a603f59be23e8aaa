"""A person with many records is removed, or hands them over, in steps that other writers pass between."""

from typing import Any

import pytest
from tests import parts, store_checks
from tests.calendar.series.test_scopes import make as make_series
from tests.conftest import NS

from kalends.calendar.access import SERVICE, Caller
from kalends.calendar.accounts import users
from kalends.calendar.accounts.account_rules import BadUser
from kalends.contract.errors import ApiError
from kalends.contract.roles import Role

pytestmark = pytest.mark.both_stores

EVERY_TIME = "start_date=1900-01-02&end_date=9999-12-31&per_page=100"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    parts.make_small(monkeypatch)


def authors(world: Any) -> list[str]:
    """Those of all events, as everybody reads them."""
    return sorted(event["author"] for event in world.get(f"{NS}/events?{EVERY_TIME}").json()["events"])


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("is_repeated", [False, True])
def test_what_was_ended_in_between_goes_on(world: Any, monkeypatch: pytest.MonkeyPatch, is_repeated: bool) -> None:
    leaver, heir = world.ids["author"], world.ids["editor"]
    for number in range(5):
        world.make("events", "author", title=f"Evening {number}", venue={"venue": f"Hall {number}"})
    make_series(world, who="author", recurrence="FREQ=DAILY;COUNT=4")
    assert authors(world) == [str(leaver)] * 9
    seen = list[int]()

    def look() -> None:
        store_checks.check(world.calendar.store)
        shown = authors(world)  # each event is one person's, and none is missing
        assert len(shown) == 9
        seen.append(shown.count(str(heir)))
        if len(seen) == 3:
            raise parts.Killed

    with monkeypatch.context() as patch:
        parts.do_between(patch, look)
        with pytest.raises(parts.Killed):
            users.remove_in_parts(world.calendar, SERVICE, leaver, heir)
    assert seen == [2, 4, 5]  # and then the dates of the series, all of them together
    if is_repeated:
        assert world.delete(f"/users/{leaver}?reassign={heir}").status_code == 200
    world.clock.move(seconds=60)
    world.calendar.background.run_due()
    assert world.get(f"/users/{leaver}", "administrator").status_code == 404
    assert authors(world) == [str(heir)] * 9
    assert world.get("/venues").json()["venues"][0]["author"] == str(heir)
    with world.calendar.store.read() as session:
        assert session.column("SELECT DISTINCT author FROM series") == [heir]
    store_checks.check(world.calendar.store)


@pytest.mark.usefixtures("few")
def test_nothing_changes_hands_before_a_removal_that_is_refused(world: Any) -> None:
    with world.calendar.store.read() as session:
        last = session.value("""SELECT id FROM "user" WHERE role = 'administrator' ORDER BY id LIMIT 1""")
        others = session.column("""SELECT id FROM "user" WHERE role = 'administrator' AND id <> ?""", (last,))
    for other in others:
        world.calendar.write(SERVICE, users.change_user, other, role="editor")
    for number in range(5):
        world.make("events", "author", title=f"Evening {number}")
    with world.calendar.store.write() as session:
        session.run("UPDATE event SET author = ?", (last,))
    with pytest.raises(BadUser):
        users.remove_in_parts(world.calendar, SERVICE, last, world.ids["editor"])
    with world.calendar.store.read() as session:
        assert session.column("SELECT DISTINCT author FROM event") == [last]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("role", [role for role in Role if role < Role.ADMINISTRATOR])
def test_only_administrators_give_records_away(world: Any, role: Role) -> None:
    for number in range(3):
        world.make("events", "author", title=f"Evening {number}")
    caller = Caller(world.ids.get(role.word, 0), role.word, role)
    for operation in (users.remove_in_parts, users.hand_over_in_parts):
        with pytest.raises(ApiError):
            operation(world.calendar, caller, world.ids["author"], world.ids["editor"])
    assert authors(world) == [str(world.ids["author"])] * 3


@pytest.mark.usefixtures("few")
def test_a_hand_over_takes_all_with_it(world: Any) -> None:
    for number in range(5):
        world.make("events", "author", title=f"Evening {number}")
    assert users.hand_over_in_parts(world.calendar, SERVICE, world.ids["author"], world.ids["editor"]) == 5
    assert authors(world) == [str(world.ids["editor"])] * 5
    assert world.calendar.write(SERVICE, users.hand_over, world.ids["author"], world.ids["editor"]) == 0
