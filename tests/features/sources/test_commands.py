"""`kalends source` on the command line."""

import pytest
from click.testing import CliRunner, Result
from tests.conftest import World
from tests.features.importing.reference_site import ReferenceSite, served
from tests.features.sources.calendars import Elsewhere, entry, titles

from kalends.cli import kalends
from kalends.features.sources.commands import source


@pytest.fixture
def command(world: World, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Runs it on the calendar of the world."""
    monkeypatch.setenv("KALENDS_FETCH_PRIVATE", "true")
    data = str(world.calendar.settings.data)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(source, [*arguments, "--data", data])

    return run


def test_add_list_read_pause_and_remove(world: World, remote: Elsewhere, command) -> None:  # type: ignore[no-untyped-def]
    remote.show(entry("1@town", "20270310T190000"))
    added = command("add", remote.url, "--name", "The town", "--every", "6h", "--take", "concert, choir")
    assert (added.exit_code, added.output) == (0, "Added the source 1: The town.\n")
    (made,) = world.get("/sources", "administrator").json()["sources"]
    assert (made["every"], made["take"]) == ("6h", ["concert", "choir"])
    assert "new\t6h\t-\tThe town" in command("list").output
    assert command("read", "1").output == "1 created, 0 changed, 0 unchanged, 0 gone, 0 held\n"
    assert titles(world) == ["Concert"]
    assert command("pause", "1").exit_code == 0
    assert "paused\t6h" in command("list").output
    assert command("pause", "1", "--off").exit_code == 0
    remote.status = 500
    failed = command("read", "1")
    assert failed.exit_code == 1
    assert "status 500" in failed.output
    assert "failing" in command("list").output
    assert command("remove", "1").exit_code == 0
    assert titles(world) == ["Concert"]


@pytest.mark.parametrize("arguments", [("add", "nonsense"), ("read", "7"), ("pause", "7"), ("remove", "7")])
def test_what_cannot_be_done_is_told(command, arguments: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    found = command(*arguments)
    assert found.exit_code != 0
    assert found.exception is not None


def test_a_site_is_read_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a source that is paused; what was imported of it is known, and what is gone there goes."""
    monkeypatch.setenv("KALENDS_FETCH_PRIVATE", "true")
    data = ("--data", str(world.calendar.settings.data))
    with served(ReferenceSite()) as site:
        for number in (1, 2):
            site.event(number, f"Event {number}")
        imported = CliRunner().invoke(kalends, ["import", "site", site.url, "--allow-private", "--no-images", *data])
        assert imported.exit_code == 0, imported.output

        def once() -> str:
            return CliRunner().invoke(kalends, ["sync", "site", site.url, *data]).output

        assert once() == "0 created, 0 changed, 2 unchanged, 0 gone, 0 held\n"
        site.event(3, "Event 3")
        del site.records["events"][0]
        assert once() == "1 created, 0 changed, 1 unchanged, 1 gone, 0 held\n"
        (source,) = world.get("/sources", "administrator").json()["sources"]
        assert (source["active"], source["kind"]) == (False, "site")
    assert sorted(titles(world)) == ["Event 2", "Event 3"]
    failed = CliRunner().invoke(kalends, ["sync", "site", site.url, "--quiet", *data])
    assert (failed.exit_code, failed.stdout) == (1, "")
    assert "could not be fetched" in failed.stderr
