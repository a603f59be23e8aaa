"""Search in the events', venues' and organizers' lists: words, phrases, scripts and signs."""

from typing import Any
from urllib.parse import quote

import pytest
from tests import store_checks
from tests.calendar.lists.list_requests import found, names, refused

TEXTS = {
    "Jazz evening": "A <b>trio</b> plays <a href='https://example.org/hidden'>standards</a>.",
    "Straße": "Die Maße der GROẞEN Halle",
    "İstanbul gecesi": "ışık ve müzik",
    "Вечер поэзии": "Стихи Ахматовой и Цветаевой",
    "東京の夏祭り": "花火と屋台、浴衣でどうぞ",
    "ليلة الشعر": "قصائد من الأندلس",
    "Σίσυφος": "ΟΔΟΣ",
    "Party 🎉🎊": "bring 🍰",
    "100 % cotton": "snake_case and a\\b and 'quotes' and \"double\" * ^ AND OR NEAR",
    "Café crème": "a\u0301 decomposed and o\u0308ffentlich",
    "Ampersand": "salt &amp; pepper, 3 &lt; 4, non&nbsp;breaking",
    "Table": "<table><tr><td>left</td><td>right</td></tr></table><p>one<br>two</p>",
}


@pytest.fixture
def library(world):
    for title, description in TEXTS.items():
        world.make("events", title=title, description=description)
    return world


CASES = {
    # A part of a word, in the title and in the description, whatever the case.
    "azz eve": {"Jazz evening"},
    "JAZZ": {"Jazz evening"},
    "tandard": {"Jazz evening"},
    # Every word, in any order and any field.
    "standards evening trio": {"Jazz evening"},
    "standards evening quartet": set(),
    # A quoted phrase is one word, an unquoted one is several.
    '"trio plays"': {"Jazz evening"},
    '"plays trio"': set(),
    "plays trio": {"Jazz evening"},
    '"trio  plays  standards"': {"Jazz evening"},
    # Title and text are apart.
    '"evening A trio"': set(),
    # Words that must not occur.
    "jazz -quartet": {"Jazz evening"},
    "jazz -trio": set(),
    'jazz -"trio plays"': set(),
    'jazz -"plays trio"': {"Jazz evening"},
    # Tags and their attributes are no text.
    "href": set(),
    "example.org": set(),
    "strong": set(),
    # Case in German, Turkish and Greek.
    "STRASSE": {"Straße"},
    "strasse": {"Straße"},
    "großen": {"Straße"},
    "GROSSEN": {"Straße"},
    "İSTANBUL": {"İstanbul gecesi"},
    "MÜZIK": {"İstanbul gecesi"},
    "ΣΊΣΥΦΟΣ": {"Σίσυφος"},
    "σίσυφοσ": {"Σίσυφος"},
    "οδος": {"Σίσυφος"},
    # Other scripts.
    "ПОЭЗИ": {"Вечер поэзии"},
    "ахматов цветаев": {"Вечер поэзии"},
    "夏祭": {"東京の夏祭り"},
    "屋台、浴衣": {"東京の夏祭り"},
    "祭": {"東京の夏祭り"},
    "الشعر": {"ليلة الشعر"},
    "الأندلس قصائد": {"ليلة الشعر"},
    "🎉": {"Party 🎉🎊"},
    "🎉🎊": {"Party 🎉🎊"},
    "🍰 party": {"Party 🎉🎊"},
    # One and two letters.
    "z": {"Jazz evening", "İstanbul gecesi"},
    "zz": {"Jazz evening"},
    "jz": set(),
    "zz -trio": set(),
    "jazz -q": {"Jazz evening"},
    "jazz -z": set(),
    # Signs and punctuation are blanks, which begin and end a word of the text, and nothing alone.
    "100%": {"100 % cotton"},
    "100 %": {"100 % cotton"},
    "100 % % cotton": {"100 % cotton"},
    "1_0": set(),
    "ke_ca": {"100 % cotton"},
    "snake-case": {"100 % cotton"},
    "snake - case": {"100 % cotton"},
    "a\\b": {"100 % cotton"},
    "'quotes'": {"100 % cotton"},
    "sna*": {"100 % cotton"},
    "^ near": {"100 % cotton"},
    "cotton AND snake": {"100 % cotton"},
    "NEAR(cotton snake)": set(),
    "title:cotton": set(),
    "%": set(),
    "_": set(),
    "*": set(),
    "cotton -%": {"100 % cotton"},
    # Without regard to accents.
    "cafe": {"Café crème"},
    "CAFÉ": {"Café crème"},
    "cafe creme": {"Café crème"},
    "café": {"Café crème"},
    "istanbul isik": {"İstanbul gecesi"},
    "ΣΙΣΥΦΟΣ": {"Σίσυφος"},
    "cafe\u0301 CRE\u0300ME": {"Café crème"},
    "á decomposed": {"Café crème"},
    "öffentlich": {"Café crème"},
    # Entities are the characters they stand for.
    "salt & pepper": {"Ampersand"},
    '"3 < 4"': {"Ampersand"},
    '"salt amp"': set(),
    "nbsp": set(),
    '"non breaking"': {"Ampersand"},
    # Blocks divide words, inline elements do not.
    "leftright": set(),
    "onetwo": set(),
    '"left right"': {"Table"},
    '"one two"': {"Table"},
}


