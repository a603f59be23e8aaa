"""Names that are nearly the same, and which of them are those of two things."""

import pytest

from kalends.values import distinctions

TWO = [
    ("VHS Raum 3", "VHS Raum 7"),
    ("VHS Raum 3", "VHS Raum 13"),
    ("VHS Raum 1", "VHS Raum 10"),
    ("VHS Raum3", "VHS Raum 4"),
    ("Stadthalle", "Stadthalle 2"),
    ("Raum 2.01", "Raum 2.10"),
    ("Saal II", "Saal III"),
    ("Saal I", "Saal II"),
    ("Saal A", "Saal B"),
    ("Raum 3a", "Raum 3b"),
    ("Gymnasium Halle Nord", "Gymnasium Halle Süd"),
    ("Oststadtschule", "Weststadtschule"),
    ("Nordstadthalle", "Südstadthalle"),
    ("Kleiner Rathaussaal", "Großer Rathaussaal"),
    ("Altes Rathaus", "Neues Rathaus"),
    ("Seminarraum links", "Seminarraum rechts"),
    ("Seminarraum oben", "Seminarraum unten"),
    ("Erstes Studio der Stadt", "Zweites Studio der Stadt"),
    ("North Community Hall", "South Community Hall"),
    ("Upper Meeting Room", "Lower Meeting Room"),
    ("Old Town Hall", "New Town Hall"),
    ("Small Hall", "Large Hall"),
    ("Studio One", "Studio Two"),
    ("Salle de l’Europe Est", "Salle de l’Europe Ouest"),
    ("Petite salle des fêtes", "Grande salle des fêtes"),
    ("Salle du haut", "Salle du bas"),
    ("Polideportivo Norte", "Polideportivo Sur"),
    ("Sala pequeña", "Sala grande"),
    ("Teatro Viejo", "Teatro Nuevo"),
    ("Ginásio esquerdo", "Ginásio direito"),
    ("Salão superior", "Salão inferior"),
    ("Sala piccola", "Sala grande"),
    ("Palestra destra", "Palestra sinistra"),
    ("Sporthal Oost", "Sporthal West"),
    ("Oude Kerkzaal", "Nieuwe Kerkzaal"),
    ("文化センター大ホール", "文化センター小ホール"),
    ("市民会館北ホール", "市民会館南ホール"),
    ("公民館第一会議室", "公民館第二会議室"),
    ("公民館 第１会議室", "公民館 第２会議室"),
    ("القاعة الشمالية", "القاعة الجنوبية"),
    ("القاعة الكبيرة", "القاعة الصغيرة"),
    ("القاعة الأولى", "القاعة الثانية"),
    ("قاعة ٣", "قاعة ٧"),
]
PERHAPS_ONE = [
    ("VHS Raum 3", "VHS Raum 03"),
    ("VHS Raum3", "VHS-Raum 3"),
    ("Saal II", "Saal 2"),
    ("قاعة ٣", "قاعة 3"),
    ("公民館 第３会議室", "公民館 第3会議室"),
    ("Großer Saal", "Grosser Sal"),
    ("North Hall", "Nord Hall"),
    ("Café Übersee", "Cafe Überse"),
    ("Old Town Hall", "Old Town Hal"),
    ("Westfalenhalle", "Westfalen Halle"),
    ("Altonaer Theater", "Altonaer Teater"),
    ("Einsteinhaus", "Einstein Haus"),
    ("Sports Centre", "Sports Center"),
]


@pytest.mark.parametrize(("one", "other"), TWO)
def test_names_that_differ_in_what_sets_apart_are_two(one: str, other: str) -> None:
    assert distinctions.are_two(one, other)
    assert distinctions.are_two(other, one)


@pytest.mark.parametrize(("one", "other"), PERHAPS_ONE)
def test_other_differences_may_be_slips(one: str, other: str) -> None:
    assert not distinctions.are_two(one, other)
    assert not distinctions.are_two(other, one)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Town Hall", "Old Town Hall", False),
        ("Saal 1", "Saal 1 im Neubau", False),
        ("New Town Hall", "Old Town Hall", True),
        ("Saal 1", "Saal 10", True),
        ("Nordstadthalle", "Südstadthalle", True),
    ],
)
def test_a_part_of_a_name_may_stand_for_it(one: str, other: str, expected: bool) -> None:
    assert distinctions.are_opposed(one, other) is distinctions.are_opposed(other, one) is expected
