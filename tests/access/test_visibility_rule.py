"""The one rule in its two forms: what it says of a record in hand, it says of the same record in a query."""

import ast
import contextlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import effort

import kalends
from kalends.calendar.access import Caller, may_edit, visibility_of
from kalends.contract.roles import Role
from kalends.contract.statuses import STATUSES
from kalends.store.query.visibility import Visibility
from kalends.store.rows import posts
from kalends.store.rows.records import POST_TYPES, Event, Post

USERS = (1, 2, 3)
PASSWORDS = (None, b"one", b"two")
DAY = {"start_local": "2027-03-10 09:00:00", "end_local": "2027-03-10 10:00:00"}

callers = st.builds(Caller, user=st.sampled_from(USERS), role=st.sampled_from(Role), read_only=st.booleans())
# Also such as nobody has today: the two forms must agree whatever the roles become.
sights = st.one_of(
    st.builds(visibility_of, callers, st.sampled_from(PASSWORDS)),
    st.builds(
        Visibility,
        everything=st.booleans(),
        owner=st.sampled_from((None, *USERS)),
        edits_published=st.booleans(),
        password=st.sampled_from(PASSWORDS),
    ),
)


@st.composite
def records(draw: Any) -> tuple[str, Post]:
    kind = draw(st.sampled_from(sorted(POST_TYPES)))
    status = draw(st.sampled_from(STATUSES))
    common = {
        "author": draw(st.sampled_from(USERS)),
        "status": status,
        "trashed_from": draw(st.sampled_from(STATUSES)) if status == "trash" else "",
        "date_utc": "2026-01-01 00:00:00",
        "modified_utc": "2026-01-01 00:00:00",
    }
    if kind != "event":
        return kind, POST_TYPES[kind](**common)
    utc = {"start_utc": DAY["start_local"], "end_utc": DAY["end_local"]}
    hide = draw(st.booleans())
    return kind, Event(**common, **DAY, **utc, password=draw(st.sampled_from(PASSWORDS)), hide_from_listings=hide)


class Undo(Exception):
    """Ends a transaction without a trace."""


@pytest.fixture(scope="module")
def world(build_world: Any) -> Any:
    return build_world()


@settings(max_examples=effort(50, 150), deadline=None)
@given(st.lists(records(), min_size=1, max_size=6), st.lists(sights, min_size=1, max_size=6))
def test_a_record_and_a_query_agree(world: Any, made: list[tuple[str, Post]], seers: list[Visibility]) -> None:
    with contextlib.suppress(Undo), world.calendar.store.write() as session:
        for id, (kind, record) in enumerate(made, 1):
            record.id, record.slug = id, f"s{id}"
            posts.insert(session, kind, record)
        for visibility in seers:
            for kind in POST_TYPES:
                mine = [record for name, record in made if name == kind]
                rules = [("admits", "admitted"), ("edits", "edited"), *([("opens", "opened")] * (kind == "event"))]
                for predicate, condition in rules:
                    sql, parameters = getattr(visibility, condition)("t")
                    query = f"SELECT t.id FROM {kind} t WHERE {sql} ORDER BY t.id"
                    said = [record.id for record in mine if getattr(visibility, predicate)(record)]
                    assert session.column(query, parameters) == said, (visibility, predicate)
                    # Its opposite is exact too: no value is neither, as NULL would be.
                    rest = session.column(
                        query.replace("WHERE ", "WHERE NOT (").replace(" ORDER", ") ORDER"), parameters
                    )
                    assert len(rest) == len(mine) - len(said), (visibility, predicate)
        raise Undo


@given(callers, records())
def test_who_edits_reads(caller: Caller, made: tuple[str, Post]) -> None:
    """The predicates hang together: who may edit may read, who reads all opens all, a stranger edits nothing."""
    _, record = made
    visibility = visibility_of(caller)
    assert not visibility.can_edit(record) or visibility.can_read(record)
    assert may_edit(caller, record) == visibility.can_edit(record)
    if caller.role <= Role.SUBSCRIBER:
        assert visibility.is_public
        assert not visibility.can_edit(record)
        assert visibility.can_read(record) == (record.status == "publish")
    if caller.role >= Role.EDITOR:
        assert visibility.can_read(record)
        assert visibility.can_edit(record)
    if isinstance(record, Event) and record.password is not None:
        assert visibility.can_unmask(record) == visibility.can_edit(record)