def test_search_finds(library):
    assert {text: found(library, "events", text) for text in CASES} == CASES


TYPED = {
    "Café-Language": ("cafe", "CAFÉ", "Cafe Language", "café-language", "language,cafe", '"cafe language"', "e–l"),
    "Language Café": ("cafe", "language-cafe", "CAFE\u0301 language"),
    "New Year’s Eve": (
        "New Year’s",
        "New Year's",
        "New Years",
        "new year",
        "new year`s",
        "NEW YEAR´S",
        "“new year’s”",
    ),
    "Ice-hockey for all": ("ice-hockey", "ice hockey", "ice–hockey", "ICE/HOCKEY", '"ice hockey"', "hockey;ice"),
    "Ice hockey": ("ice-hockey", "ice hockey", '"ice-hockey"'),
    "Yoga in the palm house": ("yoga,palm", "yoga, palm", "palm;yoga", "yoga、palm", "yoga.", "(yoga)", "yoga!"),
    "Curso a distáncia": ("distancia", "DISTÁNCIA", "a-distancia"),
    "L’école d'été": ("ecole", "l'ecole", "l’école", "ete", "d`ete"),
    "Łódź, Ærøskøbing, Đakovo": ("lodz", "aeroskobing", "ærøskøbing", "dakovo", "Lodz,Dakovo"),
    "Ёлка": ("елка", "ЁЛКА"),
    "Mi\u00adnu\u00adet": ("minuet",),
    "R&B night, Q & A": ("R&B", "q a", "night q"),
    "C++ and C# #learn @home": ("C++", "c#", "#learn", "learn", "@home", "home"),
    "Open 24/7, 10.50 €": ("24/7", "24-7", "10.50", "10,50", "€10.50", "10:50 24"),
    "Ｆｕｌｌ ｗｉｄｔｈ": ("full width",),
    "がくせい": ("がく", "か\u3099く"),
    "שָׁלוֹם": ("שלום",),
    "مُحَمَّد": ("محمد",),
    "हिन्दी मेला": ("हिन्दी",),
    "한국어": ("한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"),
}
NOT_FOUND = {
    # A word with punctuation inside is its parts one after the other, and what is unwanted is so too.
    "hockey-ice": set(),
    "house-yoga": set(),
    "hockey -ice-hockey": set(),
    "house -yoga-palm": {"Yoga in the palm house"},
    "ice -all": {"Ice hockey"},
    # Marks that make another letter count.
    "かく": set(),
    "हन्दी": set(),
    # Signs that belong to a word.
    "R&D": set(),
    "b++": set(),
}


def test_search_finds_what_people_type(world):
    for title in TYPED:
        world.make("events", title=title)
    wrong = {
        (title, text): found(world, "events", text)
        for title, texts in TYPED.items()
        for text in texts
        if title not in found(world, "events", text)
    }
    assert wrong == {}
    assert {text: found(world, "events", text) for text in NOT_FOUND} == NOT_FOUND
    assert found(world, "events", "C++") == {"C++ and C# #learn @home"}
    assert found(world, "events", "R&B") == found(world, "events", "&") == {"R&B night, Q & A"}
    store_checks.check(world.calendar.store)


