"""500 pairs of events as two sources tell them, half of them the same event, each with its label.

How they were made: by rules from the lists below, with a random generator of a fixed seed, so they are always the
same. The titles, their translations and the places were written by hand, and have many words that the comparison does
not know. Of each label a half is hard:

- the same: translations of the title; one to three typing errors; one date of a series against the single event;
  a subtitle that only one has; another writing of the place; a time that only one tells;
- two events: the same title on another day, in another room, at another hour of the same day; another part, group or
  course at the same place and time; a festival and its opening; a single event on a day that the series leaves out.

The others are easy: the same but for case, signs, the name of the place in the title, or what one source does not
tell; or different titles at the same time, at the same place or elsewhere.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from kalends.features.sources.duplicates.facts import Facts
from kalends.values import dates

SEED = 20270310
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
TEXTS = (
    "Doors open half an hour before. Tickets at the box office and in the book shop, reduced for students.",
    "Everybody is welcome, with or without experience. Please bring good shoes, something to drink and an open mind.",
    "",
)


class Labelled(NamedTuple):
    """A pair: how it was made, whether it is the same event, and both sides."""

    way: str
    same: bool
    one: Facts
    other: Facts


class Maker:
    """Makes pairs, one after the other."""

    def __init__(self) -> None:
        self.random = random.Random(SEED)

    def pairs(self) -> Iterator[Labelled]:
        ways: tuple[tuple[bool, tuple[Callable[[Facts], tuple[Facts, Facts]], ...]], ...] = (
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

    def event(self) -> Facts:
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

    def as_it_is(self, one: Facts) -> tuple[Facts, Facts]:
        return one, one._replace(text="", end=one.start)

    def other_signs(self, one: Facts) -> tuple[Facts, Facts]:
        spoken = f"„{one.title}“"
        written = self.random.choice((one.title.upper(), one.title.replace(" – ", ": "), spoken, f"{one.title}!"))
        return one, one._replace(title=written, organizers=[])

    def place_in_title(self, one: Facts) -> tuple[Facts, Facts]:
        place = one.places[0]
        written = self.random.choice((f"{one.title} @ {place}", f"{place}: {one.title}", f"{one.title} ({place})"))
        return one, one._replace(title=written, places=self.random.choice(([], one.places)), text="")

    def told_less(self, one: Facts) -> tuple[Facts, Facts]:
        one = one._replace(organizers=["Culture Office"])
        return one, one._replace(street="", text="", website="", end=one.start)

    def translated(self, one: Facts) -> tuple[Facts, Facts]:
        first, second = self.random.sample(self.random.choice(TRANSLATED), 2)
        return one._replace(title=first), one._replace(title=second, text="")

    def mistyped(self, one: Facts) -> tuple[Facts, Facts]:
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

    def of_series(self, one: Facts) -> tuple[Facts, Facts]:
        """A date of a series is compared as the event that it is."""
        return one._replace(text=TEXTS[0]), one._replace(end=one.end + 30, text="")

    def subtitled(self, one: Facts) -> tuple[Facts, Facts]:
        return one, one._replace(title=f"{one.title} – {self.random.choice(SUBTITLES)}")

    def other_place(self, one: Facts) -> tuple[Facts, Facts]:
        place = one.places[0]
        written = self.random.choice((f"{place}, {one.street or 'Ground floor'}", f"{place} (Main Hall)", place[:-1]))
        return one, one._replace(places=[written])

    def untimed(self, one: Facts) -> tuple[Facts, Facts]:
        day = one.day[:10]
        return one, facts(one.title, dates.from_text(f"{day} 00:00:00"), 1439, one.places, one.street)._replace(
            all_day=True, organizers=one.organizers
        )

    # Two events

    def other_title(self, one: Facts) -> tuple[Facts, Facts]:
        return one, one._replace(title=self.title_but(one.title), text="", organizers=[])

    def elsewhere(self, one: Facts) -> tuple[Facts, Facts]:
        place, street = self.random.choice([place for place in PLACES if place[0] != one.places[0]])
        return one, one._replace(title=self.title_but(one.title), places=[place], street=street)

    def later(self, one: Facts) -> tuple[Facts, Facts]:
        return one, moved(one, 180)._replace(title=self.title_but(one.title))

    def other_day(self, one: Facts) -> tuple[Facts, Facts]:
        return one, moved(one, 1440 * self.random.choice((1, 2, 7, 14, 364)))

    def other_room(self, one: Facts) -> tuple[Facts, Facts]:
        place, rooms = one.places[0], self.random.choice(ROOMS)
        first, second = (f"{place}, {room}" for room in rooms)
        return one._replace(places=[first]), one._replace(places=[second])

    def other_hour(self, one: Facts) -> tuple[Facts, Facts]:
        return one, moved(one, self.random.choice((30, 60, 120, 150, 300)))

    def other_group(self, one: Facts) -> tuple[Facts, Facts]:
        first, second = self.random.choice(GROUPS)
        return one._replace(title=first), one._replace(title=second)

    def opening(self, one: Facts) -> tuple[Facts, Facts]:
        name = self.random.choice(("Festival of Lights", "Book Week", "Harbour Days"))
        first = facts(name, dates.from_text(one.day), 600, one.places, one.street)
        return first, one._replace(title=f"{name}: opening", end=one.start + 60)

    def not_in_series(self, one: Facts) -> tuple[Facts, Facts]:
        return one, moved(one, 7 * 1440)._replace(text="")

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
) -> Facts:
    at = int((start - datetime(1, 1, 1)).total_seconds()) // 60
    return Facts(title, at, at + minutes, dates.text(start), False, places, street, organizers, "", text)


def moved(one: Facts, minutes: int) -> Facts:
    day = dates.text(dates.from_text(one.day) + timedelta(minutes=minutes))
    return one._replace(start=one.start + minutes, end=one.end + minutes, day=day)
