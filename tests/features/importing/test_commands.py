"""The commands: what they print, their exit codes, and files that are no exports."""

import json
import os
import pty
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.conftest import World
from tests.features.importing.calendars import GOOGLE
from tests.features.importing.conftest import actions, events_by_title, exported, import_into
from tests.features.importing.reference_site import ReferenceSite, served

from kalends.cli import kalends
from kalends.features.exporting import archive
from kalends.features.importing import run as importing_run
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources import csv_header, web_addresses
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.user_error import UserError

Save = Callable[[str, str | bytes], Path]


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(kalends, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_an_import_by_a_command_is_undone_by_one(tmp_path: Path, save: Save, quick_passwords: None) -> None:
    data, table = tmp_path / "data", save("table.csv", run("import", "csv", "--template").output)
    run("import", "csv", table, "--data", data)
    assert "table.csv" in run("import", "undo", "--list", "--data", data).output
    asked = run("import", "undo", "--data", data)  # nobody answers
    assert "created, to be deleted: 2 events, 2 venues" in asked.output
    assert asked.exit_code == 1
    done = run("import", "undo", "--yes", "--data", data)
    assert done.exit_code == 0, done.output
    assert "deleted: 2 events" in done.output
    assert "undone" in run("import", "undo", "--list", "--data", data).output
    refused = {1: "has been undone already", 9: "no import with the number 9", "": "no import to undo"}
    for number, sentence in refused.items():
        with pytest.raises(UserError, match=sentence):
            run("import", "undo", *([number] if number else []), "--data", data)
    assert run("import", "csv", table, "--data", data).output.splitlines()[-1].startswith("10 created: 2 events")
    assert run("check", "--data", data).exit_code == 0


def test_import_twice_export_and_exit_codes(tmp_path: Path, save: Save, quick_passwords: None) -> None:
    data, table = tmp_path / "data", save("table.csv", run("import", "csv", "--template").output)
    assert table.read_text() == csv_header.TEMPLATE.replace("\r\n", "\n")
    dry = run("import", "csv", table, "--data", data, "--dry-run")
    assert "created   event     Spring concert" in dry.output
    assert dry.output.splitlines()[-1].startswith("would be 10 created: 2 events, 2 venues")
    report = tmp_path / "report.json"
    first = run("import", "csv", table, "--data", data, "--report", report)
    assert "10 created: 2 events, 2 venues, 2 organizers, 2 categories, 2 tags" in first.output
    assert json.loads(report.read_text())["counts"]["created"]["events"] == 2
    assert "10 unchanged" in run("import", "csv", table, "--data", data).output
    assert run("import", "csv", table, "--data", data, "--quiet").output == ""
    save("table.csv", csv_header.TEMPLATE + "3,No date,,,,,,,,,,,,,,,,\r\n")
    third = run("import", "csv", table, "--data", data)
    assert (third.exit_code, "skipped: event No date (row 4): " in third.output) == (3, True)
    with pytest.raises(SourceError, match=r"missing\.csv cannot be read: No such file"):
        run("import", "csv", tmp_path / "missing.csv", "--data", data)
    assert run("import", "csv", "--data", data).exit_code == 2
    target = tmp_path / "out.json"
    assert run("export", "json", "--data", data, "--output", target).exit_code == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    titles = [line["title"] for line in json.loads(target.read_text())["records"] if line["kind"] == "event"]
    assert titles == ["Spring concert", "Book fair"]
    chosen = json.loads(run("export", "json", "--data", data, "--search", "concert").output)["records"]
    fields = {"event": "title", "category": "name", "tag": "name", "venue": "venue", "organizer": "organizer"}
    names = [record[fields[record["kind"]]] for record in chosen]
    assert names == ["Music", "free", "outdoor", "Town hall", "City orchestra", "Town choir", "Spring concert"]
    assert "SUMMARY:Book fair" in run("export", "ics", "--data", data).output
    calendar = save("town.ics", GOOGLE)
    assert run("import", "ics", calendar, "--data", data).exit_code == 0


def test_a_password_is_never_on_the_command_line(tmp_path: Path, quick_passwords: None) -> None:
    with pytest.raises(SourceError, match="there is no password for ed: set KALENDS_IMPORT_PASSWORD, or use"):
        run("import", "site", "https://example.org", "--data", tmp_path, "--user", "ed")


def test_a_login_without_encryption_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick_passwords: None
) -> None:
    """Before it is sent, and once. On the same machine nobody reads along."""
    monkeypatch.setenv("KALENDS_IMPORT_PASSWORD", "app pass")
    with served(ReferenceSite()) as site:
        site.event(1, "First")
        given = ("import", "site", site.url, "--allow-private", "--data", tmp_path, "--no-images", "--quiet")
        assert run(*given, "--user", "ed").stderr == ""
        monkeypatch.setattr(web_addresses, "_is_loopback", lambda host: False)
        assert run(*given).stderr == "", "there is no login"
        warning = f"the password is sent to {site.url} without encryption, so others can read it; use https:// if"
        assert run(*given, "--user", "ed").stderr == f"Warning: {warning} you can\n"


