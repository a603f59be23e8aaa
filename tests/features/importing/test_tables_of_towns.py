"""Tables as towns, churches, clubs and fire brigades have them: each is understood whole, without a word of help."""
# ruff: noqa: E501 - the rows of tables

from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from pathlib import Path

import pytest
from tests.conftest import World
from tests.features.importing.conftest import events_by_title, import_into
from tests.features.importing.spreadsheets import Formula, ods, xlsx

from kalends.features.importing.sources.csv_table import CsvTable

Save = Callable[[str, str | bytes], Path]

FEST = [
    ["Feuerwehrfest Neudorf 2027"],
    ["Festplatz am Weiher, 97111 Neudorf"],
    [],
    ["Tag", "Uhrzeit", "Programm", "Ort"],
]
# By name: the file, its content, and each event as `title|start|end`; one without times is a whole day.
GERMAN: dict[str, tuple[str, str | bytes, str]] = {
    "VHS course list": (
        "vhs.csv",
        "VHS Neustadt – Programm Frühjahr 2027\n\nKursnr.;Kurstitel;Beginn;Uhrzeit;Ort;Gebühr;Leitung\n"
        "F101;Yoga;Mo, 01.03.2027;18:00-19:30 Uhr;VHS Raum 3;45,– €;Fr. Maier\n"
        "F102;Englisch A1;Di. 02.03.2027;19 - 20.30 Uhr;VHS Raum 7;frei;Hr. Smith\n",
        "Yoga|2027-03-01 18:00|2027-03-01 19:30\nEnglisch A1|2027-03-02 19:00|2027-03-02 20:30",
    ),
    "church": (
        "kirche.csv",
        "Datum;Uhrzeit;Was;Kirche\nSonntag, 6. Juni 2027;10.00 Uhr;Gottesdienst;St. Martin\n"
        "Do., 10. Juni 2027;ab 18 Uhr;Fronleichnam;Marktplatz\nSo. 13.06.;9.30;Taufe;St. Martin\n",
        "Gottesdienst|2027-06-06 10:00|2027-06-06 10:00\nFronleichnam|2027-06-10 18:00|2027-06-10 18:00\n"
        "Taufe|2027-06-13 09:30|2027-06-13 09:30",
    ),
    "fire brigade with merged days": (
        "fest.xlsx",
        xlsx(
            [
                *FEST,
                ["Fr, 18.06.2027", "18 Uhr", "Bieranstich", "Zelt"],
                ["", "ab 20 Uhr", "Tanz", "Zelt"],
                ["Sa, 19.06.2027", "9-12 Uhr", "Übung", "Gerätehaus"],
                ["", "14:00-18:00", "Kinderfest", "Wiese"],
                ["", "20.30", "Disco", "Zelt"],
                ["So, 20.06.2027", "ganztägig", "Fahrzeugschau", "Gerätehaus"],
            ],
            merged=["A1:D1", "A5:A6", "A7:A9"],
        ),
        "Bieranstich|2027-06-18 18:00|2027-06-18 18:00\nTanz|2027-06-18 20:00|2027-06-18 20:00\n"
        "Übung|2027-06-19 09:00|2027-06-19 12:00\nKinderfest|2027-06-19 14:00|2027-06-19 18:00\n"
        "Disco|2027-06-19 20:30|2027-06-19 20:30\nFahrzeugschau|2027-06-20",
    ),
    "the same with empty days": (
        "fest.csv",
        "Datum;Uhrzeit;Titel\n18.06.2027;18 Uhr;Bieranstich\n;20 Uhr;Tanz\n19.06.2027;9-12 Uhr;Übung\n;ganztägig;Fahrzeugschau\n"
        ";14 Uhr;Kinderfest\n",
        "Bieranstich|2027-06-18 18:00|2027-06-18 18:00\nTanz|2027-06-18 20:00|2027-06-18 20:00\n"
        "Übung|2027-06-19 09:00|2027-06-19 12:00\nKinderfest|2027-06-19 14:00|2027-06-19 14:00\nFahrzeugschau|2027-06-19",
    ),
    "days in rows of their own": (
        "programm.csv",
        "Zeit;Programmpunkt;Ort\nFreitag, 18. Juni 2027;;\n18:00;Eröffnung;Bühne\n20:00;Konzert;Bühne\n"
        "Samstag, 19. Juni 2027;;\n10:00;Markt;Platz\n",
        "Eröffnung|2027-06-18 18:00|2027-06-18 18:00\nKonzert|2027-06-18 20:00|2027-06-18 20:00\n"
        "Markt|2027-06-19 10:00|2027-06-19 10:00",
    ),
    "sports club, days without a year": (
        "TSV Spielplan 2027.csv",
        "Termin;Anfangszeit;Spiel;Halle\n18.06.;15:00;TSV - FC;Sporthalle\n25.06.;15:30;TSV - SV;Sporthalle\n",
        "TSV - FC|2027-06-18 15:00|2027-06-18 15:00\nTSV - SV|2027-06-25 15:30|2027-06-25 15:30",
    ),
    "a winter programme over the turn of the year": (
        "winter.csv",
        "Winterprogramm 2026/27;;\nDatum;Uhrzeit;Titel\n28.11.;16 Uhr;Advent\n31.12.;22 Uhr;Silvester\n06.01.;10 Uhr;Dreikönig\n",
        "Advent|2026-11-28 16:00|2026-11-28 16:00\nSilvester|2026-12-31 22:00|2026-12-31 22:00\n"
        "Dreikönig|2027-01-06 10:00|2027-01-06 10:00",
    ),
    "days and times of Excel": (
        "excel.xlsx",
        xlsx(
            [
                ["Datum", "Von", "Bis", "Veranstaltung"],
                [date(2027, 6, 18), time(18, 0), time(22, 0), "Fest"],
                [date(2027, 6, 19), time(8, 20), "", "Lauf"],
            ]
        ),
        "Fest|2027-06-18 18:00|2027-06-18 22:00\nLauf|2027-06-19 08:20|2027-06-19 08:20",
    ),
    "numbers of Excel without a format": (
        "zahlen.xlsx",
        xlsx([["Datum", "Uhrzeit", "Titel"], [46556, 0.75, "Fest"], [46557, "", "Markt"]]),
        "Fest|2027-06-18 18:00|2027-06-18 18:00\nMarkt|2027-06-19",
    ),
    "days counted from 1904": (
        "mac.xlsx",
        xlsx(
            [["Beginn", "Titel"], [datetime(2027, 6, 18, 19, 30), "Fest"], [date(2027, 6, 19), "Markt"]],
            from_1904=True,
        ),
        "Fest|2027-06-18 19:30|2027-06-18 19:30\nMarkt|2027-06-19",
    ),
    "results of formulas": (
        "formeln.xlsx",
        xlsx([["Datum", "Titel"], [Formula(date(2027, 6, 18)), Formula("Fest")]]),
        "Fest|2027-06-18",
    ),
    "LibreOffice": (
        "termine.ods",
        ods(
            [
                ["Termine"],
                [],
                ["Datum", "Uhrzeit", "Titel"],
                [date(2027, 6, 18), time(18, 0), "Fest"],
                ["19.06.", "", "Markt"],
            ]
        ),
        "Fest|2027-06-18 18:00|2027-06-18 18:00\nMarkt|2027-06-19",
    ),
    "begin and end": (
        "beginn.csv",
        "Veranstaltung;Beginn;Ende;Ort\nFest;18.06.2027 18:00;18.06.2027 23:00;Platz\nMarkt;19.06.2027;20.06.2027;Platz\n",
        "Fest|2027-06-18 18:00|2027-06-18 23:00\nMarkt|2027-06-19|2027-06-20",
    ),
    "a day, begin and end as times": (
        "tag.csv",
        "Datum;Beginn;Ende;Titel\nFr 18.06.2027;18.30;22.00;Fest\nSa 19.06.2027;9.00 Uhr;20.12 Uhr;Markt\n",
        "Fest|2027-06-18 18:30|2027-06-18 22:00\nMarkt|2027-06-19 09:00|2027-06-19 20:12",
    ),
    "times as a range": (
        "zeiten.csv",
        "Datum;Uhrzeit;Titel\n18.06.2027;14.00 – 18.00 Uhr;Fest\n19.06.2027;von 9 bis 12 Uhr;Markt\n20.06.2027;22-2 Uhr;Disco\n",
        "Fest|2027-06-18 14:00|2027-06-18 18:00\nMarkt|2027-06-19 09:00|2027-06-19 12:00\n"
        "Disco|2027-06-20 22:00|2027-06-21 02:00",
    ),
    "questions as headings": (
        "fragen.csv",
        "Was?;Wann?;Wo?;Wer?\nFest;Fr, 18.06.2027, 18 Uhr;Rathaus;Stadt\nMarkt;19.06.2027 8-13 Uhr;Markt;Händler\n",
        "Fest|2027-06-18 18:00|2027-06-18 18:00\nMarkt|2027-06-19 08:00|2027-06-19 13:00",
    ),
    "a city of its own": (
        "orte.csv",
        "Titel;Datum;Ort;Stadt;Adresse\nFest;18.6.2027;Rathaus;Neustadt;Markt 1\nFeier;19.6.2027;Rathaus;Altdorf;Hof 2\n",
        "Fest|2027-06-18\nFeier|2027-06-19",
    ),
    "prices": (
        "preise.csv",
        "Titel;Datum;Eintritt\nFest;18.06.2027;5,– €\nMarkt;19.06.2027;frei\nFeier;20.06.2027;Eintritt frei\n",
        "Fest|2027-06-18\nMarkt|2027-06-19\nFeier|2027-06-20",
    ),
    "days from and to": (
        "spannen.csv",
        "Titel;Datum\nKirchweih;18.–20.06.2027\nMarkt;25.06.-27.06.2027\nFlohmarkt;03./04.07.2027\nMesse;30.12.2027 - 02.01.2028\n",
        "Kirchweih|2027-06-18|2027-06-20\nMarkt|2027-06-25|2027-06-27\nFlohmarkt|2027-07-03|2027-07-04\n"
        "Messe|2027-12-30|2028-01-02",
    ),
    "two columns of days": (
        "vonbis.csv",
        "Datum von;Datum bis;Titel\n18.06.2027;20.06.2027;Kirchweih\n25.06.;27.06.;Markt\n",
        "Kirchweih|2027-06-18|2027-06-20\nMarkt|2027-06-25|2027-06-27",
    ),
    "a day of the week of its own": (
        "wochentag.csv",
        "Tag;Datum;Uhrzeit;Veranstaltung\nFr;18.06.2027;18:00;Fest\nSa;19.06.2027;10:00;Markt\n",
        "Fest|2027-06-18 18:00|2027-06-18 18:00\nMarkt|2027-06-19 10:00|2027-06-19 10:00",
    ),
    "months in words": (
        "worte.csv",
        "Termin;Titel\n18. Juni 2027;Fest\n19. Juni;Markt\n1. Jänner 2028;Neujahr\n",
        "Fest|2027-06-18\nMarkt|2027-06-19\nNeujahr|2028-01-01",
    ),
    "a title with commas above": (
        "kopf.csv",
        "Gemeinde Neudorf, Hauptstr. 1, 97111 Neudorf, Tel. 09123/4567;;\nVeranstaltungskalender 2027;;\n;;\nDatum;Titel;Ort\n"
        "18.06.;Fest;Platz\n",
        "Fest|2027-06-18",
    ),
    "English headings, German dates": (
        "mixed.csv",
        "Date;Time;Event;Location\nFr. 18.06.2027;19.30 Uhr;Fest;Rathaus\n",
        "Fest|2027-06-18 19:30|2027-06-18 19:30",
    ),
    "Windows-1252 and two digits": (
        "alt.csv",
        "Datum;Veranstaltung;Straße\n18.06.27;Frühlingsfest;Schloß\n".encode("cp1252"),
        "Frühlingsfest|2027-06-18",
    ),
    "copied out of Word": (
        "word.txt",
        "Datum\tZeit\tVeranstaltung\tOrt\nFreitag, 18.06.2027\t18.00 Uhr\tFest\tPlatz\nSamstag, den 19.06.2027\tganztags\tMarkt\tPlatz\n",
        "Fest|2027-06-18 18:00|2027-06-18 18:00\nMarkt|2027-06-19",
    ),
    "a sheet that is not the first column": (
        "rand.xlsx",
        xlsx([[], ["", "Datum", "Titel"], ["", "18.06.2027", "Fest"], ["", "", ""], ["", "19.06.2027", "Markt"]]),
        "Fest|2027-06-18\nMarkt|2027-06-19",
    ),
    "open ends": (
        "offen.csv",
        "Datum;Uhrzeit;Titel\n18.06.2027;19 Uhr - Ende offen;Fest\n19.06.2027;ab 21.30 Uhr;Disco\n20.06.2027;ca. 11 Uhr;Frühschoppen\n",
        "Fest|2027-06-18 19:00|2027-06-18 19:00\nDisco|2027-06-19 21:30|2027-06-19 21:30\n"
        "Frühschoppen|2027-06-20 11:00|2027-06-20 11:00",
    ),
    "all in one column": (
        "eine.csv",
        "Wann;Was\nSa, 19.06.2027, 14-18 Uhr;Kinderfest\n20.06. ganztägig;Markt\n21.6. 20 Uhr;Kino\n",
        "Kinderfest|2027-06-19 14:00|2027-06-19 18:00\nMarkt|2027-06-20\nKino|2027-06-21 20:00|2027-06-21 20:00",
    ),
}
OTHERS: dict[str, tuple[str, str | bytes, str]] = {
    "English": (
        "whats-on.csv",
        'What\'s on in 2027,,,\nWhen,Time,What,Where\n"Fri, June 18, 2027",7-9 pm,Concert,Hall\nSat 19 Jun,all day,Fair,Green\n'
        '"June 25-27, 2027",,Festival,Park\n',
        "Concert|2027-06-18 19:00|2027-06-18 21:00\nFair|2027-06-19\nFestival|2027-06-25|2027-06-27",
    ),
    "French": (
        "agenda.csv",
        "Agenda 2027;;\nDate;Horaires;Intitulé;Lieu\nven. 18 juin 2027;18h30;Concert;Mairie\nsamedi 19 juin;de 9h à 12h;Marché;Place\n"
        "du 25 au 27 juin;toute la journée;Fête;Parc\n1er juillet;à partir de 18 h;Bal;Place\n",
        "Concert|2027-06-18 18:30|2027-06-18 18:30\nMarché|2027-06-19 09:00|2027-06-19 12:00\nFête|2027-06-25|2027-06-27\n"
        "Bal|2027-07-01 18:00|2027-07-01 18:00",
    ),
    "Spanish": (
        "agenda.csv",
        "Fecha;Hora;Actividad;Lugar\nviernes, 18 de junio de 2027;18:30 h;Concierto;Plaza\nsáb. 19/06/2027;de 9:00 a 12:00;Mercado;Plaza\n"
        "del 25 al 27 de junio;todo el día;Feria;Parque\n",
        "Concierto|2027-06-18 18:30|2027-06-18 18:30\nMercado|2027-06-19 09:00|2027-06-19 12:00\nFeria|2027-06-25|2027-06-27",
    ),
    "Italian": (
        "eventi.csv",
        "Data;Orari;Evento;Luogo\nvenerdì 18 giugno 2027;ore 18.30;Concerto;Piazza\nsab 19/06/2027;dalle 9 alle 12;Mercato;Piazza\n"
        "dal 25 al 27 giugno;tutto il giorno;Sagra;Parco\n",
        "Concerto|2027-06-18 18:30|2027-06-18 18:30\nMercato|2027-06-19 09:00|2027-06-19 12:00\nSagra|2027-06-25|2027-06-27",
    ),
    "Dutch": (
        "agenda.csv",
        "Datum;Tijd;Activiteit;Waar\nvrijdag 18 juni 2027;18:30 uur;Concert;Kerk\nza. 19-06-2027;9.00 tot 12.00 uur;Markt;Plein\n"
        "25 t/m 27 juni;hele dag;Feest;Park\n",
        "Concert|2027-06-18 18:30|2027-06-18 18:30\nMarkt|2027-06-19 09:00|2027-06-19 12:00\nFeest|2027-06-25|2027-06-27",
    ),
    "Portuguese": (
        "agenda.csv",
        "Data;Horário;Evento;Onde\nsexta-feira, 18 de junho de 2027;18h30;Concerto;Praça\nsáb. 19/06/2027;das 9h às 12h;Feira;Praça\n"
        "25 a 27 de junho;o dia todo;Festa;Parque\n",
        "Concerto|2027-06-18 18:30|2027-06-18 18:30\nFeira|2027-06-19 09:00|2027-06-19 12:00\nFesta|2027-06-25|2027-06-27",
    ),
    "Japanese": (
        "行事.csv",
        "令和9年度 行事予定,,\n開催日,時間,行事名,会場\n2027年6月18日（金）,18時30分,音楽会,市民会館\n6月19日(土),9時～12時,朝市,広場\n"
        "6月25日〜27日,終日,夏祭り,公園\n7月1日,午後6時から,盆踊り,公園\n",
        "音楽会|2027-06-18 18:30|2027-06-18 18:30\n朝市|2027-06-19 09:00|2027-06-19 12:00\n夏祭り|2027-06-25|2027-06-27\n"
        "盆踊り|2027-07-01 18:00|2027-07-01 18:00",
    ),
    "Arabic": (
        "فعاليات.csv",
        "التاريخ,الوقت,الفعالية,المكان\nالجمعة ١٨ يونيو ٢٠٢٧,الساعة ١٨:٣٠,حفلة,القاعة\nالسبت 19 يونيو,من 9 إلى 12,سوق,الساحة\n"
        "من 25 إلى 27 يونيو,طوال اليوم,مهرجان,الحديقة\n",
        "حفلة|2027-06-18 18:30|2027-06-18 18:30\nسوق|2027-06-19 09:00|2027-06-19 12:00\nمهرجان|2027-06-25|2027-06-27",
    ),
}


def told(world: World) -> list[str]:
    found = sorted(events_by_title(world).values(), key=lambda event: (event["start_date"], event["title"]))
    lines = []
    for event in found:
        start, end = event["start_date"][:16], event["end_date"][:16]
        if event["all_day"]:
            lines.append(f"{event['title']}|{start[:10]}" + (f"|{end[:10]}" if end[:10] != start[:10] else ""))
        else:
            lines.append(f"{event['title']}|{start}|{end}")
    return lines


def in_order(expected: str) -> Sequence[str]:
    return sorted(expected.splitlines(), key=lambda line: (line.split("|")[1], line.split("|")[0]))


def test_there_are_as_many_forms_as_were_tried() -> None:
    assert len(GERMAN) >= 29
    assert len(OTHERS) == 8


@pytest.mark.parametrize("form", {**GERMAN, **OTHERS})
def test_a_table_as_somebody_has_it(world: World, save: Save, form: str) -> None:
    name, content, expected = {**GERMAN, **OTHERS}[form]
    report = import_into(world, CsvTable(save(name, content), "Europe/Berlin"))
    assert report.is_complete, [outcome.details for outcome in report.remarkable]
    assert told(world) == in_order(expected)