def test_every_record_is_found_by_what_people_type(world):
    """Also in the texts, and in what events are linked to."""
    venue = world.make("venues", venue="Café Zoë", address="Rue de l’Été 3", city="Orléans")["id"]
    organizer = world.make("organizers", organizer="Ice-Hockey Club", description="<p>Since 1950; “no limits”</p>")
    category = world.make("categories", name="Fête & Fiesta’s")
    tag = world.make("tags", name="naïve-art")
    world.make(
        "events",
        title="Match",
        venue=venue,
        organizer=organizer["id"],
        categories=[category["id"]],
        tags=[tag["id"]],
        excerpt="Entrée",
        description="<p>Piñata, <b>smör</b>gåsbord</p>",
    )
    assert found(world, "venues", "cafe zoe") == found(world, "venues", "l'ete orleans") == {"Café Zoë"}
    assert found(world, "organizers", "ice hockey") == found(world, "organizers", "no limits") == {"Ice-Hockey Club"}
    for text in ("pinata", "smorgasbord", "entree", "PINATA smörgasbord"):
        assert found(world, "events", text) == {"Match"}, text
    for text in ("cafe zoe", "ice-hockey", "ice hockey", "fete", "fiestas", "naive art", "orleans"):
        assert names(world, f"/events?search={quote(text)}&search_in=everything") == ["Match"], text
        assert found(world, "events", text) == set(), text
    for text in ("fete", "fete & fiesta's", "FIESTAS", "fete-fiestas"):
        assert found(world, "categories", text) == {"Fête & Fiesta’s"}, text
    for text in ("naive", "naïve art", "naive-art"):
        assert found(world, "tags", text) == {"naïve-art"}, text
    assert found(world, "tags", "naiveart") == set()


def test_unwanted_words_alone_leave_the_others(library):
    assert found(library, "events", "-jazz") == TEXTS.keys() - {"Jazz evening"}


def test_a_lone_minus_and_a_lone_quote_are_signs(library):
    library.make("events", title='12" - single')
    assert found(library, "events", "-") == set()
    assert found(library, "events", '12"') == {'12" - single'}
    assert found(library, "events", "12 - single") == {'12" - single'}


@pytest.mark.parametrize("text", ["", "+", "%20%09%0A", "%00", '""', '"+"', '-""'])
def test_nothing_to_look_for_is_refused(world, text):
    for plural in ("events", "venues", "organizers"):
        assert refused(world, f"/{plural}?search={text}") == ["search"], plural


def test_the_excerpt_counts_and_fields_do_not_run_into_each_other(world):
    world.make("events", title="one", excerpt="alpha", description="beta")
    assert found(world, "events", "alpha beta one") == {"one"}
    assert found(world, "events", '"alpha beta"') == set()
    assert found(world, "events", "alphabeta") == set()


def test_a_phrase_is_found_whatever_white_space_the_text_has(world):
    world.make("events", title="New  Year\u3000Gala")
    world.make("venues", venue="Old Mill", address="12  Mill Lane")
    for phrase in ('"new year gala"', '"New  Year"', '"year\u3000gala"'):
        assert found(world, "events", phrase) == {"New  Year\u3000Gala"}, phrase
    assert found(world, "venues", '"12 mill"') == {"Old Mill"}


def test_search_follows_a_change(world):
    id = world.make("events", title="before", description="yesterday")["id"]
    world.put(f"/events/{id}", json={"description": "today"})
    assert found(world, "events", "yesterday") == set()
    assert found(world, "events", "today") == {"before"}
    world.put(f"/events/{id}", json={"title": "after"})
    assert (found(world, "events", "before"), found(world, "events", "after")) == (set(), {"after"})
    world.delete(f"/events/{id}?force=true")
    assert found(world, "events", "today") == set()


def test_words_longer_than_the_index_keeps(world):
    long, other = "donaudampfschifffahrtsgesellschaft", "donaudampfschifffahrtskapitän"
    for title in (long, other, "мероприятиями", "мероприятиях"):
        world.make("events", title=title)
    assert found(world, "events", long) == {long}
    assert found(world, "events", "ampfschifffahrtsgesellscha") == {long}
    assert found(world, "events", f"donau -{long}") == {other}
    assert found(world, "events", "мероприятиями") == {"мероприятиями"}