@pytest.mark.parametrize("quiet", [False, True])
def test_a_terminal_shows_how_far_an_import_is(tmp_path: Path, quick_passwords: None, quiet: bool) -> None:
    """On a real pseudo-terminal; `run` shows that nothing of it is in a pipe."""
    terminal, end = pty.openpty()
    template = tmp_path / "table.csv"
    template.write_text(csv_header.TEMPLATE)
    command = ["import", "csv", str(template), "--data", str(tmp_path / "data"), *(["--quiet"] if quiet else [])]
    code = "import sys; from kalends.cli import main; sys.argv[0] = 'kalends'; main()"
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(
        [sys.executable, "-c", code, *command], stderr=end, stdout=subprocess.PIPE, env=environment
    ) as process:
        os.close(end)
        shown = b""
        with suppress(OSError):  # Linux tells so that the other end is closed
            while part := os.read(terminal, 4096):
                shown += part
        process.wait(60)
    os.close(terminal)
    assert process.returncode == 0
    assert ("Importing table.csv" in shown.decode(), "2/2" in shown.decode()) == (not quiet, not quiet)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: len(text) // 2], "the file ends after line|line .* is not JSON"),
        (lambda text: "\n".join(text.splitlines()[:-1]), "the file ends after line"),
        (lambda text: text.replace('"count":', '"count":9'), "records, but the end of the file says 9"),
        (lambda text: text.replace('"version":1', '"version":7'), "the export is of another version; update Kalends"),
        (lambda text: "<!DOCTYPE html><title>Log in</title>", "this is a web page or XML"),
        (lambda text: '{"events": []}', "this JSON is no(t an)? export of Kalends"),
        (lambda text: "hello", "this is not JSON"),
        (lambda text: "[" * 100_000, "this is not JSON"),
        (lambda text: '{"format":"kalends","version":1,"records":null}', "this JSON is no export of Kalends"),
        (lambda text: "PK\x03\x04, and the rest did not arrive", "the archive is damaged .*; export it again"),
    ],
)
def test_what_is_no_export_is_told_and_changes_nothing(
    world: World, make_other: Any, save: Save, change: Callable[[str], str], message: str
) -> None:
    world.make("events", title="One", categories=["A"])
    other = make_other()
    before = other.count()
    with pytest.raises(SourceError, match=message):
        import_into(other, KalendsJson(save("bad.json", change(exported(world).decode()))))
    assert other.count() == before