# Where the tables of posts may be named in a query at all, and why each place is no way around the rule.
ALLOWED = {
    "store/listing.py": "builds every condition from a Sight",
    "store/days.py": "builds its conditions from a Sight, and tells what is masked",
    "store/public_pages.py": "builds every condition from a Sight",
    "store/place_listing.py": "builds every condition from a Sight",
    "store/term_listing.py": "counts what is open to everybody, and more only through a Sight",
    "store/media.py": "asks a Sight which records show an image",
    "store/bundles.py": "asks a Sight which parents of events may be named",
    "store/window.py": "counts only what everybody may see: visibility_level > 0",
    "store/tally.py": "keeps the counts of what everybody may see: visibility_level > 0",
    "store/links.py": "copies visibility_level and times of an event to its links",
    "store/events.py": "writes, and detaches the children of an event that goes",
    "store/posts.py": "finds records by key; the callers below judge each before it goes out",
    "store/terms.py": "its tables are those of categories and tags",
    "store/texts.py": "writes the words of a record",
    "store/searching.py": "finds ids by words, to be joined with the conditions of a list",
    "store/sqlite.py": "finds texts by words, joined with the conditions of a list, or those that everybody finds",
    "store/postgresql_sessions.py": "finds texts by words, to be joined with the conditions of a list",
    "store/slots.py": "counts the events of a day, to give another its number",
    "store/word_index.py": "puts the words of texts into the index, and shows nothing",
    "store/ready.py": "what it shows was rendered for strangers; a list has only what everybody may list",
    "store/people.py": "counts and hands over the records of a user, for administrators",
}
# Who may take records from store/posts.py unjudged.
FINDERS = {"find", "find_by_slug", "find_many", "find_named", "due"}
JUDGES = {
    "calendar/posts.py": "read, writable and _equal_record ask the Sight; publish_due shows nothing",
    "calendar/references.py": "refuses what the Sight does not admit",
    "calendar/days.py": "takes the records that store/days.py found through the Sight",
    "calendar/listing.py": "refuses filters that name what is not admitted; its pages come from store/listing.py",
    "calendar/prerendering.py": "hands them to calendar/readiness.py, which keeps what anonymous readers may see",
    "calendar/applying.py": "walks up the parents of an event to find a circle; shows nothing",
    "store/bundles.py": "leaves out what the Sight does not admit",
}
NAMES_A_TABLE = re.compile(r"\b(FROM|JOIN|INTO|UPDATE)\s+((event|venue|organizer)\b|\{\w+\})")
SOURCE = Path(kalends.__file__).parent


@cache
def sources() -> list[tuple[str, ast.Module]]:
    paths = sorted(SOURCE.rglob("*.py"))
    return [(path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text("utf-8"))) for path in paths]


def texts(tree: ast.Module) -> Iterator[str]:
    """Every text in a module; an f-string as it is written."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_no_query_of_posts_goes_around_the_rule() -> None:
    """A new query elsewhere must come here first, and say why it may."""
    naming = {name for name, tree in sources() if any(NAMES_A_TABLE.search(text) for text in texts(tree))}
    assert naming == set(ALLOWED)


def test_only_judges_take_records_unjudged() -> None:
    taking = set()
    for name, tree in sources():
        aliases = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "kalends.store"
            for alias in node.names
            if alias.name == "posts"
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in FINDERS and ast.unparse(node.value) in aliases:
                taking.add(name)
    assert taking == set(JUDGES)


def test_only_the_composition_and_the_store_know_sql() -> None:
    """Nothing outside the store runs a query of its own."""
    ways = {"all", "one", "value", "column", "run", "run_many", "execute"}
    found = set()
    for name, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ways:
                holder = ast.unparse(node.func.value)
                if holder.endswith(("session", "connection")) and not name.startswith("store/"):
                    found.add(name)
    assert found == set()
