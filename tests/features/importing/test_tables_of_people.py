"""Tables as people write them: the day and the hours apart or together, headers and dates in their language."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import World
from tests.features.importing.conftest import events_by_title, import_into

from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.sources.csv_header import EVENT_WORDS
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.written_dates import read_date, read_times

Save = Callable[[str, str | bytes], Path]

TABLES = {
    "together": "Title,Start,End\nConcert,2027-03-12 19:30,2027-03-12 22:00\n",
    "a day and two times": "Title,Date,Start,End\nConcert,2027-03-12,19:30,22:00\n",
    "times first": "Start,End,Date,Title\n7:30 pm,10 pm,2027-03-12,Concert\n",
    "from and to": "Event,Day,From,To\nConcert,12.3.2027,19.30,22.00\n",
    "the day twice": "Title,Date,Start,End\nConcert,2027-03-12,2027-03-12 19:30,2027-03-12 22:00\n",
    "German": "Titel;Datum;Beginn;Ende;Ort\nConcert;Fr., 12. März 2027;19.30 Uhr;22 Uhr;Rathaus\n",
    "French": "Titre;Début;Fin;Lieu\nConcert;vendredi 12 mars 2027 à 19 h 30;22h00;Mairie\n",
    "Spanish": "Título;Fecha;Hora;Hora de fin\nConcert;12 de marzo de 2027;19:30;22:00\n",
    "Italian": "Titolo;Data;Ora;Ora fine\nConcert;12 marzo 2027;19.30;22.00\n",
    "Dutch": "Titel;Datum;Begintijd;Eindtijd\nConcert;12 maart 2027;19.30 uur;22.00 uur\n",
    "Portuguese": "Título;Início;Término\nConcert;12 de março de 2027 às 19h30;12 de março de 2027 às 22h\n",
    "Japanese": "タイトル,日付,開始,終了\nConcert,2027年3月12日（金）,19時30分,22時\n",
    "Arabic": "العنوان,التاريخ,البداية,النهاية\nConcert,١٢ مارس ٢٠٢٧,١٩:٣٠,٢٢:٠٠\n",
}


@pytest.mark.parametrize("content", TABLES.values(), ids=TABLES)
def test_the_same_concert_in_every_table(world: World, save: Save, content: str) -> None:
    report = import_into(world, CsvTable(save("table.csv", content), "Europe/Paris"))
    assert report.is_complete, report.remarkable
    found = events_by_title(world)["Concert"]
    assert (found["start_date"], found["end_date"]) == ("2027-03-12 19:30:00", "2027-03-12 22:00:00")


def test_what_is_no_date_or_time_is_not_guessed() -> None:
    for written in ("12 of Nothing 2027", "maybe 12 March 2027", "soon", "x" * 200, "12 März 20271", "32.12.2027"):
        assert read_date(written) is None, written
    for written in ("noon", "99 Uhr", "nach Vereinbarung", "10:61", "25", "13 pm"):
        assert read_times(written) is None, written


def test_two_dates_or_two_times_are_not_taken_for_one() -> None:
    for written in (
        "18.06. 19.06.",
        "18.06., 12.06.",
        "18./25.06.2027",
        "18. und 25.06.2027",
        "18.06.2027 19.06.2027",
    ):
        assert read_date(written) is None, written
    for written in ("9 Uhr und 14 Uhr", "9 Uhr + 14 Uhr", "10:00, 15:00", "10:00 and 15:00", "9-12 und 14-16 Uhr"):
        assert read_times(written) is None, written
        assert read_date(f"18.06.2027 {written}") is None, written
    between = read_times("zwischen 9 und 12 Uhr"), read_times("entre 9h et 12h"), read_times("between 9 and 12")
    assert [when and (when.start, when.end) for when in between] == [("09:00", "12:00")] * 3


def test_days_of_the_week_of_a_range() -> None:
    for written in (
        "Fr-So 18.-20.06.2027",
        "Fr.–So., 18.–20. Juni 2027",
        "Sa/So 19./20.06.2027",
        "Fri-Sun June 18-20, 2027",
    ):
        when = read_date(written)
        assert when is not None, written
        assert when.last is not None, written
        assert (when.last.day, when.last.month, when.last.year) == (20, 6, 2027)


def test_no_word_of_a_header_means_two_fields() -> None:
    words = [word.casefold() for found in EVENT_WORDS.values() for word in found]
    assert sorted(words) == sorted(set(words))


def test_new_events_as_drafts(world: World, save: Save) -> None:
    path = save("table.csv", "Title,Start,Venue\nConcert,2027-03-12 19:30,Barn\nFair,2027-04-01,Barn\n")
    world.make("venues", venue="Town hall")
    import_into(world, CsvTable(path, "Europe/Paris"), options=ImportOptions(as_drafts=True))
    assert world.get("/events").json()["events"] == []
    assert [venue["venue"] for venue in world.get("/venues").json()["venues"]] == ["Town hall"]
    drafts = world.get("/events?status=draft", who="administrator").json()["events"]
    assert sorted(event["title"] for event in drafts) == ["Concert", "Fair"]
    # What its first public event shows becomes public with it; the next import leaves it so.
    [concert] = [event for event in drafts if event["title"] == "Concert"]
    assert world.post(f"/events/{concert['id']}", json={"status": "publish"}).status_code == 200
    report = import_into(world, CsvTable(path, "Europe/Paris"), options=ImportOptions(as_drafts=True))
    assert report.counts["unchanged", "event"] == 2
    assert [event["title"] for event in world.get("/events").json()["events"]] == ["Concert"]
    assert {venue["venue"] for venue in world.get("/venues").json()["venues"]} == {"Barn", "Town hall"}


def test_a_column_without_a_field_becomes_a_custom_field(world: World, save: Save) -> None:
    path = save("table.csv", "Title,Start,Room,Sponsor\nConcert,2027-03-12 19:30,Blue hall,Bank\nFair,2027-04-01,,\n")
    for _ in range(2):
        source = CsvTable(path, "Europe/Paris", {"Room": "custom"})
        report = import_into(world, source)
        assert report.is_complete, report.remarkable
        assert "columns that are not imported: Sponsor" in source.remarks
    [field] = world.get("/custom-fields").json()["custom_fields"]
    assert (field["label"], field["type"]) == ("Room", "text")
    found = events_by_title(world)
    assert [one["value"] for one in found["Concert"]["custom_fields"].values()] == ["Blue hall"]
    assert not found["Fair"]["custom_fields"]