def test_odd_records_of_an_export_do_not_stop_the_rest(world: World, save: Save) -> None:
    day = {"start_date": "2027-01-01", "end_date": "2027-01-01"}
    records = [
        {"kind": "event", "id": "x/1", "title": "Named", "categories": "music"} | day,
        {"kind": "event", "id": "x/2", "title": {"a": 1}, "venue": [{"id": 1}], "recurrence": "FREQ=NOPE"} | day,
        {"kind": "venue", "id": "x/3", "venue": ["a"]},
        {"kind": "category", "id": "x/4", "name": None},
        7,
        {"kind": "event", "id": "x/5", "title": "Good", "image": f"{archive.IMAGES}../../passwords"} | day,
    ]
    text = "\ufeff" + json.dumps({"format": "kalends", "version": 1, "records": records})
    report = import_into(world, KalendsJson(save("odd.json", text)))
    told = {outcome.where: outcome.details for outcome in report.remarkable if outcome.action == "skipped"}
    assert told["record 1"] == ["categories is not a list"]
    assert set(told) == {f"record {number}" for number in range(1, 6)}
    assert set(events_by_title(world)) == {"Good"}


def test_an_export_that_was_formatted_by_another_program(world: World, make_other: Any, save: Save) -> None:
    world.make("events", title="One", categories=["A"])
    pretty = json.dumps(json.loads(exported(world)), indent=2)
    assert actions(import_into(make_other(), KalendsJson(save("pretty.json", pretty)))) == {"created": 2}


def test_an_import_of_a_file_goes_on_where_it_was_stopped(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing_run, "BATCH", 200)
    rows = "".join(f"{number},Event {number},2027-01-01\n" for number in range(450))
    path = save("many.csv", "ID,Title,Start\n" + rows)

    class Stopped(Exception):
        pass

    def stop(count: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        import_into(world, CsvTable(path, "UTC"), progress=stop)
    assert world.get("/events?start_date=2027-01-01&per_page=1").json()["total"] == 200
    counted: list[int] = []
    report = import_into(world, CsvTable(path, "UTC"), progress=counted.append)
    assert counted == [200, 200, 50], "what was done before counts too"
    assert "an interrupted import goes on where it stopped" in report.remarks
    assert actions(report) == {"created": 250}
    changed = save("many.csv", "ID,Title,Start\n" + rows.replace("Event 3,", "Third,"))
    assert actions(import_into(world, CsvTable(changed, "UTC"))) == {"updated": 1, "unchanged": 449}


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("calendar.json", b"0" * 5_000_000)
    with pytest.raises(SourceError, match=r"calendar\.json in it is far larger than it should be"):
        KalendsJson(path).prepare()
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(SourceError):
        KalendsJson(path).prepare()


def test_authors_become_users_if_that_is_asked_for(world: World, make_other: Any, save: Save) -> None:
    text = '{"format":"kalends","version":1,"records":[\n'
    dates = '"start_date":"2027-01-01","end_date":"2027-01-01"'
    text += f'{{"kind":"event","id":"x/1","author":"zoe","title":"Hers",{dates}}}'
    path = save("authors.json", text + '\n],"count":1}\n')
    report = import_into(world, KalendsJson(path))
    assert report.remarks == ["records of zoe belong to administrator (--create-users adds these users)"]
    other = make_other()
    import_into(other, KalendsJson(path), options=ImportOptions(create_users=True))
    author = int(events_by_title(other)["Hers"]["author"])
    found = other.get(f"/users/{author}", "administrator").json()
    assert (found["name"], found["role"]) == ("zoe", "author")


@pytest.mark.parametrize("password", [{"salt": "zz", "digest": "00"}, {"salt": "0" * 32, "digest": "no hex"}])
def test_a_password_that_is_none_leaves_the_event_private(world: World, save: Save, password: Any) -> None:
    """And the salt of the calendar as it is: with a bad one no password would work any more."""
    dates = {"start_date": "2027-01-01", "end_date": "2027-01-01"}
    record = {"kind": "event", "id": "x/1", "title": "Sealed", "status": "publish", "password": password} | dates
    nameless = {"kind": "event", "id": "x/", "title": "Nameless"} | dates
    document = {"format": "kalends", "version": 1, "records": [record, nameless]}
    report = import_into(world, KalendsJson(save("bad.json", json.dumps(document))))
    assert actions(report) == {"created": 1, "skipped": 1}
    assert events_by_title(world)["Sealed"]["status"] == "private"
    protected = world.make("events", title="Another", post_password="sesame")
    assert world.get(f"/events/{protected['id']}?password=sesame").status_code == 200
