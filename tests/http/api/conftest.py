"""What the tests of the service share: pictures, records to point at, and one case for every field of every kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from tests.pictures import png

from kalends.calendar.images.processing import read_picture
from kalends.contract.errors import WRONG_FORMAT, FieldError
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind

START = "2027-03-10 09:00:00"
END = "2027-03-10 11:00:00"
NOTHING = "nothing is there"
NUMBERS = count(1)


def make_named(world: Any, kind: Kind, who: str = "administrator", name: str = "A name", **body: Any) -> Any:
    """A venue or an organizer."""
    return world.make(kind.plural, who, **{kind.name_field: name}, **body)


@pytest.fixture
def make_png() -> Callable[..., bytes]:
    return png


@pytest.fixture
def refs(world) -> dict[str, list[int]]:
    return make_refs(world)


def make_refs(world) -> dict[str, list[int]]:
    """Two records of everything that a field can name, by the kind's name."""
    found: dict[str, list[int]] = {"author": [world.ids["editor"], world.ids["author"]]}
    found["image"] = [world.upload(png(shade=shade))["id"] for shade in (1, 2)]
    for kind in (VENUE, ORGANIZER, CATEGORY, TAG):
        made = [world.make(kind.plural, **{kind.name_field: name}) for name in ("Linked A", "Linked B")]
        found[kind.name] = [record["id"] for record in made]
    found["event"] = [world.make("events", title=name)["id"] for name in ("Above A", "Above B")]
    return found


@pytest.fixture
def web(world) -> dict[str, Any]:
    """The pictures of the web by address; another address cannot be fetched. `asked` tells what was."""
    asked: list[str] = []

    def fetch(url: str, _settings: object) -> Any:
        asked.append(url)
        if url not in world.pictures:
            raise FieldError(WRONG_FORMAT, "cannot be fetched: {reason}", reason=NOTHING)
        return world.pictures[url]

    world.calendar.fetch = fetch
    world.pictures["https://pictures.test/a.png"] = read_picture(png(400, 300, 3))
    world.pictures["https://pictures.test/b.png"] = read_picture(png(40, 30, 4))
    return {"asked": asked, "a": "https://pictures.test/a.png", "b": "https://pictures.test/b.png"}


@dataclass(frozen=True)
class FieldCase:
    """One field: two values as they are sent, what is then shown, and which keys its change may touch."""

    kind: Kind
    name: str
    sent: tuple[Any, Any]
    shown: tuple[Any, Any] | None = None
    touches: tuple[str, ...] = ()
    look: Callable[[Any, dict[str, Any]], Any] | None = None
    along: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.kind.name}.{self.name}"

    def body(self, which: int, refs: dict[str, list[int]]) -> dict[str, Any]:
        return {self.name: resolved(self.sent[which], refs), **self.along}

    def expected(self, which: int, refs: dict[str, list[int]]) -> Any:
        return resolved((self.shown or self.sent)[which], refs)

    def visibility(self, world, json: dict[str, Any]) -> Any:
        return self.look(world, json) if self.look else json.get(self.name)


def resolved(value: Any, refs: dict[str, list[int]]) -> Any:
    return value(refs) if callable(value) else value


def of(kind: str, *which: int) -> Callable[[dict[str, list[int]]], Any]:
    """The ids of records made by `refs`; a single one is not a list."""
    return lambda refs: refs[kind][which[0]] if len(which) == 1 else [refs[kind][n] for n in which]


def as_list(kind: str, *which: int) -> Callable[[dict[str, list[int]]], Any]:
    return lambda refs: [refs[kind][n] for n in which]


def ids_of(name: str) -> Callable[[Any, dict[str, Any]], Any]:
    def look(_world: Any, json: dict[str, Any]) -> Any:
        found = json[name]
        return [record["id"] for record in (found if isinstance(found, list) else [found])]

    return look


def image_id(_world: Any, json: dict[str, Any]) -> Any:
    return json["image"]["id"]


def can_unmask(world, json: dict[str, Any]) -> dict[str, int]:
    """What anonymous readers get with each password."""
    path = f"/events/{json['id']}?password="
    return {word: world.get(path + word).status_code for word in ("", "first", "second")}


