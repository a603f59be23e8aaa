"""Second factors in a calendar that is restored or moved: what goes along, and what the key is for."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import Clock, World
from tests.features.signing_in.authenticator import ORIGIN
from tests.features.signing_in.test_passkeys import add_passkey, enters
from tests.features.signing_in.test_second_factor import add_app, code_now, key_after_password, signs_in
from tests.moved_calendars import command, world_of
from tests.postgresql_programs import missing

from kalends.calendar import sealing

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

KEY = "a key of some length"


@pytest.mark.parametrize("key", [KEY, "another key of some length"])
@pytest.mark.parametrize("way", ["backup", "move"])
def test_factors_go_along_and_need_the_key(
    make_world: Callable[..., World],
    empty_database: Callable[[], dict[str, str]],
    other_database: Callable[[], str],
    tmp_path: Path,
    way: str,
    key: str,
) -> None:
    world = make_world(base_url=ORIGIN, secret_key=KEY)
    secret, codes, _ = add_app(world, "editor")
    authenticator, _, _ = add_passkey(world, "editor", 303)
    data, opened = world.calendar.settings.data, {"database": world.calendar.settings.database}
    here = ["--data", data, *(["--database", opened["database"]] if opened["database"] else [])]
    if way == "backup":
        file, data, opened = tmp_path / "kalends.tar", tmp_path / "restored", empty_database()
        command("backup", file, *here)
        assert secret.encode() not in file.read_bytes()
        command("restore", file, "--data", data, *(["--database", *opened.values()] if opened else []))
    else:
        opened = {"database": other_database()}
        command("move", *here, "--to", opened["database"])
    copy = world_of(data, world.tokens, world.ids, **opened, base_url=ORIGIN, secret_key=key)
    assert isinstance(copy.calendar.clock, Clock)
    copy.clock = copy.calendar.clock
    copy.clock.now = world.clock.now
    signs_in(copy, "editor", code_now(copy, secret), status=303 if key == KEY else 400)
    admin, fields = key_after_password(copy, "editor")
    asked = admin.post("/admin/second-factor", fields | {"code": "000000"}, status=400).text
    assert ("this server has another secret key" in asked) == (key != KEY)
    signs_in(copy, "editor", codes[0])
    enters(copy, authenticator)
    copy.calendar.store.close()


def test_the_key_file_stays_behind(make_world: Callable[..., World], tmp_path: Path) -> None:
    """It is what opens the secrets of a backup, so it is copied apart."""
    world = make_world(base_url=ORIGIN)
    if not world.calendar.settings.is_embedded:
        pytest.skip("several nodes need a setting")
    secret, _, _ = add_app(world, "editor")
    file, data = tmp_path / "kalends.tar", tmp_path / "restored"
    command("backup", file, "--data", world.calendar.settings.data)
    command("restore", file, "--data", data)
    assert not (data / sealing.KEY_FILE).exists()
    key = (world.calendar.settings.data / sealing.KEY_FILE).read_bytes()
    assert key not in file.read_bytes()
    (data / sealing.KEY_FILE).write_bytes(key)
    copy = world_of(data, world.tokens, world.ids, base_url=ORIGIN)
    assert isinstance(copy.calendar.clock, Clock)
    copy.clock = copy.calendar.clock
    copy.clock.now = world.clock.now
    signs_in(copy, "editor", code_now(copy, secret))
    copy.calendar.store.close()
