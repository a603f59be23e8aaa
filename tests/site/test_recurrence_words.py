"""A recurrence in words, in nine languages."""

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import effort
from tests.values.random_recurrences import rules

from kalends.languages import LANGUAGES
from kalends.present.recurrence_words import in_words
from kalends.values.recurrence import RecurrenceError, parse

FIRST = datetime(2026, 11, 17, 19)  # a Tuesday
LAST = datetime(2027, 6, 8, 19)


def words(rule: str, language: str = "en") -> str:
    return in_words(parse(rule), FIRST, "Europe/Berlin", language, 14, LAST)


def without(rule: str, exceptions: list[str], language: str = "en", region: str = "") -> str:
    read = parse({"rule": rule, "exceptions": exceptions})
    return in_words(read, FIRST, "Europe/Berlin", language, 14, LAST, region)


@pytest.mark.parametrize(
    ("exceptions", "expected"),
    [
        (["2026-12-22", "2026-12-29"], "Every Tuesday, 10 dates, not on Dec 22 and 29"),
        (["2026-12-29", "2027-01-05"], "Every Tuesday, 10 dates, not on Dec 29 and Jan 5"),
        (["2026-12-23"], "Every Tuesday, 12 times"),
        (["2026-11-24", "2026-12-01", "2026-12-08", "2026-12-15", "2026-12-22"], "Every Tuesday, 7 dates"),
    ],
)
def test_what_is_taken_out_is_told(exceptions: list[str], expected: str) -> None:
    assert without("FREQ=WEEKLY;COUNT=12", exceptions) == expected


def test_what_is_taken_out_is_told_in_every_language() -> None:
    told = {language: without("FREQ=WEEKLY", ["2026-12-22", "2026-12-29"], language) for language in LANGUAGES}
    assert told == {
        "en": "Every Tuesday, not on Dec 22 and 29",
        "de": "Jeden Dienstag, nicht am 22. und 29. Dez.",
        "es": "Todos los martes (salvo 22 y 29 dic)",
        "fr": "Tous les mardis (sauf 22 et 29 déc.)",
        "it": "Ogni martedì (tranne 22 e 29 dic)",
        "nl": "Elke dinsdag, niet op 22 en 29 dec",
        "pt_BR": "Toda terça-feira, exceto em 22 e 29 de dez.",
        "ja": "毎週火曜日（12月22日、29日を除く）",
        "ar": "كل يوم ثلاثاء، ما عدا 22 و29 ديسمبر",
    }
    assert without("FREQ=WEEKLY", ["2026-12-22", "2026-12-29"], region="GB") == "Every Tuesday, not on 22 and 29 Dec"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=DAILY", "Every day"),
        ("FREQ=DAILY;INTERVAL=2;COUNT=5", "Every second day, 5 times"),
        ("FREQ=DAILY;INTERVAL=10", "Every 10 days"),
        ("FREQ=DAILY;BYDAY=SA,SU", "Every week on Saturday and Sunday"),
        ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "Every day from Monday to Friday"),
        ("FREQ=WEEKLY", "Every Tuesday"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "Every day"),
        ("FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630T000000Z", "Every second Tuesday until June 30, 2027"),
        ("FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,TH", "Every 3 weeks on Tuesday and Thursday"),
        ("FREQ=WEEKLY;BYDAY=SA;BYMONTH=5", "Every Saturday in May"),
        ("FREQ=WEEKLY;BYDAY=SA;BYMONTH=6,7,8", "Every Saturday (June, July, and August)"),
        ("FREQ=MONTHLY", "Every month on day 17"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1,1", "Every month on day 1 and the last day"),
        ("FREQ=MONTHLY;BYDAY=2TU", "Every month on the second Tuesday"),
        ("FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2", "Every month on the second Tuesday"),
        ("FREQ=MONTHLY;BYDAY=-1FR,1FR", "Every month on the first Friday and the last Friday"),
        ("FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR", "Every second month on the last Friday"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "Every month on the last working day"),
        ("FREQ=MONTHLY;BYDAY=TU", "Every Tuesday"),
        ("FREQ=YEARLY", "Every year on November 17"),
        ("FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1", "Every year on January 1 and July 1"),
        ("FREQ=YEARLY;BYMONTH=5;BYDAY=2SU;INTERVAL=4", "Every 4 years on the second Sunday in May"),
        ("FREQ=WEEKLY;COUNT=3\nRDATE:20270101", "Every Tuesday, 3 times, and on further dates"),
        # What has no short words.
        ("FREQ=YEARLY;BYWEEKNO=20", "On several dates"),
        ("FREQ=YEARLY;BYWEEKNO=20;COUNT=14", "On 14 dates until June 8, 2027"),
        ("FREQ=MONTHLY;BYDAY=MO,FR;BYSETPOS=2;UNTIL=20270630", "On 14 dates until June 8, 2027"),
        ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "On several dates"),
        ("FREQ=DAILY;BYHOUR=9,15", "On several dates"),
        ("FREQ=WEEKLY;COUNT=1", "On 14 dates until June 8, 2027"),
        ("RDATE:20270101", "On 14 dates until June 8, 2027"),
    ],
)
def test_a_rule_in_words(rule: str, expected: str) -> None:
    assert words(rule) == expected