def dates_of(which: str) -> tuple[str, ...]:
    names = (f"{which}_date", f"utc_{which}_date")
    return (*names, *(f"{name}_details" for name in names), "json_ld")


TIMES = tuple(dict.fromkeys((*dates_of("start"), *dates_of("end"))))
TICKET = {"name": "Seat", "price": "12.50", "currency": "EUR", "url": "https://tickets.test/seat", "capacity": 100}
TICKET_A = TICKET | {"starts": "2027-01-01 09:00:00", "ends": "2027-03-09 18:00:00"}
TICKET_B = {"name": "Stand"}
EMPTY_TICKET = {"price": "", "currency": "", "url": "", "capacity": None, "starts": "", "ends": ""}


def origin_cases(kind: Kind) -> tuple[FieldCase, ...]:
    """Where a record comes from; the two fields are sent together."""
    return (
        FieldCase(kind, "source", ("town.example", "other.example"), along={"external_id": "17"}),
        FieldCase(kind, "external_id", ("17", "a/18"), along={"source": "town.example"}),
    )


def post_cases(kind: Kind) -> Iterator[FieldCase]:
    """The fields that events, venues and organizers share."""
    yield from origin_cases(kind)
    yield FieldCase(kind, "author", (of("author", 0), of("author", 1)),
                    (lambda r: str(r["author"][0]), lambda r: str(r["author"][1])))  # fmt: skip
    yield FieldCase(kind, "date", ("2026-01-02 03:04:05", "2026-02-03 04:05:06"), touches=("date", "date_utc"))
    yield FieldCase(kind, "date_utc", ("2026-01-02 08:04:05", "2026-02-03 09:05:06"), touches=("date", "date_utc"))
    yield FieldCase(kind, "description", ("<p>Loud <strong>brass</strong></p>", "<p>Quiet</p>"))
    yield FieldCase(kind, "excerpt", ("<p>In short</p>", "<p>Shorter</p>"))
    yield FieldCase(kind, "slug", ("own-slug", "日本語-slug"), touches=("slug", "url", "json_ld"))
    yield FieldCase(kind, "status", ("draft", "private"))
    yield FieldCase(kind, "image", (of("image", 0), lambda r: str(r["image"][1])),
                    (of("image", 0), of("image", 1)), look=image_id)  # fmt: skip


EVENT_CASES = (
    FieldCase(EVENT, "title", ("Café & Müsli, 1 < 2", "日本の祭り")),
    FieldCase(EVENT, "start_date", (START, "2027-03-10 10:30:00"), touches=dates_of("start")),
    FieldCase(EVENT, "end_date", (END, "2027-03-12 01:00:00"), touches=dates_of("end")),
    *post_cases(EVENT),
    FieldCase(EVENT, "timezone", ("Europe/Paris", "UTC-3:30"), touches=("timezone", "timezone_abbr", *TIMES)),
    FieldCase(EVENT, "all_day", (False, True), touches=("all_day", *TIMES)),
    FieldCase(EVENT, "cost", ("$10", "20 €"), ("$10", "20€"), touches=("cost", "cost_details", "json_ld")),
    FieldCase(EVENT, "website", ("https://a.test/?x=1&y=2#z", "http://b.test/")),
    *(FieldCase(EVENT, name, (True, False)) for name in ("show_map", "show_map_link")),
    *(FieldCase(EVENT, name, (True, False)) for name in ("hide_from_listings", "sticky", "featured")),
    FieldCase(EVENT, "categories", (as_list("category", 0), as_list("category", 1, 0)),
              (as_list("category", 0), as_list("category", 0, 1)), look=ids_of("categories")),
    FieldCase(EVENT, "tags", (as_list("tag", 0), as_list("tag", 1, 0)),
              (as_list("tag", 0), as_list("tag", 0, 1)), look=ids_of("tags")),
    FieldCase(EVENT, "venue", (of("venue", 0), of("venue", 1, 0)),
              (as_list("venue", 0), as_list("venue", 1, 0)), look=ids_of("venue")),
    FieldCase(EVENT, "organizer", (as_list("organizer", 1, 0), as_list("organizer", 0)), look=ids_of("organizer")),
    FieldCase(EVENT, "post_password", ("first", "second"),
              ({"": 403, "first": 200, "second": 403}, {"": 403, "first": 403, "second": 200}), look=can_unmask),
    FieldCase(EVENT, "event_status", ("cancelled", "postponed"), touches=("event_status", "json_ld")),
    FieldCase(EVENT, "post_parent", (of("event", 0), of("event", 1))),
    FieldCase(EVENT, "tickets", ([TICKET_A], [TICKET_B, TICKET_A]),
              ([TICKET_A], [TICKET_B | EMPTY_TICKET, TICKET_A])),
)  # fmt: skip

