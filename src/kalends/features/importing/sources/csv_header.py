"""Which headers of a table mean which field."""

import itertools
from collections.abc import Collection, Mapping, Sequence

from kalends.contract.kinds import COMPANIONS, EVENT, POSTS, Kind
from kalends.contract.kinds.defined_fields import rows_of
from kalends.features.exporting.csv_columns import COLUMNS, EXPORTED, Columns, compared, defined_columns
from kalends.features.exporting.csv_export import unquoted
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.files import FileSource
from kalends.languages import N_
from kalends.values.custom_fields import NONE, CustomFields

# Headers of tables in the other languages: what people call columns, beside the English names of the fields.

# German, French, Spanish, Italian, Dutch, Portuguese, Japanese, Arabic.
_WORDS = {
    "title": """
        Titel, Veranstaltung, Veranstaltungstitel, Bezeichnung, Titre, Nom, Événement, Título, Nombre, Evento,
        Actividad, Titolo, Nome, Naam, Evenement, Activiteit, タイトル, イベント, イベント名, 件名, العنوان, الاسم,
        الفعالية, الحدث,
        Was, Thema, Programm, Programmpunkt, Kurs, Kurstitel, Anlass, Angebot, Spiel, What, Quoi, Intitulé, Qué, Cosa,
        Attività, Wat, Onderwerp, O quê, Atividade, 何, 行事, 行事名, 催し, 催し物, ماذا, النشاط""",
    "start_date": """
        Datum, Beginn, Anfang, Von, Startdatum, Jour, Début, Date de début, Du, Fecha, Día, Inicio, Fecha de inicio,
        Desde, Data, Giorno, Inizio, Data di inizio, Data inizio, Dal, Dag, Begindatum, Van, Dia, Início,
        Data de início, 日付, 日時, 開始, 開始日, 開始日時, التاريخ, البداية, تاريخ البدء, Day,
        Wann, Termin, Datum von, von Datum, Beginn Datum, Kursbeginn, When, Quand, Cuándo, Quando, Wanneer,
        いつ, 開催日, 期日, 月日, متى, اليوم, تاريخ البداية""",
    "end_date": """
        Ende, Enddatum, Bis, Fin, Date de fin, Au, Fecha de fin, Hasta, Fine, Data di fine, Data fine, Einde,
        Einddatum, Tot, Fim, Término, Data de término, Data final, Até, 終了, 終了日, 終了日時,
        النهاية, تاريخ الانتهاء,
        Datum bis, bis Datum, Ende Datum, Kursende, Date end, Schluss""",
    "start_time": """
        Uhrzeit, Zeit, Startzeit, Heure, Heure de début, Hora, Hora de inicio, Ora, Orario, Ora inizio, Ora di inizio,
        Tijd, Begintijd, Starttijd, Horário, Hora de início, 時間, 時刻, 開始時間, 開始時刻, الوقت,
        الساعة, وقت البدء,
        Anfangszeit, Uhrzeit von, Zeit von, Beginn Uhrzeit, Uhr, Horaire, Horaires, Horarios, Orari, Tijden, Tijdstip,
        Horários, 開演, 開催時間, 時間帯, التوقيت""",
    "end_time": """
        Endzeit, Heure de fin, Hora de fin, Ora fine, Ora di fine, Eindtijd, Hora de término, 終了時間, 終了時刻,
        وقت الانتهاء,
        Uhrzeit bis, Zeit bis, Ende Uhrzeit, Finish""",
    "all_day": """
        Ganztägig, Toute la journée, Todo el día, Tutto il giorno, Hele dag, Dia inteiro, O dia todo, 終日,
        طوال اليوم""",
    "venue": """
        Ort, Veranstaltungsort, Lieu, Salle, Lugar, Sede, Luogo, Locatie, Plaats, Zaal, Local, 場所, 会場, المكان,
        Wo, Treffpunkt, Spielort, Spielstätte, Veranstaltungsstätte, Halle, Kirche, Where, Où, Endroit, Dónde,
        Dove, Waar, Onde, どこ, 会場名, 開催場所, أين, الموقع""",
    "venue_address": "Adresse, Anschrift, Dirección, Indirizzo, Adres, Endereço, 住所",
    "venue_city": "Stadt, Ville, Ciudad, Città, Stad, Cidade, 市区町村, المدينة",
    "organizer": """
        Veranstalter, Veranstalterin, Organisateur, Organizador, Organizzatore, Organisator, 主催者, 主催, المنظم,
        Wer, Verein, Ausrichter, Who, Association, Entidad, Associazione, Vereniging, 主催団体, الجهة المنظمة""",
    "categories": """
        Kategorie, Kategorien, Rubrik, Catégorie, Catégories, Categoría, Categorías, Categoria, Categorie,
        Categorieën, Categorias, カテゴリー, カテゴリ, الفئة, التصنيف""",
    "tags": """
        Schlagwörter, Stichwörter, Étiquettes, Mots-clés, Etiquetas, Etichette, Labels, Trefwoorden, タグ, الوسوم""",
    "description": """
        Beschreibung, Inhalt, Descripción, Descrizione, Beschrijving, Omschrijving, Descrição, 説明, 内容, الوصف,
        Bemerkung, Bemerkungen, Hinweis, Hinweise, Erläuterung, Opmerkingen, Observaciones, 備考, ملاحظات""",
    "cost": """
        Preis, Eintritt, Kosten, Prix, Tarif, Precio, Coste, Entrada, Prezzo, Costo, Prijs, Preço, Custo, 料金, 費用,
        السعر, التكلفة,
        Gebühr, Kursgebühr, Entgelt, Teilnahmegebühr, Eintrittspreis, Entrée, Entry, Admission, Ingresso, Toegang,
        Entrada (R$), Ingressos, 入場料, 参加費, رسوم الدخول""",
    "website": """
        Webseite, Internet, Site web, Lien, Sitio web, Enlace, Sito web, Sito, Site, ウェブサイト, リンク,
        الموقع الإلكتروني, الرابط""",
    "image": "Bild, Foto, Imagen, Immagine, Afbeelding, Imagem, 画像, الصورة",
}
EVENT_WORDS: Mapping[str, Sequence[str]] = {
    field: [word.strip() for word in words.split(",")] for field, words in _WORDS.items()
}
# Where a table has one of these, `Start` beside it is a time of that day.
DAYS: Sequence[str] = [
    "Date",
    "Event Date",
    "Day",
    "Datum",
    "Jour",
    "Fecha",
    "Día",
    "Data",
    "Giorno",
    "Dag",
    "Dia",
    "Termin",
    "Wann",
    "When",
    "日付",
    "開催日",
    "月日",
    "التاريخ",
]


