"""`kalends check` tells what is wrong in a store; `--repair` computes derived data anew."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from tests import store_checks
from tests.calendar.series.test_scopes import make
from tests.conftest import SITE, World
from tests.stores import Snapshot

from kalends.cli import kalends
from kalends.store.engine.store import Session

Plant = Callable[[Session, "Known"], object]


class Known:
    """The records of a small calendar, by what they are."""

    def __init__(self, world: World, *, has_custom_fields: bool = True) -> None:
        self.hall = world.make("venues", venue="Hall")["id"]
        self.barn = world.make("venues", venue="Barn", status="publish")["id"]
        self.arts = world.make("categories", name="Arts")["id"]
        self.music = world.make("categories", name="Music", parent=self.arts)["id"]
        self.tag = world.make("tags", name="Free")["id"]
        links = {"venue": [self.hall], "categories": [self.music], "tags": [self.tag]}
        more: dict[str, object] = {}
        if has_custom_fields:
            assert world.post("/custom-fields", json={"label": "Doors"}).status_code == 201
            options = {"label": "For", "type": "choices", "options": ["a", "b"]}
            assert world.post("/custom-fields", json=options).status_code == 201
            more = {"custom_fields": {"doors": "18:30", "for": "a|b"}}
        self.fair = world.make("events", title="Fair", **more, **links)["id"]
        self.yoga = make(world, recurrence="FREQ=WEEKLY;COUNT=5", venue=[self.hall], tags=[self.tag])
        self.series = self.yoga[0]["series"]
        self.ids = [event["id"] for event in self.yoga]


def template(session: Session, known: Known, change: Callable[[Any], object]) -> None:
    """Changes the template of the series, as a version did that forgot it."""
    found = msgspec.json.decode(session.value("SELECT template FROM series WHERE id = ?", (known.series,)))
    change(found)
    session.run("UPDATE series SET template = ? WHERE id = ?", (msgspec.json.encode(found).decode(), known.series))


def without_date(session: Session, known: Known) -> None:
    """An event is no longer one of its series, which still has the date."""
    session.run(
        "UPDATE event SET series = NULL, original_start = '', own_fields = '[]', post_parent = 0 WHERE id = ?",
        (known.ids[2],),
    )
    session.run("DELETE FROM fragment WHERE key = ?", (known.ids[2],))


def orphan(session: Session, known: Known) -> None:
    session.run(
        "INSERT INTO series (id, author, status, rev, filled_to, recurrence, template)"
        " SELECT 99, author, status, rev, '2026-11-17 19:00:00', 'RRULE:FREQ=DAILY', template"
        " FROM series WHERE id = ?",
        (known.series,),
    )
    session.run("UPDATE sequence SET last = 99 WHERE name = 'post' AND last < 99")


def deep(session: Session, known: Known) -> None:
    columns = "id, parent, slug, slug_key, name, name_key, sort_name, description, rev"
    for level in range(30):
        text = f"level-{level:02}"
        session.run(
            f"INSERT INTO category ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, '', 0)",
            (1000 + level, 999 + level if level else known.music, *[text] * 5),
        )
    session.run("UPDATE sequence SET last = 1029 WHERE name = 'term'")


def run(sql: str, *of: str) -> Plant:
    """A statement whose parameters are what is known under these names."""
    return lambda session, known: session.run(sql, [getattr(known, name) for name in of])


FOR_PEOPLE = {  # to decide
    "series without events",
    "date torn out",
    "rule without dates",
    "date that no rule gives",
    "date in the trash that is no exception",
    "series in the trash with dates",
    "categories in a circle",
    "categories too deep",
    "venue that waits for nothing",
}
DAMAGE: dict[str, tuple[str, Plant]] = {
    "template with a deleted image": (
        "would have the image 77",
        lambda s, k: template(s, k, lambda t: t["event"].update(image=77)),
    ),
    "template with a deleted category": (
        "would get the category 77, which is gone",
        lambda s, k: template(s, k, lambda t: t["links"].update(category=[77])),
    ),
    "template without references": ("refer to is not known", run("DELETE FROM series_reference")),
    "series without events": ("The series 99 has no events", orphan),
    "date torn out": ("has no event for 2026-12-01 19:00:00", without_date),
    "rule without dates": (
        "cannot be used: rule gives no dates.",
        run("UPDATE series SET recurrence = 'RRULE:FREQ=MONTHLY;BYMONTHDAY=1;UNTIL=20261118T190000'"),
    ),
    "date that no rule gives": (
        "has an event for 2026-12-02 19:00:00",
        lambda s, k: s.run(
            "UPDATE event SET original_start = '2026-12-02 19:00:00' WHERE id = ?",
            (k.ids[2],),
        ),
    ),
    "date in the trash that is no exception": (
        "has no event for 2026-11-24 19:00:00",
        lambda s, k: s.run("UPDATE event SET status = 'trash', trashed_from = 'publish' WHERE id = ?", (k.ids[1],)),
    ),
    "series in the trash with dates": (
        "is in the trash, but not its date",
        run("UPDATE series SET status = 'trash'"),
    ),
    "date without its first": (
        "does not know the first date",
        lambda s, k: s.run("UPDATE event SET post_parent = 0 WHERE id = ?", (k.ids[3],)),
    ),
    "event with a parent that is gone": (
        "has the post_parent 77, which does not exist",
        run("UPDATE event SET post_parent = 77 WHERE id = ?", "fair"),
    ),
    "category below one that is gone": (
        "has the parent 77, which does not exist",
        run("UPDATE category SET parent = 77 WHERE id = ?", "arts"),
    ),
    "categories in a circle": (
        "is above itself",
        run("UPDATE category SET parent = ? WHERE id = ?", "music", "arts"),
    ),
    "categories too deep": ("more than 20 levels deep", deep),
    "venue that waits for nothing": (
        "is not public, although a public event brought it",
        lambda s, k: (
            s.run("UPDATE venue SET status = 'draft', waiting = 1 WHERE id = ?", (k.hall,)),
            s.run("DELETE FROM fragment WHERE kind = 'venue'"),
        ),
    ),
    "old address of nothing": (
        "old address old leads to the venue 77",
        run("INSERT INTO redirect (kind, slug_key, target) VALUES ('venue', 'old', 77)"),
    ),
    "merge into nothing": (
        "was merged into the tag 77",
        run("INSERT INTO merged (kind, old, target) VALUES ('tag', 76, 77)"),
    ),
    "versions of nothing": (
        "versions of the venue 77",
        run("INSERT INTO version (rev, kind, id, at, data) VALUES (77, 'venue', 77, '2026-11-15 12:00:00', '{}')"),
    ),
    "links with other times": ("has other times", run("UPDATE event_tag SET start_local = '2020-01-01 00:00:00'")),
    "links of another visibility": ("has other times", run("UPDATE event_venue SET visibility_level = 0")),
    "custom values of another visibility": ("other values", run("UPDATE event_custom SET visibility_level = 0")),
    "custom values at other times": (
        "other values",
        run("UPDATE event_custom SET start_local = '2020-01-01 00:00:00'"),
    ),
    "lost custom values": ("other values", run("DELETE FROM event_custom WHERE value = 'b'")),
    "custom values of nobody": (
        "other values",
        lambda s, k: s.run(
            "INSERT INTO event_custom (event, field, value, number, visibility_level, start_local, end_local)"
            " SELECT id, 7, 'x', 1.5, visibility_level, start_local, end_local FROM event WHERE id = ?",
            (k.ids[1],),
        ),
    ),
    "category without the events below": (
        "lacks the event",
        run("DELETE FROM event_category WHERE target = ? AND position IS NULL", "arts"),
    ),
    "wrong totals": (
        "The totals of the calendar",
        run("UPDATE tally SET n = n + 1 WHERE scope = 'all' AND unit = 7"),
    ),
    "lost totals": ("The totals of the venue", run("DELETE FROM tally WHERE scope = 'venue' AND unit = 10")),
    "wrong counts of terms": (
        "The totals of the category or tag",
        run("UPDATE tally SET n = 9 WHERE scope = 'direct'"),
    ),
    "text of another title": (
        "another text of the event",
        run("UPDATE event_text SET title = 'something' WHERE rowid = ?", "fair"),
    ),
    "text of nothing": (
        "Search finds the venue 77",
        run(
            "INSERT INTO venue_text (rowid, search_row, year, visibility_level, title, body)"
            " VALUES (77, 77, '', 2, 'x', 'y')"
        ),
    ),
    "wrong slug key": ("cannot be found by its name", run("UPDATE venue SET slug_key = 'zzz' WHERE id = ?", "barn")),
    "wrong order of a tag": ("cannot be found by its name", run("UPDATE tag SET sort_name = 'zzz'")),
    "row of another day": ("on another day", run("UPDATE event SET search_row = 201001010001 WHERE id = ?", "fair")),
    "change that the journal does not have": (
        "The last change of the event",
        run("UPDATE event SET rev = 1 WHERE id = ?", "fair"),
    ),
    "series behind its dates": ("does not know the last change", run("UPDATE series SET rev = 1")),
    "numbers given twice": (
        "sequence post would be given twice",
        run("UPDATE sequence SET last = 3 WHERE name = 'post'"),
    ),
    "numbers that are not free": (
        "from 1 on are not free",
        run("INSERT INTO number_gap (name, first, last) VALUES ('post', 1, 90)"),
    ),
    "shown otherwise": (
        "are shown the venue",
        run("UPDATE fragment SET body = (SELECT body FROM fragment WHERE key = ?) WHERE key = ?", "hall", "barn"),
    ),
    "shown though hidden": (
        "has other times than the event",
        lambda s, k: s.run("UPDATE event SET status = 'draft' WHERE id = ?", (k.fair,)),
    ),
    "shown though deleted": (
        "are shown the tag 77, which does not exist",
        run(
            "INSERT INTO fragment SELECT -77, kind, render_version, sort_name, links, body, detail, entry"
            " FROM fragment WHERE kind = 'tag'"
        ),
    ),
}


def check(world: World, *options: str) -> tuple[int, str]:
    # With the time zone of the service: fragments of another one are not its own.
    settings = ("--data", str(world.calendar.settings.data), "--timezone", SITE["timezone"])
    result = CliRunner().invoke(kalends, ["check", *settings, *options])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def plant(world: World, damage: Plant) -> Known:
    known = Known(world)
    with world.calendar.store.write() as session:
        damage(session, known)
    return known


@pytest.fixture(scope="module")
def kept(shared_world: World) -> Iterator[tuple[World, Known, Snapshot]]:
    known = Known(shared_world)
    snapshot = Snapshot(shared_world.calendar.store)
    yield shared_world, known, snapshot
    snapshot.close()


@pytest.fixture
def small(kept: tuple[World, Known, Snapshot]) -> tuple[World, Known]:
    """A small calendar, as it was before any test damaged it."""
    world, known, snapshot = kept
    snapshot.restore()
    return world, known


@pytest.mark.parametrize("name", sorted(DAMAGE.keys() - FOR_PEOPLE))
def test_what_is_derived_is_told_and_computed_anew(small: tuple[World, Known], name: str) -> None:
    (world, known), (sentence, damage) = small, DAMAGE[name]
    with world.calendar.store.write() as session:
        damage(session, known)
    status, said = check(world)
    assert status == 1
    assert sentence in said
    assert "kalends check --repair" in said
    before = world.count()
    status, said = check(world, "--repair")
    assert (status, said.splitlines()[0], said.splitlines()[-1]) == (0, "Repaired:", "Nothing is wrong now.")
    assert sentence in said
    assert world.count() > before  # so that nothing kept of it is served any more
    assert check(world) == (0, "Nothing is wrong.\n")
    store_checks.check(world.calendar.store, world.calendar.settings)
    assert world.get(f"/events/{known.ids[0]}").status_code == 200
    assert check(world, "--repair") == (0, "Nothing is wrong.\n")


@pytest.mark.parametrize("name", sorted(FOR_PEOPLE))
def test_what_needs_judgement_is_told_and_stays(small: tuple[World, Known], name: str) -> None:
    (world, known), (sentence, damage) = small, DAMAGE[name]
    with world.calendar.store.write() as session:
        damage(session, known)
    status, said = check(world)
    assert (status, sentence in said) == (1, True)
    status, said = check(world, "--repair")
    assert (status, "For you to decide:" in said, sentence in said) == (1, True, True)
    status, said = check(world)
    assert (status, sentence in said, "--repair" in said) == (1, True, False)


@pytest.mark.both_stores
def test_everything_at_once_is_repaired(world: World) -> None:
    known, repairable = Known(world), DAMAGE.keys() - FOR_PEOPLE
    with world.calendar.store.write() as session:
        for name, (_, damage) in DAMAGE.items():
            if name in repairable:
                damage(session, known)
    status, said = check(world)
    assert (status, said.count("\n- ") > len(repairable)) == (1, True)
    assert check(world, "--repair")[0] == 0
    assert check(world) == (0, "Nothing is wrong.\n")
    store_checks.check(world.calendar.store, world.calendar.settings)


@pytest.mark.both_stores
def test_a_healthy_calendar_is_left_alone(world: World) -> None:
    Known(world)
    before = world.count()
    assert check(world) == (0, "Nothing is wrong.\n")
    assert check(world, "--repair") == (0, "Nothing is wrong.\n")
    assert world.count() == before


def test_children_of_a_deleted_event_are_shown_as_they_are(world: World) -> None:
    """Their fragments still name the parent, whose own one is empty."""
    parent = world.make("events", title="Fair")["id"]
    child = world.make("events", title="Concert", post_parent=parent)["id"]
    assert world.delete(f"/events/{parent}?force=true").status_code == 200
    assert world.get(f"/events/{child}").json()["post_parent"] == 0
    assert check(world) == (0, "Nothing is wrong.\n")


def test_words_of_the_index_that_no_text_has(world: World) -> None:
    if world.calendar.store.dialect != "sqlite":
        pytest.skip("PostgreSQL makes its index of trigrams itself")
    plant(world, lambda session, _: session.run("INSERT INTO event_words (rowid, endings) VALUES (7, '2027ghost')"))
    status, said = check(world)
    assert (status, "words of a text (event) that does not exist" in said) == (1, True)
    assert check(world, "--repair")[0] == 0
    assert check(world) == (0, "Nothing is wrong.\n")


def test_later_dates_do_not_get_what_is_gone(world: World) -> None:
    known = plant(world, DAMAGE["template with a deleted category"][1])
    assert check(world, "--repair")[0] == 0
    answer = world.put(f"/events/{known.ids[0]}?scope=all", json={"recurrence": "FREQ=WEEKLY;COUNT=6"})
    assert answer.status_code == 200, answer.text
    added = world.get(f"/events?series={known.series}&start_date=2026-12-20").json()["events"][-1]
    assert (added["categories"], added["venue"]["id"]) == ([], known.hall)


def test_many_problems_of_a_kind_are_counted(world: World) -> None:
    plant(world, lambda *_: None)
    for number in range(25):
        world.make("tags", name=f"Tag {number}")
    with world.calendar.store.write() as session:
        session.run("UPDATE tag SET sort_name = 'zzz'")
    assert "… and 6 more of this kind." in check(world)[1]
    assert check(world, "--repair")[0] == 0
