"""Headers of tables in the other languages: what people call columns, beside the English names of the fields."""

from collections.abc import Mapping, Sequence

# German, French, Spanish, Italian, Dutch, Portuguese, Japanese, Arabic.
_WORDS = {
    "title": """
        Titel, Veranstaltung, Veranstaltungstitel, Bezeichnung, Titre, Nom, Événement, Título, Nombre, Evento,
        Actividad, Titolo, Nome, Naam, Evenement, Activiteit, タイトル, イベント, イベント名, 件名, العنوان, الاسم,
        الفعالية, الحدث""",
    "start_date": """
        Datum, Beginn, Anfang, Von, Startdatum, Jour, Début, Date de début, Du, Fecha, Día, Inicio, Fecha de inicio,
        Desde, Data, Giorno, Inizio, Data di inizio, Data inizio, Dal, Dag, Begindatum, Van, Dia, Início,
        Data de início, 日付, 日時, 開始, 開始日, 開始日時, التاريخ, البداية, تاريخ البدء, Day""",
    "end_date": """
        Ende, Enddatum, Bis, Fin, Date de fin, Au, Fecha de fin, Hasta, Fine, Data di fine, Data fine, Einde,
        Einddatum, Tot, Fim, Término, Data de término, Data final, Até, 終了, 終了日, 終了日時,
        النهاية, تاريخ الانتهاء""",
    "start_time": """
        Uhrzeit, Zeit, Startzeit, Heure, Heure de début, Hora, Hora de inicio, Ora, Orario, Ora inizio, Ora di inizio,
        Tijd, Begintijd, Starttijd, Horário, Hora de início, 時間, 時刻, 開始時間, 開始時刻, الوقت,
        الساعة, وقت البدء""",
    "end_time": """
        Endzeit, Heure de fin, Hora de fin, Ora fine, Ora di fine, Eindtijd, Hora de término, 終了時間, 終了時刻,
        وقت الانتهاء""",
    "all_day": """
        Ganztägig, Toute la journée, Todo el día, Tutto il giorno, Hele dag, Dia inteiro, O dia todo, 終日,
        طوال اليوم""",
    "venue": """
        Ort, Veranstaltungsort, Lieu, Salle, Lugar, Sede, Luogo, Locatie, Plaats, Zaal, Local, 場所, 会場, المكان""",
    "venue_address": "Adresse, Anschrift, Dirección, Indirizzo, Adres, Endereço, 住所",
    "venue_city": "Stadt, Ville, Ciudad, Città, Stad, Cidade, 市区町村, المدينة",
    "organizer": """
        Veranstalter, Veranstalterin, Organisateur, Organizador, Organizzatore, Organisator, 主催者, 主催, المنظم""",
    "categories": """
        Kategorie, Kategorien, Rubrik, Catégorie, Catégories, Categoría, Categorías, Categoria, Categorie,
        Categorieën, Categorias, カテゴリー, カテゴリ, الفئة, التصنيف""",
    "tags": """
        Schlagwörter, Stichwörter, Étiquettes, Mots-clés, Etiquetas, Etichette, Labels, Trefwoorden, タグ, الوسوم""",
    "description": """
        Beschreibung, Inhalt, Descripción, Descrizione, Beschrijving, Omschrijving, Descrição, 説明, 内容, الوصف""",
    "cost": """
        Preis, Eintritt, Kosten, Prix, Tarif, Precio, Coste, Entrada, Prezzo, Costo, Prijs, Preço, Custo, 料金, 費用,
        السعر, التكلفة""",
    "website": """
        Webseite, Internet, Site web, Lien, Sitio web, Enlace, Sito web, Sito, Site, ウェブサイト, リンク,
        الموقع الإلكتروني, الرابط""",
    "image": "Bild, Foto, Imagen, Immagine, Afbeelding, Imagem, 画像, الصورة",
}
EVENT_WORDS: Mapping[str, Sequence[str]] = {
    field: [word.strip() for word in words.split(",")] for field, words in _WORDS.items()
}
# Where a table has one of these, `Start` beside it is a time of that day.
_DAYS = "Date, Event Date, Day, Datum, Jour, Fecha, Día, Data, Giorno, Dag, Dia, 日付, التاريخ"
DAYS: Sequence[str] = _DAYS.split(", ")
