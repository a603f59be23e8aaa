"""Tables of people in the admin: what is wrong is mended on the page, the sheet and the year are chosen there."""

import html
import re

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.importing.import_pages import IMPORT, OFFERED, titles, upload, wait
from tests.features.importing.spreadsheets import xlsx

from kalends.features.importing import previews

HEAD = ["Datum", "Uhrzeit", "Titel", "Ort"]
ROWS = [
    ["Sommerfest"],
    HEAD,
    ["Fr, 18.06.2027", "18 Uhr", "Anstich", "Zelt"],
    ["", "20 Uhr", "Tanz", "Zelt"],
    ["Mo, 19.06.2027", "9-12", "Übung", "Hof"],
    ["20.06.2027", "mittags", "Essen", "Zelt"],
]


def text_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def fields(page: str) -> dict[str, list[str]]:
    """What the form of the preview sends, as a browser does."""
    sent: dict[str, list[str]] = {}
    form = page.partition('class="form panel"')[2]
    for found in re.finditer(
        r'(?s)<input type="(?:hidden|text)"[^>]*name="([^"]+)"[^>]*>|<select[^>]*name="([^"]+)".*?</select>', form
    ):
        whole, name = found[0], found[1] or found[2]
        if name == "token":
            continue
        if found[1]:
            value = re.search(r'value="([^"]*)"', whole)
        else:
            value = re.search(r'<option value="([^"]*)" selected', whole)
        sent.setdefault(name, []).append(html.unescape(value[1]) if value else "")
    return sent


def cells(page: str) -> dict[str, str]:
    sent = fields(page)
    return dict(zip(sent.get("cell[]", []), sent.get("cell_text[]", []), strict=True))


def again(admin: AdminClient, path: str, page: str, mended: dict[str, str], **more: object) -> str:
    """Presses *Check again* after something was written into some cells."""
    sent = fields(page)
    texts = [mended.get(place, text) for place, text in cells(page).items()]
    return admin.post(path, {**sent, "cell_text[]": texts, "do": "preview", **more}, status=200).text


def test_what_is_wrong_is_mended_on_the_page_and_earlier_words_stay(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "fest.xlsx", xlsx(ROWS))
    page = admin.get(path).text
    told = text_of(page)
    assert "With a problem: 2" in told
    assert "A5 Datum “Mo, 19.06.2027”: this day is a Saturday" in told
    assert "A4 as in A3" in told, "the preview shows what was filled"
    assert "the headings are in row 2; above them: Sommerfest" in told
    assert cells(page) == {"A5": "Mo, 19.06.2027", "B6": "mittags"}
    page = again(admin, path, page, {"A5": "Sa, 19.06.2027"})
    assert "With a problem: 1" in text_of(page)
    assert cells(page) == {"B6": "mittags", "A5": "Sa, 19.06.2027"}
    page = again(admin, path, page, {"B6": "gegen Mittag"})
    assert cells(page) == {"B6": "gegen Mittag", "A5": "Sa, 19.06.2027"}, (
        "what is still wrong is told with what was written"
    )
    page = again(admin, path, admin.get(path).text, {"B6": "12 Uhr"})
    assert "With a problem" not in text_of(page)
    assert cells(page) == {"A5": "Sa, 19.06.2027", "B6": "12 Uhr"}
    admin.post(path, {**fields(page), "do": "start"})
    assert "Created" in wait(admin, path)
    assert titles(world) == ["Anstich", "Tanz", "Übung", "Essen"]
    following = admin.get(upload(admin, "fest.xlsx", xlsx(ROWS))).text
    assert "With a problem: 2" in text_of(following), "another file is as it is"


def test_a_table_in_the_background_is_mended_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "LARGEST_AT_ONCE", 10)
    admin = AdminClient(world, "administrator")
    path = upload(admin, "fest.csv", "Datum;Titel\n18.06.2027;Fest\n31.06.2027;Markt\n")
    page = wait(admin, path)
    assert cells(page) == {"A3": "31.06.2027"}
    admin.post(path, {**fields(page), "cell_text[]": ["30.06.2027"], "do": "preview"})
    page = wait(admin, path)
    assert "With a problem" not in text_of(page)
    assert cells(page) == {"A3": "30.06.2027"}


def test_a_sheet_is_chosen_and_has_columns_of_its_own(world: World) -> None:
    admin = AdminClient(world, "administrator")
    july = [["Wann", "Was"], ["02.07.2027", "Markt"]]
    path = upload(admin, "jahr.xlsx", xlsx({"Juni": ROWS, "Juli": july}))
    page = admin.get(path).text
    assert fields(page)["sheet"] == ["Juni"]
    page = again(admin, path, page, {"A5": "19.06.2027"}, sheet="Juli", do="start")
    assert "Markt" in page
    assert cells(page) == {}, "what was written counted for the other sheet"
    assert fields(page)["header[]"] == ["Wann", "Was"]
    admin.post(path, {**fields(page), "do": "start"})
    wait(admin, path)
    assert titles(world) == ["Markt"]


def test_the_year_is_asked(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "termine.csv", "Datum;Titel\n18.06.;Fest\n19.06.;Markt\n")
    page = admin.get(path).text
    assert fields(page)["year"] == [""]
    assert "the year is missing" in text_of(page)
    page = again(admin, path, page, {}, year="2027")
    assert "dates without a year are read as 2027-06-18 to 2027-06-19" in text_of(page)
    assert fields(page)["year"] == ["2027"]
    assert "With a problem" not in text_of(page)


def test_columns_without_a_heading_are_shown_with_their_first_values(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "a.csv", "Datum;;Ort\n18.06.2027;Fest;Platz\n19.06.2027;Markt;Hof\n")
    page = admin.get(f"{path}?lang=de").text
    assert "Spalte B" in page
    assert "Fest, Markt" in page
    assert OFFERED not in page
    sent = fields(page)
    assert sent["header[]"] == ["Datum", "Column B", "Ort"]
    page = admin.post(path, {**sent, "column[]": ["start_date", "title", "venue"], "do": "preview"}, status=200).text
    assert OFFERED in page


def test_nobody_mends_more_than_a_cell(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "a.csv", "Datum;Titel\n18.06.2027;Fest\n")
    odd = ["A2", "../x", "A0", "ZZZZZ1", "B2"]
    sent = {"cell[]": odd, "cell_was[]": [""] * 5, "cell_text[]": ["19.06.2027", "x", "x", "x", "x" * 400]}
    page = admin.post(path, {**sent, "do": "preview"}, status=200).text
    assert cells(page) == {"A2": "19.06.2027"}


def test_a_template_in_the_language_of_the_admin(world: World) -> None:
    admin = AdminClient(world, "administrator")
    assert f'href="{IMPORT}/template"' in admin.get(IMPORT).text.replace("http://calendar.test", "")
    answer = admin.get(f"{IMPORT}/template?lang=de")
    assert answer.headers["Content-Type"] == "text/csv; charset=UTF-8"
    assert answer.text.lstrip("\ufeff").startswith("Titel;Datum;Uhrzeit;")
    AdminClient(world, "editor").get(f"{IMPORT}/template", status=403)
