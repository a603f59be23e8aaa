"""Calendars made at random: what is sent to the service is noted down in the model at the same time."""

import html
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

from tests.calendar.lists import model as plain
from tests.calendar.lists.model import Event, Model, Place, Term
from tests.feature_parts import feature_parts

SITE_ZONE = "America/New_York"
ZONES = (
    "America/New_York",
    "Europe/Paris",
    "Australia/Lord_Howe",
    "Asia/Tokyo",
    "Pacific/Kiritimati",
    "UTC",
    "UTC+5:45",
    "UTC-11",
)
# Around the frozen now, the days on which clocks change in New York, Paris and on Lord Howe, and the ends of years.
DAYS = (
    *("2026-11-13", "2026-11-14", "2026-11-15", "2026-11-16", "2026-11-17", "2026-11-01"),
    *("2027-03-14", "2027-03-28", "2027-04-04", "2027-10-03", "2027-10-31", "2027-11-07"),
    *("2026-12-31", "2027-01-01", "2027-02-28", "2027-03-01", "2028-02-29"),
    *("2028-11-14", "2028-11-15", "2028-11-16", "2001-01-01", "2035-06-30", "1900-01-02", "9999-12-29"),
)
CLOCKS = ("00:00:00", "23:59:59", "01:30:00", "02:15:00", "02:30:00", "07:00:00", "12:00:00", "18:00:00", "00:00:01")
LENGTHS = (
    timedelta(0),
    timedelta(seconds=1),
    timedelta(minutes=45),
    timedelta(hours=2),
    timedelta(hours=24),
    timedelta(days=3),
    timedelta(days=40),
    timedelta(days=365),
    timedelta(days=365 * 3),
)
WORDS = (
    *("Jazz", "evening", "Straße", "CAFÉ", "naïve", "açaí", "İzmir", "Σίσυφος", "вечер", "поэзии", "東京", "夏祭り"),
    *(
        "ليلة",
        "الشعر",
        "🎉",
        "🎉🎊",
        "100 %",
        "snake_case",
        "a",
        "Of",
        "the",
        "art & craft",
        "3 < 4",
        "e\u0301te\u0301",
    ),
    *('"quoted"', "it's", "-minus", "back\\slash", "Ⅷ", "ﬁre", "हिन्दी", "עברית", "ß"),
)
PEOPLE = ("contributor", "other_contributor", "author", "other_author", "editor")
CALLERS = ("anonymous", "subscriber", *PEOPLE)
STATUSES = ("draft", "pending", "private", "future")
PLACES = (
    (48.85, 2.35),
    (48.9, 2.4),
    (51.5, -0.13),
    (-16.8, 179.95),
    (-16.8, -179.95),
    (90.0, 0.0),
    (89.9, 120.0),
    (0.0, 0.0),
)
COUNTRIES, STATES_OF = ("France", "FIJI", "Saint Kitts, Nevis", ""), ("Île-de-France", "Lau", "")
COSTS: dict[str, tuple[tuple[float, float], ...]] = {  # as written, and what it costs in numbers
    "": ((0, 0),),
    "Free": ((0, 0),),
    "0": ((0, 0),),
    "$5": ((5, 5),),
    "10 – 20 €": ((10, 20),),
    "12.50": ((12.5, 12.5),),
    "Donation": (),
}
# Fields that a feature adds by the names that people give them: how each is made, and the values that events have.
CUSTOM: dict[str, tuple[Callable[[Any], None], tuple[Any, ...]]] = {
    name: field for part in feature_parts("random_values") for name, field in part.CUSTOM.items()
}
PASSWORDS = ("sesame", "ｓｅｓａｍｅ")