def test_texts_longer_than_the_index_takes(world):
    noise = "".join(chr(ord("a") + number * number % 23) for number in range(60_000))
    world.make("events", title="long", description=f"{noise} needle {noise}")
    world.make("events", title="short", description="needle and thread")
    world.make("events", title="long and masked", description=f"needle {noise}", post_password="secret")
    assert found(world, "events", "needle") == {"long", "short"}
    assert found(world, "events", "edle -thread") == {"long"}
    assert found(world, "events", "long") == {"long", "long and masked"}
    assert found(world, "events", f'"needle {noise[:30]}"') == {"long"}
    assert names(world, "/events?search=needle&orderby=title&order=desc") == ["short", "long"]
    assert names(world, "/events?search=needle%20masked", "editor") == ["long and masked"]
    assert names(world, "/events?search=needle&end_date=2000-01-01&start_date=1999-01-01") == []
    world.make("venues", venue="Hall", description=f"{noise} needle")
    assert found(world, "venues", "needl") == {"Hall"}
    store_checks.check(world.calendar.store)


def test_search_finds_an_event_in_whichever_year_it_is(world):
    def day(year):
        return {"start_date": f"{year}-03-10 10:00:00", "end_date": f"{year}-03-10 11:00:00"}

    id = world.make("events", title="wanderer", **day(2027))["id"]
    world.put(f"/events/{id}", json=day(2031))
    within = "/events?search=wand&start_date={0}-01-01&end_date={0}-12-31"
    assert (names(world, within.format(2027)), names(world, within.format(2031))) == ([], ["wanderer"])
    assert names(world, "/events?search=e&starts_after=1990-01-01") == ["wanderer"]
    assert names(world, f"/events?search=anderer&include={id}") == ["wanderer"]


def test_a_long_search_and_many_words_are_answered(world):
    world.make("events", title="one two three")
    assert found(world, "events", "one " * 100) == {"one two three"}
    assert refused(world, f"/events?search={'x' * 501}") == ["search"]


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("venue", "Große Halle", "GROSSE"),
        ("description", "<p>under the <b>roof</b></p>", "the roof"),
        ("excerpt", "in short", "short"),
        ("address", "1 Main Street", "main st"),
        ("city", "København", "KØBEN"),
        ("country", "Danmark", "danm"),
        ("province", "Hovedstaden", "hoved"),
        ("state", "Ohio", "ohi"),
        ("zip", "K-1234", "k-12"),
        ("phone", "+45 33 12", "33 12"),
        ("website", "https://hall.example/", "hall.example"),
        ("stateprovince", "Sjælland", "sjæll"),
    ],
)
def test_a_venue_is_found_by_every_text(world, field, value, text):
    world.make("venues", venue="Elsewhere")
    world.make("venues", **({"venue": "Place"} | {field: value}))
    expected = {value if field == "venue" else "Place"}
    assert found(world, "venues", text) == expected
    assert found(world, "venues", f"{text} nowhere") == set()
    assert found(world, "venues", f"-{text.split()[0]}") == {"Elsewhere"}


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("organizer", "Пётр", "ПЁТР"),
        ("description", "plays the <i>viola</i>", "viola"),
        ("excerpt", "in short", "short"),
        ("phone", "+1 555 0100", "555 01"),
        ("website", "https://band.example/", "band.ex"),
        ("email", "Box@Band.example", "box@band"),
    ],
)
def test_an_organizer_is_found_by_every_text(world, field, value, text):
    world.make("organizers", organizer="Elsewhere")
    world.make("organizers", **({"organizer": "Someone"} | {field: value}))
    expected = {value if field == "organizer" else "Someone"}
    assert found(world, "organizers", text) == expected
    assert found(world, "organizers", "<span>") == set()


@pytest.mark.parametrize("written", ["%01", "%7F", "%22%01%22", "-%01", "one%20-%01"])
@pytest.mark.parametrize("kind", ["events", "venues"])
def test_what_only_stands_between_words_breaks_nothing(world: Any, kind: str, written: str) -> None:
    world.make("events", venue=world.make("venues", venue="Hall")["id"])
    assert world.get(f"/{kind}?search={written}").status_code in (200, 400)