TWICE = N_(
    "{file}: the columns {first} and {second} both mean {field};"
    ' rename one, or choose which it is (--map "{second}={field}")'
)
MISSING = N_(
    "{file}: there is no column for {fields}; the columns are: {columns}."
    ' Choose which it is (--map "COLUMN={first}").'
)
LEFT_OUT = ""  # the field of a column that is not imported
CUSTOM = "custom"  # that of a column of which a custom field is made
# The end of an event can be that of its start.
NEEDED = {
    kind.name: [field.name for field in kind.fields if field.required and field.name != "end_date"] for kind in POSTS
}
_DAYS = {compared(name) for name in DAYS}
# Those of them that are the day of the week where there is another one.
_WEEKDAYS = {compared(name) for name in ("Day", "Jour", "Día", "Giorno", "Dag", "Dia")}
_GERMAN_DAY, _GERMAN_TIME = "tag", "uhrzeit"  # the word for a day is also the English one for a keyword
# An example of a table of events, to be filled in.
TEMPLATE = (
    "ID,Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,All Day Event,Event Time Zone,"
    "Event Venue Name,Venue Address,Venue City,Event Organizers,Event Category,Event Tags,Event Cost,Event Website,"
    "Event Featured Image,Event Description\r\n"
    "1,Spring concert,2027-03-20,19:30,2027-03-20,22:00,no,Europe/Paris,Town hall,1 Main Street,Lyon,"
    '"City orchestra, Town choir",Music,"outdoor, free",20 €,https://orchestra.example/spring,,'
    "The orchestra opens the season.\r\n"
    "2,Book fair,2027-04-10,,2027-04-11,,yes,,Market hall,,,,Books,,Free,,,\r\n"
)


def kind_of(header: Sequence[str]) -> Kind:
    """What a table has: what events are linked to if its headers say so, and else events."""
    words = {compared(name) for name in header}
    if not words & {compared(name) for name in columns_of(EVENT, NONE)["start_date"]}:
        for kind in COMPANIONS:
            if compared(f"{kind.name} name") in words:
                return kind
    return EVENT


def columns_of(kind: Kind, defined: CustomFields) -> Columns:
    """What the columns of a table can mean: fields, and for events the custom fields of this calendar."""
    if kind is not EVENT:
        return COLUMNS[kind.name]
    named = {field: (*names, *EVENT_WORDS.get(field, ())) for field, names in COLUMNS[EVENT.name].items()}
    return {**defined_columns(rows_of(defined)), **named}


def count_known(row: Sequence[str], chosen: Mapping[str, str], defined: CustomFields) -> int:
    """How many cells of a row are names of columns."""
    words = {compared(name) for name in chosen}
    words |= {compared(name) for kind in POSTS for names in columns_of(kind, defined).values() for name in names}
    return len({compared(cell) for cell in row if cell.strip()} & words)


def lacks_day(header: Sequence[str], chosen: Mapping[str, str]) -> bool:
    """Whether a table of events has no column for their days."""
    words = {compared(name) for name in columns_of(EVENT, NONE)["start_date"]} | {_GERMAN_DAY}
    own = {compared(name): field for name, field in chosen.items()}
    has_one = any(own.get(compared(name)) == "start_date" or compared(name) in words for name in header)
    return kind_of(header) is EVENT and not has_one