class RandomCalendar:
    """A service and the model of what it was told."""

    def __init__(self, world: Any, seed: int, *, with_places: bool = False) -> None:
        """`with_places`: venues have a state and a country, which not every form of an export tells apart."""
        self.world = world
        self.random = Random(seed)
        self.with_places = with_places
        self.more = Random(seed)  # of its own, so that what was added later changes nothing else
        self.model = Model(world.clock(), SITE_ZONE)

    def fill(self, events: int) -> "RandomCalendar":
        for define, _ in CUSTOM.values() if self.with_places else ():
            define(self.world)
        for number in range(12):
            self.add_category(number)
        for number in range(6):
            self.add_term("tags", f"{self.words()} tag {number}")
        for _ in range(8):
            self.add_place("venue")
        for _ in range(5):
            self.add_place("organizer")
        for _ in range(events):
            self.add_event()
        return self

    # What is made

    def add_category(self, number: int) -> None:
        # Every other one hangs from the one before, so that branches get four deep and more.
        above = list(self.model.categories)
        parent = above[-1] if above and number % 6 else 0
        if parent and self.chance(0.2):
            parent = self.random.choice(above)
        self.add_term("categories", f"{self.words()} category {number}", parent=parent)

    def add_term(self, plural: str, name: str, **more: Any) -> None:
        description = self.random.choice(("", "aa", "ab", "b"))
        made = self.world.make(plural, name=name, description=description, **more)
        getattr(self.model, plural)[made["id"]] = Term(
            made["id"], name, made["slug"], f"<p>{description}</p>" if description else "", more.get("parent", 0)
        )

    def add_place(self, kind: str) -> None:
        status, date = self.status(publish=0.7)
        text, markup = self.text()
        sent: dict[str, Any] = {kind: self.words(), "description": markup, "phone": "+1 555", "status": status}
        sent |= {"author": self.world.ids[author := self.random.choice(PEOPLE)]} | date
        texts = [text, "+1 555"]
        point: tuple[float | None, float | None] = (None, None)
        if kind == "venue":
            sent["city"] = self.words()
            if self.with_places:
                sent["country"] = self.more.choice(COUNTRIES)
                sent[self.more.choice(("state", "province"))] = self.more.choice(STATES_OF)
            texts += [sent.get(part, "") for part in ("city", "country", "state", "province")]
            if self.chance(0.6):
                point = self.random.choice(PLACES)
                sent |= {"geo_lat": point[0], "geo_lng": point[1]}
        made = self.world.make(f"{kind}s", **sent)
        record = Place(
            made["id"], author, sent[kind], texts, self.date(made, date), self.now, status, lat=point[0], lng=point[1]
        )
        if kind == "venue":
            record.city, record.country = sent["city"], sent.get("country", "")
            record.state = sent.get("state", "") or sent.get("province", "")
        getattr(self.model, f"{kind}s")[record.id] = record
        if self.chance(0.1):
            self.trash(f"{kind}s", record.id)

    def add_event(self) -> None:
        status, date = self.status(publish=0.75)
        sent, known = self.schedule()
        for more_sent, more_known in (self.texts(), self.flags(), self.links(), self.custom()):
            sent, known = sent | more_sent, known | more_known
        author = self.random.choice(PEOPLE)
        made = self.world.make("events", author=self.world.ids[author], status=status, **sent, **date)
        event = Event(
            id=made["id"],
            author=author,
            date=self.date(made, date),
            modified=self.now,
            status=status,
            **known,
        )
        self.model.events[event.id] = event
        if self.chance(0.06):
            self.trash("events", event.id)

    def custom(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Values of custom fields, as they are sent and as they are known; those that are left out are emptied."""
        if not (self.with_places and CUSTOM):
            return {}, {}
        sent, known = dict[str, Any](), dict[str, Any]()
        for name, (_, values) in CUSTOM.items():
            chosen = sorted(self.more.sample(values, self.more.choice((0, 0, 1, 2))))
            if name == "audience":
                sent[name] = chosen
                known |= {name: chosen} if chosen else {}
            else:
                sent[name] = chosen[0] if chosen else ""
                known |= {name: chosen[0]} if chosen else {}
        return {"custom_fields": sent}, {"custom": known}

    # What happens to it

    def change_event(self) -> None:
        event = self.random.choice(list(self.model.events.values()))
        makers = [self.schedule, self.texts, self.flags, self.links]
        makers += [self.custom] if self.with_places and CUSTOM else []
        sent, known = {}, {}
        for make in self.random.sample(makers, self.random.randint(1, 2)):
            more_sent, more_known = make()
            sent, known = sent | more_sent, known | more_known
        if known.get("parent") == event.id:  # an event cannot be its own parent, nor below itself
            del sent["post_parent"], known["parent"]
        if self.chance(0.4):
            known["status"] = sent["status"] = self.random.choice(("publish", "draft", "pending", "private"))
            sent["date"] = "2020-01-01"
            known["date"] = plain.to_utc(datetime(2020, 1, 1), SITE_ZONE)
        response = self.world.put(f"/events/{event.id}", json=sent)
        if response.status_code == 400 and "post_parent" in response.json()["data"]["params"]:
            return  # a circle of parents, which is refused as a whole
        assert response.status_code == 200, response.text
        if "status" in known:
            known["trashed_from"] = ""
        self.model.events[event.id] = plain.changed(event, **known, modified=self.now)

    def trash(self, plural: str, id: int) -> None:
        response = self.world.delete(f"/{plural}/{id}")
        record = getattr(self.model, plural)[id]
        if record.status == "trash":
            assert response.status_code == 410
            return
        assert response.status_code == 200, response.text
        record.status, record.trashed_from = "trash", record.status
        record.modified = self.now

    def trash_something(self) -> None:
        plural = self.random.choice(("events", "events", "venues", "organizers"))
        if known := list(getattr(self.model, plural)):
            self.trash(plural, self.random.choice(known))

    def delete_something(self) -> None:
        plural = self.random.choice(("events", "events", "venues", "organizers", "categories", "tags"))
        known = getattr(self.model, plural)
        if not known:
            return
        id = self.random.choice(list(known))
        response = self.world.delete(f"/{plural}/{id}?force=true")
        assert response.status_code == 200, response.text
        gone = known.pop(id)
        for event in self.model.events.values():
            if plural == "events":
                event.parent = 0 if event.parent == id else event.parent
            else:
                links = getattr(event, plural if plural in ("categories", "tags") else plural.removesuffix("s"))
                links[:] = [link for link in links if link != id]
        if plural == "categories":
            for term in known.values():
                term.parent = gone.parent if term.parent == id else term.parent

    def move_category(self) -> None:
        if not self.model.categories:
            return
        term = self.random.choice(list(self.model.categories.values()))
        parent = self.random.choice([0, *self.model.categories])
        response = self.world.put(f"/categories/{term.id}", json={"parent": parent})
        if parent and term in plain.line(self.model, parent):
            assert response.status_code == 400
            return
        assert response.status_code == 200, response.text
        term.parent = parent

    def something_happens(self) -> None:
        self.random.choice(
            (
                self.change_event,
                self.change_event,
                self.add_event,
                self.trash_something,
                self.delete_something,
                self.move_category,
            )
        )()

    # Values

    @property
    def now(self) -> datetime:
        now: datetime = self.world.clock()
        return now

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def words(self) -> str:
        return " ".join(self.random.choices(WORDS, k=self.random.randint(1, 3)))

    def text(self) -> tuple[str, str]:
        """Plain text, and the same as HTML."""
        first, second = self.words(), self.words()
        if self.chance(0.3):
            return "", ""
        markup = f'<p title="nothing">{html.escape(first)} <strong>{html.escape(second)}</strong></p>'
        return f"{first} {second}", markup

    def status(self, publish: float) -> tuple[str, dict[str, str]]:
        """A status, and the date that fits it."""
        status = "publish" if self.chance(publish) else self.random.choice(STATUSES)
        if status == "future":
            return status, {"date": "2033-01-01 00:00:00"}
        if self.chance(0.5):
            return status, {"date": f"2020-01-0{self.random.randint(1, 3)} 10:00:00"}
        return status, {}

    def date(self, made: dict[str, Any], sent: dict[str, str]) -> datetime:
        if "date" not in sent:
            return self.now
        return plain.to_utc(datetime.fromisoformat(sent["date"]), SITE_ZONE)

    def schedule(self) -> tuple[dict[str, Any], dict[str, Any]]:
        zone = self.random.choice(ZONES)
        wall = datetime.fromisoformat(f"{self.random.choice(DAYS)} {self.random.choice(CLOCKS)}")
        all_day = self.chance(0.2)
        start_utc = plain.to_utc(wall, zone)
        length = self.random.choice(LENGTHS if wall.year < 9999 else LENGTHS[:4])
        if all_day:
            last = wall + length
            start_utc = plain.to_utc(wall.replace(hour=0, minute=0, second=0), zone)
            end_utc = plain.to_utc(last.replace(hour=23, minute=59, second=59), zone)
        else:
            last = wall + length
            end_utc = plain.to_utc(last, zone)
        sent = {"start_date": str(wall), "end_date": str(last), "timezone": zone, "all_day": all_day}
        if end_utc < start_utc or (not all_day and self.chance(0.2)):
            # As instants: also the hour that happens twice, where an end may stand before its start on the wall.
            end_utc = start_utc + length
            sent |= {"start_date": f"{start_utc}Z", "end_date": f"{end_utc}Z"}
        start, end = plain.to_wall(start_utc, zone), plain.to_wall(end_utc, zone)
        known = {"start": start, "end": end, "start_utc": start_utc, "end_utc": end_utc, "all_day": all_day}
        return sent, known

    def texts(self) -> tuple[dict[str, Any], dict[str, Any]]:
        title = self.words()
        (excerpt, excerpt_markup), (description, markup) = self.text(), self.text()
        sent = {"title": title, "excerpt": excerpt_markup, "description": markup}
        return sent, {"name": title, "texts": [excerpt, description]}

    def flags(self) -> tuple[dict[str, Any], dict[str, Any]]:
        hidden, featured, ticketed = self.chance(0.1), self.chance(0.3), self.chance(0.3)
        password = self.random.choice(PASSWORDS) if self.chance(0.15) else ""
        cost = self.more.choice(list(COSTS))
        sent = {
            "hide_from_listings": hidden,
            "featured": featured,
            "tickets": [{"name": "Seat"}] if ticketed else [],
            "post_password": password,
            "cost": cost,
        }
        known = {"hidden": hidden, "featured": featured, "ticketed": ticketed, "password": password}
        return sent, known | {"costs": COSTS[cost]}

    def links(self) -> tuple[dict[str, Any], dict[str, Any]]:
        model = self.model
        sent: dict[str, Any] = {
            "categories": self.some(model.categories, 2),
            "tags": self.some(model.tags, 2),
            "venue": self.some(model.venues, 2),
            "organizer": self.some(model.organizers, 2),
            "post_parent": next(iter(self.some(model.events, 1)), 0) if self.chance(0.3) else 0,
        }
        known = {name: list(ids) for name, ids in sent.items() if name != "post_parent"}
        return sent, known | {"parent": sent["post_parent"]}

    def some(self, known: dict[int, Any], most: int) -> list[int]:
        return self.random.sample(list(known), min(len(known), self.random.randint(0, most)))