PLACE = ("address", "city", "country", "province", "state", "zip", "phone", "stateprovince")

VENUE_CASES = (
    FieldCase(VENUE, "venue", ("Großer Saal", "Small room")),
    *post_cases(VENUE),
    *(FieldCase(VENUE, name, (f"{name} one", f"{name} two")) for name in PLACE),
    FieldCase(VENUE, "website", ("https://hall.test/", "https://room.test/")),
    *(FieldCase(VENUE, name, (False, "yes"), (False, True)) for name in ("show_map", "show_map_link")),
    FieldCase(VENUE, "geo_lat", (48.8566, -33.5), along={"geo_lng": 2.25}),
    FieldCase(VENUE, "geo_lng", (2.25, -179.5), along={"geo_lat": 48.8566}),
)

ORGANIZER_CASES = (
    FieldCase(ORGANIZER, "organizer", ("Société générale", "Otto")),
    *post_cases(ORGANIZER),
    FieldCase(ORGANIZER, "phone", ("+1 555 0100", "112")),
    FieldCase(ORGANIZER, "website", ("https://olga.test/", "https://otto.test/")),
    FieldCase(ORGANIZER, "email", ("olga@olga.test", "otto@otto.test")),
)


def term_cases(kind: Kind) -> tuple[FieldCase, ...]:
    return (
        FieldCase(kind, "name", ("Rock & Roll", "演歌")),
        FieldCase(kind, "description", ("<p>Loud</p>", "<p>Sad</p>")),
        FieldCase(kind, "slug", ("rock", "enka"), touches=("slug", "url")),
        *origin_cases(kind),
    )


CASES = (
    *EVENT_CASES,
    *VENUE_CASES,
    *ORGANIZER_CASES,
    *term_cases(CATEGORY),
    FieldCase(CATEGORY, "parent", (of("category", 0), of("category", 1)), touches=("parent", "urls")),
    FieldCase(CATEGORY, "color", ("#aa3355", "#1f6f8b")),
    *term_cases(TAG),
)


@pytest.fixture
def field_cases() -> tuple[FieldCase, ...]:
    return CASES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test that takes a `case` runs for every field; one that takes a `way`, by id and where it is by slug."""
    if "case" in metafunc.fixturenames and "way" in metafunc.fixturenames:
        pairs = [(case, way) for case in CASES for way in ("id", "slug") if way == "id" or not case.kind.is_term]
        metafunc.parametrize(("case", "way"), pairs, ids=[f"{case}-by-{way}" for case, way in pairs])
    elif "case" in metafunc.fixturenames:
        metafunc.parametrize("case", CASES, ids=str)


@pytest.fixture
def required() -> dict[str, dict[str, Any]]:
    """The least that makes a record, by the kind's plural. Names of terms are others for each test: two cannot have
    the same."""
    number = next(NUMBERS)
    return {
        "events": {"title": "An event", "start_date": START, "end_date": END},
        "venues": {"venue": "A venue"},
        "organizers": {"organizer": "An organizer"},
        "categories": {"name": f"Category {number}"},
        "tags": {"name": f"Tag {number}"},
    }


@pytest.fixture
def at() -> Callable[[Kind, dict[str, Any], str], str]:
    """The path of a record, by its id or its slug."""

    def path(kind: Kind, json: dict[str, Any], way: str) -> str:
        return f"/{kind.plural}/{json['id']}" if way == "id" else f"/{kind.plural}/by-slug/{json['slug']}"

    return path