def match(
    kind: Kind, header: Sequence[str], chosen: Mapping[str, str], file: FileSource, defined: CustomFields = NONE
) -> dict[str, int]:
    """The place of each field in a row. `chosen` maps headers to fields where the headers alone do not tell; to an
    empty one if the column is left out. `defined`: the custom fields of this calendar."""
    columns = columns_of(kind, defined)
    meanings = {compared(name): field for field, names in reversed([*columns.items()]) for name in (field, *names)}
    own = {compared(name): field for name, field in chosen.items()}
    if unknown := sorted(set(chosen.values()) - {*columns, LEFT_OUT, *([CUSTOM] if kind is EVENT else [])}):
        sentence = "--map: there is no field {names}; fields are: {fields}"
        raise SourceError(sentence, names=", ".join(unknown), fields=", ".join(columns))
    if unknown := sorted(name for name in chosen if compared(name) not in map(compared, header)):
        sentence = "--map: {file} has no column {names}; it has: {columns}"
        raise file.refused(sentence, names=", ".join(unknown), columns=listed(header))
    places: dict[str, int] = {}
    words = {compared(name) for name in header} - {"date"}
    for place, name in enumerate(header):
        field = own.get(compared(name), meanings.get(compared(name), LEFT_OUT))
        if field == "tags" and compared(name) == _GERMAN_DAY and not own and words & {*_DAYS, _GERMAN_TIME}:
            if words & _DAYS:  # the day of the week
                continue
            field = "start_date"
        if field in (LEFT_OUT, CUSTOM) or (field in own.values() and compared(name) not in own):
            continue
        both = {compared(name), compared(header[places[field]])} if field in places else set[str]()
        if field == "start_date" and both <= _DAYS and both & _WEEKDAYS:
            # A column for the day of the week beside that for the date, which says all.
            if compared(name) not in _WEEKDAYS:
                places[field] = place
            continue
        if field == "start_date" and field in places and _splits_times(header[places[field]], name):
            # A column for the day and one for the time of the start: the day is that of both.
            other = place if compared(name) not in _DAYS else places[field]
            places[field] = places[field] if other == place else place
            field, place = "start_time", other
        if field in places:
            raise file.refused(TWICE, first=header[places[field]], second=name, field=_label(kind, field))
        places[field] = place
    return places


def require(kind: Kind, places: Collection[str], header: Sequence[str], file: FileSource) -> None:
    """Refuses a table without a column that every record needs."""
    missing = [field for field in NEEDED[kind.name] if field not in places]
    if missing:
        labels = {field: _label(kind, field) for field in missing}
        fields = ImportMessage(", ".join(f"{{{field}}}" for field in missing), **labels)
        raise file.refused(MISSING, first=missing[0], fields=fields, columns=listed(header))


def listed(names: Sequence[str]) -> ImportMessage:
    """Names in a row, some of which are sentences."""
    return ImportMessage(
        ", ".join(f"{{name{place}}}" for place in range(len(names))),
        **{f"name{place}": name for place, name in enumerate(names)},
    )


def _label(kind: Kind, name: str) -> str:
    """What people call what a column means; else its name."""
    label = next((field.label for field in kind.fields if field.name == name), "")
    return ImportMessage(label) if label else name


def _splits_times(first: str, second: str) -> bool:
    """Whether one of two columns for the start is named by the day, such as `Date` beside `Start`."""
    return (compared(first) in _DAYS) != (compared(second) in _DAYS)


def custom_field_columns(header: Sequence[str], chosen: Mapping[str, str], file: FileSource) -> dict[int, str]:
    """The columns that become custom fields, by their places."""
    wanted = {compared(name) for name, field in chosen.items() if field == CUSTOM}
    found = {place: name.strip() for place, name in enumerate(header) if compared(name) in wanted}
    for first, second in itertools.pairwise(sorted(found.values(), key=compared)):
        if compared(first) == compared(second):  # which of them an event's value is, nobody could tell
            raise file.refused(TWICE, first=first, second=second, field=CUSTOM)
    return found


def written_custom_columns(header: Sequence[str], chosen: Mapping[str, str], used: Collection[int]) -> dict[int, str]:
    """The columns of custom fields that Kalends wrote, after all others of its tables, and that are none here yet."""
    for fields in (EXPORTED, [field for field in EXPORTED if field != "image"]):
        if [*header[: len(fields)]] == [COLUMNS[EVENT.name][field][0] for field in fields]:
            named = {compared(name) for name in chosen}
            return {
                place: unquoted(name.strip())
                for place, name in enumerate(header)
                if place >= len(fields) and name.strip() and place not in used and compared(name) not in named
            }
    return {}


def unused(header: Sequence[str], used: Collection[int]) -> dict[int, str]:
    """The other columns by their places."""
    return {place: name for place, name in enumerate(header) if name.strip() and place not in used}
