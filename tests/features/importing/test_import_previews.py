"""What the preview and the report of an import tell: every row, problems by column and cell, what was chosen before,
what may be the same as before, and the events of an import in the table."""

import csv
import html
import io
import re

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.importing.import_pages import titles, upload, wait

from kalends.features.importing import previews

ROWS = "".join(f"Fest {number};{number:02}.05.2027 10:00;Halle\n" for number in range(1, 21))
GERMAN = f"Titel;Datum;Ort\n{ROWS}Nachtmarkt;32.12.2026;Platz\n;03.06.2027;Platz\n"
HEADER = {"header[]": ["Titel", "Datum", "Ort"], "column[]": ["title", "start_date", "venue"]}


def text_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def run(admin: AdminClient, name: str, content: str, **sent: object) -> str:
    """Imports a table; its address."""
    path = upload(admin, name, content)
    columns = content.splitlines()[0].split(";")
    known = {"Titel": "title", "Datum": "start_date", "Ort": "venue"}
    chosen = {"header[]": columns, "column[]": [known.get(name, "") for name in columns]}
    admin.post(path, {"do": "start", **chosen, **sent})
    wait(admin, path)
    return path


def test_the_preview_reads_the_whole_table_and_names_column_and_cell(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "programm.csv", GERMAN)
    page = text_of(admin.get(path).text)
    assert "Rows 22" in page
    assert "With a problem: 2" in page
    assert page.index("Nachtmarkt") < page.index("Fest 1"), "problems come first"
    assert "Datum “32.12.2026”: there is no such day" in page
    assert "row 23" in page
    assert "Titel is empty" in page
    rows = list(csv.reader(io.StringIO(admin.get(f"{path}/rows").text.removeprefix("\ufeff")), delimiter=";"))
    assert rows[0] == ["Titel", "Datum", "Ort", "Problem"]
    assert rows[1] == ["Nachtmarkt", "32.12.2026", "Platz", "B22 Datum “32.12.2026”: there is no such day"]
    assert rows[2][3] == "A23 Titel is empty"
    assert len(rows) == 3
    admin.post(path, {"do": "start", **HEADER})
    done = wait(admin, path)
    assert "Datum “32.12.2026”: there is no such day" in text_of(done)
    again = list(csv.reader(io.StringIO(admin.get(f"{path}/rows").text.removeprefix("\ufeff")), delimiter=";"))
    assert again == rows, "the report has the same rows to mend"


