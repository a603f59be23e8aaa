"""Responses from prerendered fragments: after any change they are byte for byte those rendered from the records."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.calendar.lists.random_calendar import RandomCalendar
from tests.conftest import BASE_URL, COMPAT_NS, NS, client_of
from tests.effort import dealt, effort
from tests.feature_parts import feature_parts
from tests.pictures import png
from tests.stores import contents

from kalends.calendar.images.processing import read_picture
from kalends.calendar.lists import exports
from kalends.calendar.service import Calendar
from kalends.calendar.storing import rendering
from kalends.calendar.storing.prerender_task import Prerenderer, Requested
from kalends.http.api import list_responses, resources
from kalends.http.cache.prerender_worker import PrerenderWorker
from kalends.http.messages.long_responses import FeedCache, written
from kalends.worker import make_app

PLURALS = ("events", "venues", "organizers", "categories", "tags")
EVERY_TIME = "start_date=1900-01-02&end_date=9999-12-31"
LISTS = (
    f"/events?{EVERY_TIME}&per_page=100",
    f"/events?{EVERY_TIME}&per_page=7&page=2&order=desc",
    "/events",
    "/venues?per_page=3",
    "/venues?per_page=100",
    "/organizers?per_page=100",
    "/categories?per_page=100&hide_empty=false",
    "/categories",
    "/tags?hide_empty=false&orderby=count&order=desc",
)
# Texts that could be mistaken for the placeholders of a fragment, or for an address in it.
ODD = (
    *("%b", "100 % of %s %(a)b %%", "\\u0000\\u0001", "\x00\x01\x02\x03\x04 bare", BASE_URL, "http://", "?id="),
    *('"},{"', ',"location":', ',"organizer":', "\\", "\u2028"),
)


class Changes(RandomCalendar):
    """Changes of every kind that an anonymous reader could notice."""

    def __init__(self, world: Any, seed: int) -> None:
        super().__init__(world, seed)
        world.pictures["https://pictures.test/a.png"] = read_picture(png(400, 300))

    def words(self) -> str:
        return f"{super().words()} {self.random.choice(ODD)}" if self.chance(0.3) else super().words()

    def some_record(self, *plurals: str) -> tuple[str, Any]:
        plural = self.random.choice(plurals)
        return plural, self.random.choice(list(getattr(self.model, plural)) or [0])

    def rename(self) -> None:
        plural, id = self.some_record(*PLURALS)
        name = {"events": "title", "venues": "venue", "organizers": "organizer"}.get(plural, "name")
        body = {name: f"{self.words()} {self.random.random()}", "description": self.words(), "slug": self.words()}
        self.world.put(f"/{plural}/{id}", json=body)

    def picture(self) -> None:
        plural, id = self.some_record("events", "venues", "organizers")
        url = self.random.choice(("https://pictures.test/a.png", ""))
        self.world.put(f"/{plural}/{id}", json={"image": url})

    def show_or_hide(self) -> None:
        plural, id = self.some_record("events", "venues", "organizers")
        status = self.random.choice(("publish", "publish", "draft", "private", "trash"))
        self.world.put(f"/{plural}/{id}", json={"status": status, "date": "2020-01-01"})

    def appear_later(self) -> None:
        plural, id = self.some_record("events", "venues", "organizers")
        body = {"status": "future", "date_utc": str(self.now.replace(year=self.now.year + 1))}
        self.world.put(f"/{plural}/{id}", json=body)

    def time_passes(self) -> None:
        self.world.clock.move(days=self.random.choice((1, 400)))

    def cost(self) -> None:
        _, id = self.some_record("events")
        tickets = [{"name": self.words(), "price": "5", "currency": "EUR"}] if self.chance(0.5) else []
        self.world.put(
            f"/events/{id}", json={"cost": self.random.choice(("5", "5-10", "", "Free")), "tickets": tickets}
        )

    def place(self) -> None:
        _, id = self.some_record("venues")
        body = {"city": self.words(), "country": self.random.choice(("US", "FR", "")), "state": "NY", "province": "X"}
        self.world.put(
            f"/venues/{id}", json=body | {"website": "https://a.test/?a=%20b", "show_map": self.chance(0.5)}
        )

    def something_changes(self) -> None:
        own = (
            self.rename,
            self.picture,
            self.show_or_hide,
            self.appear_later,
            self.time_passes,
            self.cost,
            self.place,
        )
        self.random.choice((*own, self.something_happens))()


def paths(world: Any) -> list[str]:
    """Every list, and every record that there is or was."""
    with world.calendar.store.read() as session:
        last = {name: session.value("SELECT last FROM sequence WHERE name = ?", (name,)) for name in ("post", "term")}
        slugs = {kind: session.column(f"SELECT slug FROM {kind} ORDER BY id") for kind in ("event", "venue")}
    found = [NS + path for path in LISTS]
    for plural in PLURALS:
        ids = range(1, last["term" if plural in ("categories", "tags") else "post"] + 1)
        found += [f"{NS}/{plural}/{id}" for id in ids]
    found += [f"{NS}/{kind}s/by-slug/{slug}" for kind, known in slugs.items() for slug in known]
    return [*found, f"{COMPAT_NS}/events?{EVERY_TIME}", f"{COMPAT_NS}/venues"]


def feeds(world: Any) -> list[str]:
    """Feeds of the whole calendar, with and without entries of series, and of each venue."""
    base = world.calendar.settings.base_url or BASE_URL
    with world.calendar.store.read() as session:
        venues = session.column("SELECT slug FROM venue WHERE status = 'publish' ORDER BY id")
    of_features = [path for part in feature_parts("ways_out") for path in part.FEEDS]
    found = ["/events.ics", *of_features, f"{NS.removeprefix(BASE_URL)}/events.ics?{EVERY_TIME}"]
    return [f"{base}{path}" for path in (*found, *(f"/venue/{slug}.ics" for slug in venues))]


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Requests a path with fragments switched off."""
    monkeypatch.setattr(FeedCache, "open", lambda self, mark, pieces: written(pieces()).open())

    def ask(world: Any, path: str) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(list_responses, "wants_whole_records", lambda req: False)
            patch.setattr(exports, "feed_events", exports.export_events)
            return world.get(path)

    return ask


