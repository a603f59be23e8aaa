"""A webhook with an undelivered page, in a calendar that is restored or moved: it goes on in the copy."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conftest import BASE_URL, Clock, World
from tests.features.webhooks.receivers import Answer, Receiver, receiving
from tests.features.webhooks.test_delivering import hook, read, run
from tests.moved_calendars import command, world_of
from tests.postgresql_programs import missing

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

SETTINGS = {"base_url": BASE_URL, "webhooks_allow_private": "true"}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.mark.parametrize("way", ["backup", "move"])
def test_it_goes_on_from_the_beginning_of_the_copy_with_a_message_that_says_so(
    make_world: Callable[..., World],
    empty_database: Callable[[], dict[str, str]],
    other_database: Callable[[], str],
    receiver: Receiver,
    tmp_path: Path,
    way: str,
) -> None:
    world = make_world(**SETTINGS)
    made = hook(world, receiver)
    gone = world.make("events", title="Gone")["id"]
    receiver.answers = [Answer(), Answer(503)]
    run(world)
    world.delete(f"/events/{gone}?force=true")
    run(world)  # and is not taken
    data, opened = world.calendar.settings.data, {"database": world.calendar.settings.database}
    here = ["--data", data, *(["--database", opened["database"]] if opened["database"] else [])]
    if way == "backup":
        file, data, opened = tmp_path / "kalends.tar", tmp_path / "restored", empty_database()
        command("backup", file, *here)
        command("restore", file, "--data", data, *(["--database", *opened.values()] if opened else []))
    else:
        opened = {"database": other_database()}
        command("move", *here, "--to", opened["database"])
    copy = world_of(data, world.tokens, world.ids, **opened, **SETTINGS)
    assert isinstance(copy.calendar.clock, Clock)
    copy.clock = copy.calendar.clock
    copy.clock.now = world.clock.now
    receiver.messages.clear()
    run(copy, 100)
    assert [(one.json["type"], one.changes) for one in receiver.messages] == [("changes_expired", [])]
    event = copy.make("events", title="After")["id"]
    run(copy, 100)
    assert [(change["id"], change["change"]) for one in receiver.messages[1:] for change in one.changes] == [
        (event, "changed")
    ]
    assert read(copy, made)["active"]
    copy.calendar.store.close()
