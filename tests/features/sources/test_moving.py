"""A source with a log-in, in a calendar that is restored or moved: it is read there, with the key of before."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import BASE_URL, Clock, World
from tests.features.sources.calendars import add, counts, elsewhere, entry, read, titles
from tests.features.sources.conftest import KEY
from tests.moved_calendars import command, world_of
from tests.postgresql_programs import missing

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

SETTINGS = {"base_url": BASE_URL, "fetch_private": "true", "secret_key": KEY}
OTHER_KEY = SETTINGS | {"secret_key": "another key of thirty-two characters"}


@pytest.mark.parametrize("way", ["backup", "move"])
def test_it_goes_on_in_the_copy(
    make_world: Callable[..., World],
    empty_database: Callable[[], dict[str, str]],
    other_database: Callable[[], str],
    tmp_path: Path,
    way: str,
) -> None:
    with elsewhere() as told:
        world = make_world(**SETTINGS)
        told.show(entry("1@town", "20270310T190000", "One"))
        made = add(world, told, login={"user": "reader", "password": "very secret"})
        read(world, made)
        data, opened = world.calendar.settings.data, {"database": world.calendar.settings.database}
        here = ["--data", data, *(["--database", opened["database"]] if opened["database"] else [])]
        if way == "backup":
            file, data, opened = tmp_path / "kalends.tar", tmp_path / "restored", empty_database()
            command("backup", file, *here)
            assert b"very secret" not in file.read_bytes()
            command("restore", file, "--data", data, *(["--database", *opened.values()] if opened else []))
        else:
            opened = {"database": other_database()}
            command("move", *here, "--to", opened["database"])
        for settings, error in ((OTHER_KEY, "its log-in cannot be read with this secret_key"), (SETTINGS, "")):
            copy = world_of(data, world.tokens, world.ids, **opened, **settings)
            assert isinstance(copy.calendar.clock, Clock)
            told.show(entry("1@town", "20270310T190000", "One"), entry("2@town", "20270311T190000", "Two"))
            found = read(copy, made)
            assert error in found["error"]
            if not error:
                assert (found["error"], counts(found)) == ("", (1, 0, 1, 0, 0))
                assert titles(copy) == ["One", "Two"]
            copy.calendar.store.close()
        authorizations = {one.get("authorization") for one in told.asked}
        assert len(authorizations) == 1
        assert None not in authorizations