def parts_of(response: Any) -> tuple[int, dict[str, str], bytes]:
    headers = {name: value for name, value in response.headers.items() if name != "x-request-id"}
    body = response.content
    return response.status_code, headers, b"" if response.status_code == 500 else body


def compare(world: Any, live: Any, way: str = "", ways: Sequence[str] = ("",)) -> None:
    """Of a test that compares several times, each path is usually compared in one of the ways."""
    for path in dealt((*paths(world), *feeds(world)), way, ways):
        assert parts_of(world.get(path)) == parts_of(live(world, path)), path


def is_all_prerendered(calendar: Calendar) -> bool:
    return sum(Prerenderer(calendar.store, calendar.settings).sweep()) == 0


@pytest.mark.parametrize("seed", range(effort(1, 2)))
def test_prerendered_responses_equal_those_rendered_from_the_records(make_world: Any, live: Any, seed: int) -> None:
    world = make_world(cache_size="0")
    changes = Changes(world, seed).fill(15)
    for _ in range(effort(2, 3)):
        for _ in range(15):
            changes.something_changes()
            world.clock.move(seconds=5)
        world.get("/events")  # whatever is due becomes public
        assert is_all_prerendered(world.calendar)
        compare(world, live)


def test_every_list_and_every_record_uses_fragments(
    make_world: Any, live: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison above would prove nothing if fragments were never used."""
    world = make_world(cache_size="0")
    Changes(world, 1).fill(15)
    ways: list[bool] = []
    for module, name in ((list_responses, "read_page"), (resources, "read_record")):
        way = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda *a, way=way, **k: (found := way(*a, **k), ways.append(found is not None))[0]
        )
    answered = [world.get(path).status_code == 200 for path in paths(world)]
    assert ways == answered
    assert sum(answered) > 40


def test_a_feed_reads_no_event_that_has_a_fragment(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world(cache_size="0")
    Changes(world, 1).fill(15)
    world.make("events", title="Weekly", recurrence={"rule": "FREQ=WEEKLY;COUNT=3"})
    read: list[int] = []
    show = exports.bundle_posts
    monkeypatch.setattr(
        exports,
        "bundle_posts",
        lambda work, found, *a: (read.extend(one.id for one in found), show(work, found, *a))[1],
    )
    assert b"SUMMARY:Weekly" in world.get(f"{BASE_URL}/events.ics").content
    assert len(read) == 3  # the dates of the series
    with world.calendar.store.write() as session:
        session.run("DELETE FROM fragment WHERE kind = 'tag'")
        session.run("UPDATE fragment SET entry = ? WHERE kind = 'event'", (b"damaged",))
        session.run("UPDATE sequence SET last = last + 1 WHERE name = 'part'")
    before = world.get(f"{BASE_URL}/events.ics?venue=")
    assert before.status_code == 200
    assert len(read) > 15
    assert world.calendar.memory.of(Requested)


def test_records_of_a_deleted_user_show_their_new_author(make_world: Any, live: Any) -> None:
    world = make_world(cache_size="0")
    venue = world.make("venues", "author", venue="Hall")
    world.make("events", "editor", venue=venue["id"])
    world.get("/events")
    deleted, new_author = world.ids["author"], world.ids["editor"]
    assert world.delete(f"/users/{deleted}?reassign={new_author}").status_code == 200
    assert world.get("/events").json()["events"][0]["venue"]["author"] == str(new_author)
    assert world.calendar.memory.of(Requested)
    assert PrerenderWorker(world.calendar).sweep(outdated=False) == 1
    assert is_all_prerendered(world.calendar)
    assert not world.calendar.memory.of(Requested)
    compare(world, live)


def test_renaming_a_venue_writes_one_fragment(make_world: Any) -> None:
    world = make_world(cache_size="0")
    venue = world.make("venues", venue="Hall")["id"]
    for _ in range(30):
        world.make("events", venue=venue)
    tables = ("fragment", "event", "event_venue", "venue", "tally")
    before = contents(world.calendar.store, tables)
    assert world.put(f"/venues/{venue}", json={"venue": "Palace"}).status_code == 200
    after = contents(world.calendar.store, tables)
    changed = {table: len(set(before[table]) ^ set(after[table])) // 2 for table in tables}
    assert changed == {"fragment": 1, "event": 0, "event_venue": 0, "venue": 1, "tally": 0}
    listed = world.get("/events?per_page=50").json()["events"]
    assert [event["venue"]["venue"] for event in listed] == ["Palace"] * 30


def test_a_rename_shows_in_another_process_at_once(make_world: Any) -> None:
    world = make_world(cache_size="0")
    venue = world.make("venues", venue="Hall")["id"]
    event = world.make("events", venue=venue, categories=["First", "Second"])
    other, path = world.neighbour(), f"{NS}/events/{event['id']}"
    assert [term["name"] for term in other.get(path).json()["categories"]] == ["First", "Second"]
    world.put(f"/venues/{venue}", json={"venue": "Palace"})
    world.put(f"/categories/{event['categories'][0]['id']}", json={"name": "Third"})
    shown = other.get(path).json()
    assert shown["venue"]["venue"] == shown["json_ld"]["location"]["name"] == "Palace"
    assert [term["name"] for term in shown["categories"]] == ["Second", "Third"]


def test_other_settings_give_other_responses(make_world: Any, live: Any) -> None:
    """Fragments of other settings are not used, until they are rendered again."""
    world = make_world(cache_size="0")
    Changes(world, Random(3).randrange(100)).fill(8)
    world.make("events", cost="10-20")
    calendar = world.calendar
    settings = replace(calendar.settings, timezone="Asia/Tokyo", currency_symbol="€", currency_position="suffix")
    world.calendar = Calendar(calendar.store, calendar.files, settings, world.clock)
    world.client = client_of(make_app(world.calendar))
    assert "20€" in world.get(f"/events?{EVERY_TIME}&per_page=100").text
    phases = ("outdated", "rendered again")
    compare(world, live, "outdated", phases)
    assert PrerenderWorker(world.calendar).sweep(outdated=False) == 0
    assert PrerenderWorker(world.calendar).sweep(outdated=True) > 0
    assert is_all_prerendered(world.calendar)
    compare(world, live, "rendered again", phases)


def test_addresses_are_those_of_the_request(make_world: Any, live: Any) -> None:
    world = make_world(cache_size="0", base_url="https://town.example/kalends")
    Changes(world, 7).fill(6)
    compare(world, live)
    assert "https://town.example/kalends/venue/" in world.get("/venues").text


def test_responses_do_not_need_fragments(make_world: Any, live: Any) -> None:
    world = make_world(cache_size="0")
    Changes(world, 5).fill(8)
    losses = ("key > 0 AND key % 2 = 0", "key < 0", "key > 0")
    for lost in losses:
        with world.calendar.store.write() as session:
            session.run(f"DELETE FROM fragment WHERE {lost}")
            session.run("UPDATE sequence SET last = last + 1 WHERE name = 'part'")
        compare(world, live, lost, losses)


def test_only_a_worker_with_a_reason_checks_the_whole_calendar(make_world: Any) -> None:
    world = make_world(cache_size="0")
    world.make("events", "author")

    def starting(**settings: str) -> PrerenderWorker:
        """What a worker begins with that starts now."""
        calendar = world.calendar
        return PrerenderWorker(
            Calendar(calendar.store, calendar.files, replace(calendar.settings, **settings), calendar.clock)
        )

    assert starting().has_work()
    starting().sweep(outdated=True)
    world.make("events", "editor", venue={"venue": "Hall"})
    assert not starting().has_work()
    # What somebody leaves is missing until it is made anew.
    world.delete(f"/users/{world.ids['author']}?reassign={world.ids['editor']}")
    assert starting().has_work()
    assert starting().sweep(outdated=False) == 1
    assert not starting().has_work()
    # Other settings have everything to do, and who leaves the old alone is not done.
    tokyo = {"timezone": "Asia/Tokyo"}
    assert starting(**tokyo).sweep(outdated=False) == 0
    assert starting(**tokyo).has_work()
    assert starting(**tokyo).sweep(outdated=True) > 0
    assert not starting(**tokyo).has_work()


def test_a_list_reports_lost_fragments(make_world: Any) -> None:
    world = make_world(cache_size="0")
    world.make("events")
    worker = PrerenderWorker(world.calendar)
    worker.sweep(outdated=True)
    with world.calendar.store.write() as session:
        session.run("DELETE FROM fragment")
    assert not worker.has_work()
    world.get("/events")
    assert worker.has_work()
    assert worker.sweep(outdated=True) == 1
    assert not worker.has_work()


def test_what_is_not_prerendered_is_rendered_once_for_all_readers(
    make_world: Any, live: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a new version, until the sweep has come that far."""
    world = make_world(cache_size="0")
    Changes(world, 3).fill(6)
    event = world.make("events", title="Concert", venue={"venue": "Hall"}, categories=["Music"])
    with world.calendar.store.write() as session:
        session.run("UPDATE fragment SET render_version = 'earlier' WHERE render_version > ''")
        session.run("UPDATE sequence SET last = last + 1 WHERE name = 'part'")
    rendered: list[int] = []
    inner = rendering.rendered_events

    def counted(session: Any, settings: Any, events: Any, *targets: Any) -> Any:
        rendered.extend(one.id for one in events)
        return inner(session, settings, events, *targets)

    monkeypatch.setattr(rendering, "rendered_events", counted)
    first = world.get("/events?per_page=3").text
    assert len(rendered) == len(set(rendered)) > 0
    assert world.get("/events?per_page=3").text == first
    assert len(rendered) == len(set(rendered)) > 0
    compare(world, live)
    world.put(f"/events/{event['id']}", json={"title": "Recital"})
    world.put(f"/venues/{event['venue']['id']}", json={"venue": "Barn"})
    shown = world.get(f"/events?{EVERY_TIME}&per_page=100").text
    assert "Recital" in shown
    assert "Concert" not in shown
    assert "Barn" in shown
    compare(world, live)