def test_a_large_file_is_previewed_in_the_background(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = AdminClient(world, "administrator")
    monkeypatch.setattr(previews, "LARGEST_AT_ONCE", 10)
    path = upload(admin, "programm.csv", GERMAN)
    assert "Rows 22" in text_of(wait(admin, path))


def test_a_column_that_nobody_understands_leaves_the_others_as_they_are(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", "Zzyzx,Start,End,Venue\nFair,2027-05-01 10:00,2027-05-01 12:00,Green\n")
    page = admin.get(path).text
    for field in ("start_date", "end_date", "venue"):
        assert re.search(rf'<option value="{field}" selected>', page), field
    assert "there is no column for Title; the columns are: Zzyzx, Start, End, Venue." in text_of(page)
    names = re.findall(r"<option[^>]*>([^<]+)</option>", page)
    assert not {"identity", "currency_position", "venue_status"} & {*names}


def test_what_was_chosen_for_a_table_holds_for_the_next_one(world: World) -> None:
    admin = AdminClient(world, "administrator")
    first = "Zzyzx;Qwert\nFest;2027-05-01 10:00\n"
    path = upload(admin, "mai.csv", first)
    chosen = {"header[]": ["Zzyzx", "Qwert"], "column[]": ["title", "start_date"], "as_drafts": "1"}
    admin.post(path, {"do": "start", **chosen})
    wait(admin, path)
    page = admin.get(upload(admin, "juni.csv", first.replace("05-01", "06-01"))).text
    assert re.search(r'<option value="title" selected>', page)
    assert re.search(r'name="as_drafts"[^>]*checked', page)
    assert "Columns and choices are those of mai.csv" in text_of(page)


def test_a_row_with_another_date_changes_the_event_and_adds_none(world: World) -> None:
    admin = AdminClient(world, "administrator")
    table = "Titel;Datum;Ort\nFest;01.05.2027 10:00;Halle\nMarkt;02.05.2027 10:00;Platz\nLauf;03.05.2027 10:00;Park\n"
    run(admin, "programm.csv", table)
    moved = table.replace("Fest;01.05", "Fest;08.05").replace("Markt;02", "Großer Markt;02")
    moved = "".join(line for line in moved.splitlines(keepends=True) if "Lauf" not in line)
    path = upload(admin, "programm.csv", moved)
    page = html.unescape(admin.get(path).text)
    assert "No longer in the file: 1" in page
    assert text_of(page).count("is maybe the same as") == 2
    same = re.findall(r'name="same" value="([^"]*)" checked', admin.get(path).text)
    assert len(same) == 2
    admin.post(path, {"do": "start", **HEADER, "same": [html.unescape(one) for one in same]})
    done = wait(admin, path)
    assert "Updated" in done
    assert "No longer in the file: 1" in text_of(done), "the report names it too"
    assert re.search(r'<a href="[^"]*/admin/events/\d+"><bdi>Lauf</bdi></a>', done)
    assert [one["name"] for one in admin.get(f"{path}/report").json()["gone"]] == ["Lauf"]
    assert titles(world) == ["Großer Markt", "Lauf", "Fest"]
    undo = re.findall(r'href="[^"]*(/admin/import/undo/[0-9]+)"', done)[0]
    admin.post(undo)
    world.calendar.background.run_due()
    assert titles(world) == ["Fest", "Markt", "Lauf"]
    page = admin.get(upload(admin, "programm.csv", table)).text
    assert "is maybe the same as" not in page, "the first table is known again"
    assert "Unchanged" in page


def test_the_events_of_an_import_are_listed_published_and_undone(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = run(admin, "programm.csv", GERMAN, as_drafts="1")
    page = admin.get(path).text
    assert "Publish these 20" in page
    listed = f"/admin/events?of=import-{path.rpartition('/')[2]}&when=all"
    table = text_of(admin.get(listed).text)
    assert "Events: 20" in table
    assert "Events of “programm.csv”" in table
    assert titles(world) == []
    admin.post("/admin/events", {"back": f"{listed}&status=draft", "all": "1", "action": "publish"})
    assert "Publish these" not in admin.get(path).text
    assert len(titles(world)) == 12, "the first page"
    assert "Publish these" not in admin.get(path).text
    undo = re.findall(r'href="[^"]*(/admin/import/undo/[0-9]+)"', page)[0]
    admin.post(undo)
    world.calendar.background.run_due()
    assert titles(world) == [], "what was only published in bulk goes as well"


def test_nobody_else_finds_the_events_of_an_import(world: World) -> None:
    path = run(AdminClient(world, "administrator"), "programm.csv", GERMAN)
    listed = f"/admin/events?of=import-{path.rpartition('/')[2]}&when=all"
    assert "Fest 1" not in AdminClient(world, "editor").get(listed).text


def test_a_cancelled_entry_and_an_all_day_event_are_told_as_they_are(world: World) -> None:
    entry = "BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20270101T000000Z\r\n"
    entry += "DTSTART;VALUE=DATE:20270501\r\nSUMMARY:{name}\r\n"
    entries = entry.format(uid="1@x", name="Regatta") + "END:VEVENT\r\n"
    entries += entry.format(uid="2@x", name="Fair") + "STATUS:CANCELLED\r\nEND:VEVENT\r\n"
    calendar = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n{entries}END:VCALENDAR\r\n"
    admin = AdminClient(world, "administrator")
    page = text_of(admin.get(upload(admin, "a.ics", calendar)).text)
    assert "Fair" in page
    assert "it is cancelled there" in page
    assert "00:00" not in page


def test_unknown_choices_are_added_or_mapped_and_remembered(world: World) -> None:
    field = world.post(
        "/custom-fields", json={"label": "Saal", "type": "choice", "options": ["Großer Saal", "Keller"]}
    )
    key = field.json()["key"]
    admin = AdminClient(world, "administrator")
    rows = ["Fest;01.05.2027 10:00;gr. Saal", "Markt;02.05.2027 10:00;Foyer", "Lauf;03.05.2027 10:00;???"]
    table = "\n".join(["Titel;Datum;Saal", *rows, "Chor;04.05.2027 10:00;keller", "Ball;05.05.2027 10:00;Foyer"])
    path = upload(admin, "mai.csv", table)
    page = text_of(admin.get(path).text)
    for told in ("Saal : “ gr. Saal ”", "Saal : “ Foyer ” × 2", "Saal : “ ??? ”"):
        assert told in page, told
    assert "“ keller ”" not in page, "capitals make no other choice"
    columns = {"header[]": ["Titel", "Datum", "Saal"], "column[]": ["title", "start_date", key]}
    said = {"choice_field[]": [key] * 3, "choice_word[]": ["gr. Saal", "Foyer", "???"]}
    meant = {"choice[]": ["Großer Saal", "|add", ""]}
    again = admin.post(path, {"do": "preview", **columns, **said, **meant}, status=200).text
    assert "With a problem: 0" not in text_of(again)
    assert "Foyer”: must be one of" not in text_of(again)
    assert re.findall(r'<option value="([^"]*)" selected>', again.partition("Unknown choices")[2])[:2] == [
        *("Großer Saal", "|add")
    ]
    assert world.get(f"/custom-fields/{key}").json()["options"] == ["Großer Saal", "Keller"], "a preview adds nothing"
    admin.post(path, {"do": "start", **columns, **said, **meant})
    wait(admin, path)
    assert world.get(f"/custom-fields/{key}").json()["options"] == ["Großer Saal", "Keller", "Foyer"]
    events = world.get("/events", params={"start_date": "2027-05-01", "per_page": 10}).json()["events"]
    values = {event["title"]: (event["custom_fields"] or {}).get(key, {}).get("value") for event in events}
    assert values == {"Fest": "Großer Saal", "Markt": "Foyer", "Lauf": None, "Chor": "Keller", "Ball": "Foyer"}
    following = admin.get(upload(admin, "juni.csv", table.replace(".05.", ".06."))).text
    assert re.search(r'<option value="Großer Saal" selected>', following), "remembered for the next file"
