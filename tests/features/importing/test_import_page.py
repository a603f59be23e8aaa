"""Import and export in the admin."""

import html
import io
import json
import re
import zipfile
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World
from tests.features.importing.import_pages import CALENDAR, IMPORT, OFFERED, TABLE, titles, upload, wait
from tests.features.importing.reference_site import ReferenceSite, served

from kalends.features.importing import job_rows as import_jobs
from kalends.features.importing import jobs
from kalends.features.importing.admin.import_page import COMMAND_LINE
from kalends.features.importing.applying.one_record import DELETED_HERE, TRASHED_HERE
from kalends.features.importing.sources import web_addresses
from kalends.features.importing.sources.discovery import CLOSED
from kalends.features.importing.sources.web_client import ADVICE, WebClient
from kalends.languages import LANGUAGES, translate


def no_pause(_seconds: float) -> None:
    pass


def test_a_table_is_previewed_imported_and_imported_again(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", TABLE)
    page = admin.get(path).text
    assert "Fair" in page
    assert re.search(r'<option value="start_date" selected>Start<', page)
    assert titles(world) == []
    admin.post(
        path, {"do": "start", "header[]": ["Title", "Start", "Where"], "column[]": ["title", "start_date", "venue"]}
    )
    page = wait(admin, path)
    assert titles(world) == ["Fair", "Market"]
    assert "Created" in page
    report = json.loads(admin.get(f"{path}/report").text)
    assert report["counts"]["created"]["events"] == 2
    admin.post(path, {"do": "start"})
    assert "Unchanged" in wait(admin, path)
    assert titles(world) == ["Fair", "Market"]


def test_numbers_are_kept_where_they_are_free(world: World) -> None:
    times = {"start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 12:00:00"}
    records = [{"kind": "event", "id": f"{town}/7", "title": town, **times} for town in ("a", "b")]
    admin = AdminClient(world, "administrator")
    path = upload(admin, "towns.json", json.dumps({"format": "kalends", "version": 1, "records": records}))
    admin.post(path, {"do": "start", "keep_ids": "1"})
    assert "Created" in wait(admin, path)
    found = world.get("/events?start_date=2027-01-01&end_date=2027-12-31").json()["events"]
    assert {event["title"]: event["id"] for event in found} == {"a": 7, "b": 8}


def test_an_import_is_undone_after_it_was_said_what_happens(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", TABLE)
    columns = {"header[]": ["Title", "Start", "Where"], "column[]": ["title", "start_date", "venue"]}
    admin.post(path, {"do": "start", **columns})
    page = wait(admin, path)
    [undo] = set(re.findall(r'href="[^"]*(/admin/import/undo/[0-9]+)"', page))
    assert undo in admin.get(IMPORT).text
    fair = world.get("/events?start_date=2027-01-01&search=Fair").json()["events"][0]["id"]
    world.put(f"/events/{fair}", json={"title": "Our fair"})
    page = html.unescape(admin.get(undo).text)
    assert "Undo this import?" in page
    assert "<dt>Events</dt><dd>1</dd>" in page
    assert "these stay as they are (1)" in page
    assert f'/admin/events/{fair}"' in page
    assert titles(world) == ["Our fair", "Market"], "it was only asked"
    AdminClient(world, "editor").get(undo, status=403)
    AdminClient(world, "editor").post(undo, status=403)
    admin.post(undo)
    world.calendar.background.run_due()
    page = html.unescape(wait(admin, undo))
    assert titles(world) == ["Our fair"]
    assert "This import has been undone" in page
    assert "it was changed after the import" in page
    assert "something else uses it" in page, "its venue"
    admin.post(undo)
    assert "This import has been undone" in admin.get(undo).text
    assert "has been undone." in admin.get(path).text
    assert "Undone" in admin.get(IMPORT).text
    admin.post(path, {"do": "start", **columns})
    wait(admin, path)
    assert titles(world) == ["Our fair", "Market"]
    again = re.findall(r'href="[^"]*(/admin/import/undo/[0-9]+)"', admin.get(IMPORT).text)
    assert len(again) == 1
    assert undo not in again


def test_the_reader_is_told_everything_in_their_language(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", "Title;Start;Colour\nFair;soonish 99;x\nMarket;3/4/2027;\n")
    page = html.unescape(admin.get(f"{path}?lang=de").text)
    assert "eine Tabelle von Veranstaltungen, getrennt durch Semikolon" in page
    assert "Zeile 2" in page
    admin.post(path, {"do": "start", "dates": "dmy"})
    page = html.unescape(wait(admin, f"{path}?lang=de"))
    assert "Ausgelassen: B2 Start „soonish 99“" in page
    assert "die Termine werden als Tag/Monat/Jahr gelesen" in page
    report = admin.get(f"{path}/report?lang=de").json()
    assert report["records"][0]["where"] == "Zeile 2"
    found = world.get("/events?start_date=2027-01-01&end_date=2027-12-31").json()["events"]
    assert [event["start_date"][:10] for event in found] == ["2027-04-03"]
    broken = upload(admin, "events.json", "{}")
    assert "events.json: dieses JSON ist kein Export von Kalends" in html.unescape(
        admin.get(f"{broken}?lang=de").text
    )


def test_a_calendar_file_is_recognised_by_its_content(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "unnamed", CALENDAR)
    assert "Regatta" in admin.get(path).text
    admin.post(path, {"do": "start"})
    wait(admin, path)
    assert titles(world) == ["Regatta"]


def test_drafts_of_a_site_are_imported_with_a_login_that_is_kept_nowhere(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard against internal addresses is lifted here, since the site of the test is one."""
    admin = AdminClient(world, "administrator")
    monkeypatch.setattr(
        jobs,
        "WebClient",
        lambda name, password, **more: WebClient(name, password, **more | {"allow_private": True, "sleep": no_pause}),
    )
    with served(ReferenceSite()) as site:
        site.event(7, "Public")
        draft = site.event(8, "Secret plan", status="draft")
        site.records["events"].remove(draft)
        site.drafts.append(draft)
        answer = admin.post(IMPORT, {"address": site.url})
        path = str(answer.headers["Location"]).removeprefix(BASE_URL)
        assert "Secret plan" not in wait(admin, path)
        admin.post(path, {"do": "preview", "login": "ed", "login_password": "wrong-pass"})
        wrong = wait(admin, path)
        assert "does not take these credentials" in html.unescape(wrong)
        assert "nimmt diese Zugangsdaten nicht an" in html.unescape(admin.get(f"{path}?lang=de").text)
        admin.post(path, {"do": "preview", "login": "ed", "login_password": "app pass"})
        right = wait(admin, path)
        assert "Secret plan" in right
        assert 'name="login" type="text" value="ed"' in right, "only the password is written again"
        assert "without encryption" not in right, "nobody reads along on the same machine"
        monkeypatch.setattr(web_addresses, "_is_loopback", lambda host: False)
        assert "without encryption" in admin.get(path).text, "before a password is written"
        in_german = admin.get(f"{path}?lang=de").text
        assert f"The Events Calendar unter {site.url}" in in_german
        assert ", mit Zugangsdaten" in in_german
        admin.post(path, {"do": "start", "login": "ed", "login_password": "app pass", "without_images": "1"})
        done = wait(admin, path)
    assert "Created" in done
    assert "the password is sent to http://127.0.0.1" in done
    assert "Secret plan" in admin.get("/admin/events?status=draft").text
    with world.calendar.store.read() as session:
        [job] = import_jobs.latest(session, 9)
    assert not any("app pass" in text for text in (wrong, right, done, repr(job)))


def test_what_cannot_be_read_is_not_offered_for_import(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.json", "{}")
    page = admin.get(path).text
    [summary] = re.findall(r'<div class="summary" role="alert".*?</div>', page, re.DOTALL)
    assert "events.json: this JSON is no export of Kalends" in summary
    assert OFFERED not in page
    other = re.search(r'<form method="post" action="/admin/import".*?</form>', page, re.DOTALL)[0]  # type: ignore[index]
    assert 'type="file" name="file"' in other
    assert 'name="address"' in other
    assert OFFERED in admin.get(upload(admin, "events.csv", TABLE)).text
    admin.post(path, {"do": "start"})  # from a page that was open for long
    page = wait(admin, path)
    assert "Failed" in page
    assert OFFERED not in page


def test_columns_that_nothing_tells_are_chosen_by_hand(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", "Zzyzx,Qwert\nFest,2027-05-01 10:00\n")
    page = admin.get(path).text
    assert 'role="alert"' in page
    assert OFFERED not in page
    chosen = {"header[]": ["Zzyzx", "Qwert"], "column[]": ["title", "start_date"]}
    page = admin.post(path, chosen | {"do": "preview"}, status=200).text
    assert "Fest" in page
    assert OFFERED in page
    admin.post(path, chosen | {"do": "start"})
    wait(admin, path)
    assert titles(world) == ["Fest"]


def test_a_column_that_is_known_can_be_left_out(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", TABLE)
    chosen = {"header[]": ["Title", "Start", "Where"], "column[]": ["title", "start_date", ""]}
    page = admin.post(path, chosen | {"do": "preview"}, status=200).text
    assert '<option value="venue" selected>' not in page
    admin.post(path, chosen | {"do": "start"})
    wait(admin, path)
    assert world.get("/venues").json()["total"] == 0


@pytest.mark.parametrize(("name", "content"), [("a.png", "\x89PNG"), ("a.bin", "binary"), ("empty", "")])
def test_other_files_are_refused_with_a_reason(world: World, name: str, content: str) -> None:
    files = {"file": (name, content.encode(), "application/octet-stream")}
    page = AdminClient(world, "administrator").post(IMPORT, {"address": ""}, files=files, status=400).text
    assert error_beside(page, "file")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("events.xlsx", b"PK\x03\x04...", "this spreadsheet is damaged"),
        ("events.xls", b"\xd0\xcf\x11\xe0...", "this is an older kind of spreadsheet; save it as .xlsx or .ods"),
        ("calendar.ics", b"<!DOCTYPE html><title>Log in</title>", "this is a web page, not a calendar"),
        ("calendar.ics", "BEGIN:VCALENDAR".encode("utf-16"), "the file is encoded as UTF-16; save it as UTF-8"),
        ("calendar.json", b"[]", "this JSON is no export of Kalends"),
    ],
)
def test_a_file_that_is_not_what_it_is_called_is_told_what_to_do(
    world: World, name: str, content: bytes, reason: str
) -> None:
    admin = AdminClient(world, "administrator")
    answer = admin.post(IMPORT, {"address": ""}, files={"file": (name, content, "text/plain")})
    path = str(answer.headers["Location"]).removeprefix(BASE_URL)
    assert f"{name}: {reason}" in html.unescape(admin.get(path).text)


def test_a_source_that_cannot_be_read_says_why_and_changes_nothing(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", "Title,Start\nFair,no date\n")
    admin.post(path, {"do": "start"})
    page = wait(admin, path)
    assert "Left out" in page or 'class="error"' in page
    assert titles(world) == []
    private = admin.post(IMPORT, {"address": "http://127.0.0.1:1/"}).headers["Location"].removeprefix(BASE_URL)
    assert 'role="alert"' in wait(admin, private)


@pytest.mark.parametrize("who", ["editor", "author", "contributor", "subscriber"])
def test_only_administrators_import_and_export(world: World, who: str) -> None:
    admin = AdminClient(world, who)
    for path in (IMPORT, f"{IMPORT}/1", f"{IMPORT}/1/report", "/admin/export/json", "/admin/export/zip"):
        admin.get(path, status=403)
    admin.post(IMPORT, {"address": "https://example.org"}, status=403)


def test_the_calendar_is_exported_in_every_form(world: World) -> None:
    world.make("events", title="Fair", status="draft")
    admin = AdminClient(world, "administrator")
    for form in ("json", "csv", "ics"):
        answer: Any = admin.get(f"/admin/export/{form}")
        assert "Fair" in answer.text
        assert answer.headers["Content-Disposition"].startswith("attachment")
    archive = zipfile.ZipFile(io.BytesIO(admin.get("/admin/export/zip").content))
    assert any("Fair" in archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
    admin.get("/admin/export/exe", status=404)


def test_the_address_of_a_calendar_program_is_taken(world: World) -> None:
    answer = AdminClient(world, "administrator").post("/admin/import", {"address": "webcal://club.example/events"})
    assert "/admin/import/" in answer.headers["Location"]


def test_an_address_with_a_login_is_not_stored(world: World) -> None:
    """Nothing is fetched from one, and a password would stay in the list of imports."""
    admin = AdminClient(world, "administrator")
    page = admin.post("/admin/import", {"address": "https://ed:secret@club.example/"}, 400).text
    assert error_beside(page, "address") == "It is not a plain http or https address."
    with world.calendar.store.read() as session:
        assert import_jobs.latest(session, 10) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_have_no_words_of_the_command_line(world: World, language: str) -> None:
    admin = AdminClient(world, "administrator")
    for name, content in (("fairs.csv", "Where,When\nGreen,3/4/2027\n"), ("calendar.json", "[]")):
        page = admin.get(f"{upload(admin, name, content)}?lang={language}").text
        [told] = re.findall(r'<div class="summary" role="alert".*?</div>', page, re.DOTALL)
        assert name in told
        assert not re.search("--|kalends ", told)
    for sentence in (CLOSED, DELETED_HERE, TRASHED_HERE, *ADVICE.values()):
        assert "--" not in COMMAND_LINE.sub("", translate(sentence, language))