@pytest.mark.parametrize(
    ("language", "region", "expected"),
    [
        ("en", "US", "Every second Tuesday until June 30, 2027"),
        ("en", "GB", "Every second Tuesday until 30 June 2027"),
        ("en", "IE", "Every second Tuesday until 30 June 2027"),
        ("en", "ZZ", "Every second Tuesday until June 30, 2027"),
    ],
)
def test_dates_are_written_as_in_the_reader_s_region(language: str, region: str, expected: str) -> None:
    rule = parse("FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630T000000Z")
    assert in_words(rule, FIRST, "Europe/Berlin", language, region=region) == expected


def test_a_single_date_is_no_plural() -> None:
    assert in_words(parse("FREQ=WEEKLY;COUNT=1"), FIRST, "UTC", "en", 1, FIRST) == "On one date"


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Every second Tuesday until June 30, 2027"),
        ("de", "Jeden zweiten Dienstag bis zum 30. Juni 2027"),
        ("es", "Un martes de cada dos, hasta el 30 de junio de 2027"),
        ("fr", "Un mardi sur deux, jusqu’au 30 juin 2027"),
        ("it", "Un martedì su due, fino al giorno 30 giugno 2027"),
        ("nl", "Elke tweede dinsdag tot en met 30 juni 2027"),
        ("pt_BR", "Uma terça-feira sim, outra não, até 30 de junho de 2027"),
        ("ja", "隔週火曜日（2027年6月30日まで）"),
        ("ar", "كل أسبوعين يوم الثلاثاء حتى 30 يونيو 2027"),
    ],
)
def test_every_language_has_its_own_words(language: str, expected: str) -> None:
    assert words("FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630", language) == expected


@pytest.mark.parametrize(
    ("language", "rule", "expected"),
    [
        ("it", "FREQ=MONTHLY;BYDAY=2TU", "Ogni mese il secondo martedì"),
        ("it", "FREQ=MONTHLY;BYDAY=2SU", "Ogni mese la seconda domenica"),
        ("it", "FREQ=MONTHLY;BYDAY=-1SU", "Ogni mese l’ultima domenica"),
        ("pt_BR", "FREQ=MONTHLY;BYDAY=2TU", "Todo mês na segunda terça-feira"),
        ("pt_BR", "FREQ=MONTHLY;BYDAY=2SA", "Todo mês no segundo sábado"),
        ("pt_BR", "FREQ=WEEKLY;BYDAY=SU", "Todo domingo"),
        ("pt_BR", "FREQ=WEEKLY;BYDAY=MO", "Toda segunda-feira"),
        ("es", "FREQ=WEEKLY;BYDAY=SA", "Todos los sábados"),
        ("es", "FREQ=WEEKLY;BYDAY=MO", "Todos los lunes"),
        ("fr", "FREQ=YEARLY;BYMONTH=4;BYDAY=1SU", "Tous les ans, le premier dimanche d’avril"),
        ("fr", "FREQ=YEARLY;BYMONTH=5;BYDAY=1SU", "Tous les ans, le premier dimanche de mai"),
        ("de", "FREQ=YEARLY", "Jedes Jahr am 17. November"),
        ("de", "FREQ=MONTHLY;INTERVAL=3", "Alle 3 Monate am 17."),
        ("ar", "FREQ=WEEKLY;BYDAY=SA;BYMONTH=6,7,8", "كل يوم سبت (يونيو ويوليو وأغسطس)"),
        ("ja", "FREQ=MONTHLY;BYDAY=-1FR", "毎月の最終金曜日"),
    ],
)
def test_gender_and_number_are_those_of_the_language(language: str, rule: str, expected: str) -> None:
    assert words(rule, language) == expected


@given(rules(), st.sampled_from(LANGUAGES))
@settings(max_examples=effort(60, 2000), deadline=None)
def test_every_rule_has_words(rule: str, language: str) -> None:
    try:
        said = words(rule, language)
    except RecurrenceError:  # not accepted, so nobody asks for its words
        said = "nothing"
    assert said.strip()
    assert "{" not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_placeholder_is_left(language: str) -> None:
    for rule in (
        "FREQ=DAILY;INTERVAL=3",
        "FREQ=YEARLY;BYWEEKNO=3;COUNT=4",
        "FREQ=WEEKLY;BYDAY=MO,FR;COUNT=9\nRDATE:20270101",
    ):
        assert "{" not in words(rule, language)
