"""A table to be filled in, with headings and two examples in the language of who asks for it."""

import csv
import io
from collections.abc import Mapping, Sequence

FIELDS = (
    *("title", "start_date", "start_time", "end_time", "venue", "venue_city", "organizer", "categories", "cost"),
    *("website", "description"),
)
# In this order. Each is one of the words that an import knows, and the titles of the examples are not imported.
HEADINGS: Mapping[str, Sequence[str]] = {
    "en": [
        "Title",
        "Date",
        "Start Time",
        "End Time",
        "Venue",
        "City",
        "Organizer",
        "Categories",
        "Price",
        "Website",
        "Description",
    ],
    "de": [
        "Titel",
        "Datum",
        "Uhrzeit",
        "Endzeit",
        "Ort",
        "Stadt",
        "Veranstalter",
        "Kategorien",
        "Preis",
        "Webseite",
        "Beschreibung",
    ],
    "es": [
        "Título",
        "Fecha",
        "Hora",
        "Hora de fin",
        "Lugar",
        "Ciudad",
        "Organizador",
        "Categorías",
        "Precio",
        "Sitio web",
        "Descripción",
    ],
    "fr": [
        "Titre",
        "Jour",
        "Heure",
        "Heure de fin",
        "Lieu",
        "Ville",
        "Organisateur",
        "Catégories",
        "Prix",
        "Site web",
        "Description",
    ],
    "it": [
        "Titolo",
        "Data",
        "Ora",
        "Ora fine",
        "Luogo",
        "Città",
        "Organizzatore",
        "Categoria",
        "Prezzo",
        "Sito web",
        "Descrizione",
    ],
    "nl": [
        "Titel",
        "Datum",
        "Begintijd",
        "Eindtijd",
        "Locatie",
        "Stad",
        "Organisator",
        "Categorieën",
        "Prijs",
        "Website",
        "Beschrijving",
    ],
    "pt_BR": (
        [
            "Título",
            "Data",
            "Hora de início",
            "Hora de término",
            "Local",
            "Cidade",
            "Organizador",
            "Categorias",
            "Preço",
            "Site",
            "Descrição",
        ]
    ),
    "ja": [
        "タイトル",
        "日付",
        "開始時間",
        "終了時間",
        "会場",
        "市区町村",
        "主催者",
        "カテゴリー",
        "料金",
        "ウェブサイト",
        "説明",
    ],
    "ar": [
        "العنوان",
        "التاريخ",
        "وقت البدء",
        "وقت الانتهاء",
        "المكان",
        "المدينة",
        "المنظم",
        "الفئة",
        "السعر",
        "الرابط",
        "الوصف",
    ],
}
TITLES: Mapping[str, tuple[str, str]] = {
    "en": ("Example: summer party", "Example: open day, all day"),
    "de": ("Beispiel: Sommerfest", "Beispiel: Tag der offenen Tür, ganztägig"),
    "es": ("Ejemplo: fiesta de verano", "Ejemplo: jornada de puertas abiertas, todo el día"),
    "fr": ("Exemple : fête d’été", "Exemple : journée portes ouvertes, toute la journée"),
    "it": ("Esempio: festa d’estate", "Esempio: porte aperte, tutto il giorno"),
    "nl": ("Voorbeeld: zomerfeest", "Voorbeeld: open dag, hele dag"),
    "pt_BR": ("Exemplo: festa de verão", "Exemplo: portas abertas, o dia inteiro"),
    "ja": ("例：夏祭り", "例：オープンデー（終日）"),
    "ar": ("مثال: حفل صيفي", "مثال: يوم مفتوح، طوال اليوم"),
}
EXAMPLES = frozenset(title for titles in TITLES.values() for title in titles)
# Spreadsheets divide cells by a semicolon where a comma divides numbers.
WITH_COMMA = ("en", "ja", "ar")


def template(language: str, year: int) -> str:
    """`year`: of the examples."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="," if language in WITH_COMMA else ";")
    party, open_day = TITLES[language]
    writer.writerow(HEADINGS[language])
    writer.writerow([party, f"{year}-06-18", "18:00", "22:00", *[""] * 7])
    writer.writerow([open_day, f"{year}-06-19", *[""] * 9])
    return text.getvalue()
