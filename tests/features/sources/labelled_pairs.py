"""700 pairs of events as two sources tell them, half of them the same event, each with its label.

How they were made: by rules from the lists below, with a random generator of a fixed seed, so they are always the
same. The titles, their translations and the places were written by hand, and have many words that the comparison does
not know. Of each label a half is hard:

- the same: translations of the title; one to three typing errors; one date of a series against the single event;
  a subtitle that only one has; another writing of the place; a time that only one tells;
- two events: the same title on another day, in another room, at another hour of the same day; another part, group or
  course at the same place and time; a festival and its opening; a single event on a day that the series leaves out.

200 further ones are about where an event is and about single words. Two events: in a place of one name in another
town, in another street of one town, or elsewhere on the map; of which one title has a word more, in nine languages.
The same: a town in another language, another writing of the street, a few steps apart on the map, an address in one
line, a town that only one tells; a word with another ending.

The others are easy: the same but for case, signs, the name of the place in the title, or what one source does not
tell; or different titles at the same time, at the same place or elsewhere.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from kalends.features.sources.duplicates.facts import ComparedFacts
from kalends.values import dates

Pair = tuple[ComparedFacts, ComparedFacts]

SEED = 20270310
OF_PLACES = 100  # of those about places and single words, with each label
OF_EACH = 125  # of easy and hard ones with each label
TITLES = (
    "Jazz Night",
    "Mahler: Symphony No. 5",
    "Farmers' market",
    "The Cherry Orchard",
    "Repair Café",
    "Stories for the smallest",
    "An evening with Ada Holloway",
    "Long Night of the Museums",
    "Boat trip to Heron Island",
    "Chess for everybody",
    "Baroque music by candlelight",
    "Bread baking in the wood oven",
    "Slow cycling race",
    "Town council",
    "Quiz at the Red Lion",
    "Salsa",
    "Life drawing",
    "The Invisible Bridge – reading and talk",
    "Open stage",
    "Yoga in the park",
    "Beekeeping through the year",
    "Vinyl swap",
    "Bat walk along the canal",
    "Silent film with live piano: Metropolis",
    "Blood donation",
    "Swing dance social",
    "Winter lights at the harbour",
    "Choir concert: Songs of the North",
    "Sunday brunch with the neighbours",
    "Youth orchestra plays Dvořák",
)
# The same title in several languages.
TRANSLATED = (
    ("Guided tour of the old town", "Stadtführung durch die Altstadt", "Visite guidée de la vieille ville"),
    (
        "Christmas market on Castle Square",
        "Weihnachtsmarkt am Schlossplatz",
        "Mercatino di Natale in piazza Castello",
    ),
    ("Organ concert with Marie Dupont", "Orgelkonzert mit Marie Dupont", "Concert d'orgue avec Marie Dupont"),
    (
        "Photography exhibition Light and Shadow",
        "Fotoausstellung Licht und Schatten",
        "Mostra fotografica Luci e ombre",
    ),
    ("Wine tasting with the Weber family", "Weinprobe mit Familie Weber", "Dégustation de vin avec la famille Weber"),
    ("Puppet theatre: Pinocchio", "Puppentheater: Pinocchio", "Teatro de títeres: Pinocho"),
    ("Pottery workshop for beginners", "Töpferkurs für Anfänger", "Atelier de poterie pour débutants"),
    ("Open day at the fire station", "Tag der offenen Tür bei der Feuerwehr", "Portes ouvertes chez les pompiers"),
    ("Film evening: The Great Dictator", "Filmabend: Der große Diktator", "Soirée cinéma : Le Dictateur"),
    ("Summer festival by the lake", "Sommerfest am See", "Fête d'été au bord du lac"),
    (
        "Lecture: The history of the harbour",
        "Vortrag: Die Geschichte des Hafens",
        "Conferencia: La historia del puerto",
    ),
    ("String quartet Aurora", "Streichquartett Aurora", "Quatuor à cordes Aurora"),
    ("Flea market in the school yard", "Flohmarkt auf dem Schulhof", "Mercado de pulgas en el patio de la escuela"),
    ("Poetry reading with Tomás Vega", "Lyriklesung mit Tomás Vega", "Lectura de poesía con Tomás Vega"),
    ("New Year concert", "Neujahrskonzert", "Concierto de Año Nuevo"),
)
PLACES = (
    ("Town Hall", "1 Market Street"),
    ("Parkbühne", "Am Stadtpark 4"),
    ("St. Mary's Church", "Church Lane"),
    ("Kulturhaus Mitte", "Hauptstraße 12"),
    ("Bibliothèque municipale", "3 rue du Port"),
    ("The Old Cinema", "27 Mill Road"),
    ("Sports Hall North", "Ring 8"),
    ("Museum of Fishing", "Quay 2"),
)
ROOMS = (("Room 1", "Room 2"), ("Main Hall", "Studio"), ("Seminar room A", "Seminar room B"), ("Foyer", "Garden"))
ORGANIZERS = ("Culture Office", "Friends of Music", "Adult Education Centre", "Kunstverein", "Scouts")
SUBTITLES = ("with the Blue Trio", "a play by the youth theatre", "for the whole family", "and talk with the artist")
GROUPS = (
    ("Swimming for beginners", "Swimming for advanced swimmers"),
    ("English course A1", "English course B2"),
    ("Football training U12", "Football training U14"),
    ("First aid, part 1", "First aid, part 2"),
    ("Choir rehearsal: sopranos", "Choir rehearsal: basses"),
    ("Dance for children", "Dance for seniors"),
    ("Chess tournament, group I", "Chess tournament, group II"),
    ("Spanish for travellers", "Portuguese for travellers"),
)
# Places that every town has, and towns as they are called in several languages, with a point on the map.
HALLS = ("Town Hall", "Rathaus", "Salle des fêtes", "Biblioteca comunale", "Casa de la Cultura", "市民会館")
TOWNS = (
    (("Bruges", "Brugge", "Brujas"), "8000", 51.2093, 3.2247),
    (("Antwerp", "Antwerpen", "Anvers"), "2000", 51.2194, 4.4025),
    (("Cologne", "Köln", "Colonia"), "50667", 50.9375, 6.9603),
    (("Munich", "München", "Muenchen"), "80331", 48.1372, 11.5756),
    (("Florence", "Firenze", "Florencia"), "50122", 43.7696, 11.2558),
    (("Seville", "Sevilla", "Séville"), "41001", 37.3891, -5.9845),
    (("Lisbon", "Lisboa", "Lissabon"), "1100", 38.7223, -9.1393),
    (("Oakham", "Oakham", "OAKHAM"), "LE15", 52.6705, -0.7281),
    (("Frankfurt am Main", "Frankfurt", "Francfort"), "60311", 50.1109, 8.6821),
    (("京都", "Kyoto", "Kioto"), "600", 35.0116, 135.7681),
)
# A street, and how others write it.
STREETS = (
    ("Main Street 1", "1 Main St."),
    ("Hauptstraße 12", "Hauptstr. 12"),
    ("Market Square 2", "2, Market Square"),
    ("Lange Straße 7", "Lange Str 7"),
    ("12 avenue des Tilleuls", "12 av. des Tilleuls"),
    ("Calle Mayor 5", "C. Mayor, 5"),
    ("Via Garibaldi 30", "via Garibaldi, 30"),
    ("Kerkstraat 18", "KERKSTRAAT 18"),
)
# A title, and the same with a word more: in nine languages.
MORE_WORDS = (
    ("Führung Rathaus", "Führung Rathausturm"),
    ("Tour of the town hall", "Tour of the town hall tower"),
    ("Visite de l'hôtel de ville", "Visite de la tour de l'hôtel de ville"),
    ("Visita al ayuntamiento", "Visita a la torre del ayuntamiento"),
    ("Visita al municipio", "Visita alla torre del municipio"),
    ("Visita à prefeitura", "Visita à torre da prefeitura"),
    ("Rondleiding stadhuis", "Rondleiding stadhuistoren"),
    ("市役所見学", "市役所の塔見学"),
    ("جولة في البلدية", "جولة في برج البلدية"),
    ("Orgelkonzert im Dom", "Orgelkonzert im Dom für Kinder"),
    ("Bread baking in the wood oven", "Sourdough bread baking in the wood oven"),
    ("Chorprobe", "Kinderchorprobe"),
    ("Danse de salon", "Danse de salon pour seniors"),
    ("Noche de museos", "Noche de museos: inauguración"),
    ("Laboratorio di ceramica", "Laboratorio di ceramica avanzato"),
    ("Dança no parque", "Dança folclórica no parque"),
    ("Zwemles", "Zwemles gevorderden"),
    ("ヨガ教室", "親子ヨガ教室"),
    ("ورشة الخط العربي", "ورشة الخط العربي للأطفال"),
)
# A title, and the same with other endings or fillers.
OTHER_ENDINGS = (
    ("Konzert im Stadtpark", "Konzerte im Stadtpark"),
    ("Tour of the harbour", "Tours of the harbour"),
    ("Atelier peinture", "Ateliers de peinture"),
    ("Taller de pintura", "Talleres de pintura"),
    ("Laboratorio di pittura", "Laboratori di pittura"),
    ("Oficina de pintura", "Oficinas de pintura"),
    ("Workshop schilderen", "Workshops schilderen"),
    ("絵画教室", "絵画 教室"),
    ("ورشة الرسم", "ورشة رسم"),
    ("Führung durch den Hafen", "Führung im Hafen"),
    ("Evening of the stars", "An evening of stars – sold out"),
)
TEXTS = (
    "Doors open half an hour before. Tickets at the box office and in the book shop, reduced for students.",
    "Everybody is welcome, with or without experience. Please bring good shoes, something to drink and an open mind.",
    "",
)


class Labelled(NamedTuple):
    """A pair: how it was made, whether it is the same event, and both sides."""

    way: str
    same: bool
    one: ComparedFacts
    other: ComparedFacts


class Maker:
    """Makes pairs, one after the other."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(SEED if seed is None else seed)

    def pairs(self) -> Iterator[Labelled]:
        ways: tuple[tuple[bool, tuple[Callable[[ComparedFacts], tuple[ComparedFacts, ComparedFacts]], ...]], ...] = (
            (True, (self.as_it_is, self.other_signs, self.place_in_title, self.told_less)),
            (True, (self.translated, self.mistyped, self.mistyped, self.of_series, self.subtitled, self.other_place,
                    self.untimed)),
            (False, (self.other_title, self.elsewhere, self.later)),
            (False, (self.other_day, self.other_room, self.other_hour, self.other_group, self.opening,
                     self.not_in_series)),
        )  # fmt: skip
        for same, makers in ways:
            for number in range(OF_EACH):
                make = makers[number % len(makers)]
                yield Labelled(make.__name__, same, *make(self.event()))
        of_places: tuple[tuple[bool, tuple[Callable[[ComparedFacts], Pair], ...]], ...] = (
            (True, (self.other_name_of_town, self.other_spelling, self.steps_apart, self.in_one_line,
                    self.town_untold, self.other_ending)),
            (False, (self.other_town, self.other_town_and_street, self.other_town_in_one_line, self.other_street,
                     self.far_on_the_map, self.one_word_more, self.one_word_more)),
        )  # fmt: skip
        for same, makers in of_places:
            for number in range(OF_PLACES):
                make = makers[number % len(makers)]
                yield Labelled(make.__name__, same, *make(self.placed()))

    def placed(self) -> ComparedFacts:
        """An event in a place that other towns have too."""
        names, code, north, east = self.random.choice(TOWNS)
        return self.event()._replace(
            places=[self.random.choice(HALLS)],
            street=self.random.choice(STREETS)[0],
            towns=[names[0]],
            codes=self.random.choice(([code], [])),
            points=self.random.choice(([(north, east)], [])),
        )

    def event(self) -> ComparedFacts:
        chosen = self.random
        start = datetime(2027, 3, 1) + timedelta(days=chosen.randrange(300), hours=chosen.choice((10, 15, 19, 20)))
        minutes = chosen.choice((60, 90, 120, 180))
        place, street = chosen.choice(PLACES)
        return facts(
            title=chosen.choice(TITLES),
            start=start,
            minutes=minutes,
            places=[place],
            street=chosen.choice((street, "")),
            organizers=chosen.choice(([chosen.choice(ORGANIZERS)], [])),
            text=chosen.choice(TEXTS),
        )

    # The same

    def as_it_is(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        return one, one._replace(text="", end=one.start)

    def other_signs(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        spoken = f"„{one.title}“"
        written = self.random.choice((one.title.upper(), one.title.replace(" – ", ": "), spoken, f"{one.title}!"))
        return one, one._replace(title=written, organizers=[])

    def place_in_title(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        place = one.places[0]
        written = self.random.choice((f"{one.title} @ {place}", f"{place}: {one.title}", f"{one.title} ({place})"))
        return one, one._replace(title=written, places=self.random.choice(([], one.places)), text="")

    def told_less(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        one = one._replace(organizers=["Culture Office"])
        return one, one._replace(street="", text="", website="", end=one.start)

    def translated(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        first, second = self.random.sample(self.random.choice(TRANSLATED), 2)
        return one._replace(title=first), one._replace(title=second, text="")

    def mistyped(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        title = one.title
        for _ in range(self.random.choice((1, 1, 2, 3) if len(title) > 14 else (1,))):
            title = self.with_error(title)
        return one, one._replace(title=title, text="", street="")

    def with_error(self, title: str) -> str:
        at = self.random.randrange(1, len(title) - 2)
        letter = self.random.choice("aeinrst")
        return self.random.choice(
            (
                title[:at] + title[at + 1 :],
                title[:at] + letter + title[at:],
                title[:at] + letter + title[at + 1 :],
                title[:at] + title[at + 1] + title[at] + title[at + 2 :],
            )
        )

    def of_series(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        """A date of a series is compared as the event that it is."""
        return one._replace(text=TEXTS[0]), one._replace(end=one.end + 30, text="")

    def subtitled(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        return one, one._replace(title=f"{one.title} – {self.random.choice(SUBTITLES)}")

    def other_place(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        place = one.places[0]
        written = self.random.choice((f"{place}, {one.street or 'Ground floor'}", f"{place} (Main Hall)", place[:-1]))
        return one, one._replace(places=[written])

    def untimed(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        day = one.day[:10]
        return one, facts(one.title, dates.from_text(f"{day} 00:00:00"), 1439, one.places, one.street)._replace(
            all_day=True, organizers=one.organizers
        )

    def other_name_of_town(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        return one, one._replace(towns=[self.random.choice(self.town_of(one)[0])], text="")

    def other_spelling(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        written = next(other for street, other in STREETS if street == one.street)
        return one, one._replace(street=written, codes=[])

    def steps_apart(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        _, _, north, east = self.town_of(one)
        return one._replace(points=[(north, east)]), one._replace(points=[(north + 0.0008, east - 0.0008)], text="")

    def in_one_line(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        names, code, _, _ = self.town_of(one)
        address = self.random.choice((f"{one.street}, {names[0]}", f"{one.street}, {names[1]}"))
        if code.isdigit() and len(code) > 3:
            address = self.random.choice((address, f"{one.street}, {code} {names[1]}"))
        return one, one._replace(street=address, towns=[], codes=[], points=[])

    def town_untold(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        return one, one._replace(towns=[], codes=[], points=[], street=self.random.choice((one.street, "")))

    def other_ending(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        first, second = self.random.choice(OTHER_ENDINGS)
        return one._replace(title=first), one._replace(title=second)

    def town_of(self, one: ComparedFacts) -> tuple[tuple[str, ...], str, float, float]:
        return next(town for town in TOWNS if town[0][0] == one.towns[0])

    # Two events

    def other_title(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        return one, one._replace(title=self.title_but(one.title), text="", organizers=[])

    def elsewhere(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        place, street = self.random.choice([place for place in PLACES if place[0] != one.places[0]])
        return one, one._replace(title=self.title_but(one.title), places=[place], street=street)

    def later(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        return one, moved(one, 180)._replace(title=self.title_but(one.title))

    def other_day(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        return one, moved(one, 1440 * self.random.choice((1, 2, 7, 14, 364)))

    def other_room(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        place, rooms = one.places[0], self.random.choice(ROOMS)
        first, second = (f"{place}, {room}" for room in rooms)
        return one._replace(places=[first]), one._replace(places=[second])

    def other_hour(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        return one, moved(one, self.random.choice((30, 60, 120, 150, 300)))

    def other_group(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        first, second = self.random.choice(GROUPS)
        return one._replace(title=first), one._replace(title=second)

    def opening(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        name = self.random.choice(("Festival of Lights", "Book Week", "Harbour Days"))
        first = facts(name, dates.from_text(one.day), 600, one.places, one.street)
        return first, one._replace(title=f"{name}: opening", end=one.start + 60)

    def not_in_series(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        return one, moved(one, 7 * 1440)._replace(text="")

    def elsewhere_than(self, one: ComparedFacts) -> tuple[str, str, tuple[float, float]]:
        names, code, north, east = self.random.choice([town for town in TOWNS if town[0][0] != one.towns[0]])
        return self.random.choice(names), code, (north, east)

    def other_town(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        """A chain of events has the same text, street and organizer in each of its towns."""
        town, code, point = self.elsewhere_than(one)
        return one, one._replace(
            towns=[town], codes=[code] if one.codes else [], points=[point] if one.points else []
        )

    def other_town_and_street(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        _, other = self.other_street(one)
        town, _, _ = self.elsewhere_than(one)
        return one, other._replace(towns=[town], codes=[], points=[])

    def other_town_in_one_line(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        town, _, _ = self.elsewhere_than(one)
        first = one._replace(street=f"{one.street}, {one.towns[0]}", towns=[], codes=[], points=[])
        street = self.random.choice(STREETS)[0]
        return first, first._replace(street=self.random.choice((f"{street}, {town}", town)))

    def other_street(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        street = self.random.choice([street for street, _ in STREETS if street != one.street])
        return one, one._replace(street=street, points=[])

    def far_on_the_map(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        _, _, north, east = self.town_of(one)
        apart = self.random.choice((0.01, 0.05, 0.4))
        first = one._replace(street="", towns=self.random.choice((one.towns, [])), codes=[])
        return first._replace(points=[(north, east)]), first._replace(points=[(north + apart, east)])

    def one_word_more(self, one: ComparedFacts) -> tuple[ComparedFacts, ComparedFacts]:
        first, second = self.random.choice(MORE_WORDS)
        return one._replace(title=first), one._replace(title=second)

    def title_but(self, title: str) -> str:
        return self.random.choice([other for other in TITLES if other != title])


def facts(
    title: str,
    start: datetime,
    minutes: int,
    places: Sequence[str] = (),
    street: str = "",
    organizers: Sequence[str] = (),
    text: str = "",
) -> ComparedFacts:
    at = int((start - datetime(1, 1, 1)).total_seconds()) // 60
    return ComparedFacts(title, at, at + minutes, dates.text(start), False, places, street, organizers, "", text)


def moved(one: ComparedFacts, minutes: int) -> ComparedFacts:
    day = dates.text(dates.from_text(one.day) + timedelta(minutes=minutes))
    return one._replace(start=one.start + minutes, end=one.end + minutes, day=day)
