"""The rule of visibility has two forms, a predicate on a record and a condition on a query: they must agree."""

import ast
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import effort

import kalends
from kalends.calendar.access import Caller, may_edit, visibility_of
from kalends.contract.roles import Role
from kalends.contract.statuses import STATUSES
from kalends.store.rows import events, posts
from kalends.store.rows.records import POST_TYPES, Companion, Event, Post
from kalends.store.rows.visibility import Visibility

USERS = (1, 2, 3)
PASSWORDS = (None, b"one", b"two")
DAY = {"start_local": "2027-03-10 09:00:00", "end_local": "2027-03-10 10:00:00"}

callers = st.builds(Caller, user=st.sampled_from(USERS), role=st.sampled_from(Role), read_only=st.booleans())
# Also combinations that no role has today: the two forms must agree whatever the roles become.
visibilities = st.one_of(
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
def posts_of_any_kind(draw: Any) -> tuple[str, Post]:
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


class RollBack(Exception):
    """Ends a transaction without changes."""


@pytest.fixture(scope="module")
def world(build_world: Any) -> Any:
    return build_world()


@settings(max_examples=effort(30, 150), deadline=None)
@given(st.lists(posts_of_any_kind(), min_size=1, max_size=6), st.lists(visibilities, min_size=1, max_size=6))
def test_a_record_and_a_query_agree(
    world: Any, records: list[tuple[str, Post]], visibilities: list[Visibility]
) -> None:
    with contextlib.suppress(RollBack), world.calendar.store.write() as session:
        for id, (kind, record) in enumerate(records, 1):
            record.id, record.slug = id, f"s{id}"
            if isinstance(record, Event):
                events.insert(session, [(record, {})])
            else:
                posts.insert(session, kind, cast(Companion, record))
        for visibility in visibilities:
            for kind in POST_TYPES:
                mine = [record for name, record in records if name == kind]
                rules = [("can_read", "where_readable"), ("can_edit", "where_editable")]
                rules += [("can_unmask", "where_unmasked")] if kind == "event" else []
                for predicate, condition in rules:
                    sql, parameters = getattr(visibility, condition)("t")
                    query = f"SELECT t.id FROM {kind} t WHERE {sql} ORDER BY t.id"
                    expected = [record.id for record in mine if getattr(visibility, predicate)(record)]
                    assert session.column(query, parameters) == expected, (visibility, predicate)
                    # The negation is exact too: the condition is never NULL.
                    others = session.column(
                        query.replace("WHERE ", "WHERE NOT (").replace(" ORDER", ") ORDER"), parameters
                    )
                    assert len(others) == len(mine) - len(expected), (visibility, predicate)
        raise RollBack


@given(callers, posts_of_any_kind())
def test_callers_can_read_what_they_can_edit(caller: Caller, made: tuple[str, Post]) -> None:
    """Editors read, edit and unmask everything; anonymous readers and subscribers read what is published."""
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


# The modules whose SQL may name a table of posts, and why none of them bypasses the rule.
MODULES_WITH_SQL = {
    "store/query/filters.py": "builds the conditions of every list, with those of the Visibility",
    "store/query/row_filters.py": "builds conditions for filters.py; online ones name terms, which everybody reads",
    "store/query/record_filters.py": "builds the conditions of lists of venues, organizers and terms, as filters.py",
    "store/query/word_filters.py": "builds the conditions of words, as filters.py",
    "store/query/lists.py": "takes the conditions of filters.py",
    "store/query/plain_plans.py": "takes the conditions of filters.py; public events: visibility_level > 0, links 2",
    "store/query/search_plans.py": "takes the conditions of filters.py, or public events alone",
    "store/query/series_plans.py": "takes the conditions of filters.py, and series of the Visibility",
    "store/query/totals.py": "counts public events: visibility_level > 0; others by filters.py",
    "store/query/term_lists.py": "counts public events, and others only through a Visibility",
    "store/rows/change_notes.py": "has numbers of changes, and reads no record",
    "store/query/places_and_costs.py": "builds its condition from a Visibility",
    "store/query/days.py": "builds its conditions from a Visibility, and says what is masked",
    "store/query/filter_values.py": "builds its conditions from a Visibility, and counts what everybody sees",
    "store/query/named_records.py": "finds venues and organizers by a Visibility",
    "store/query/editable_records.py": "builds its condition from a Visibility",
    "store/query/all_records.py": "builds every condition from a Visibility",
    "store/query/list_query.py": "counts only public events: visibility_level > 0",
    "store/rows/journal.py": "finds when the next post becomes public; returns no record",
    "store/rows/tallies.py": "stores the counts of public events: visibility_level > 0",
    "store/rows/media.py": "asks a Visibility which records show an image",
    "store/rows/bundles.py": "asks a Visibility which parents of events may be named",
    "store/rows/events.py": "writes; says how long texts are and which slugs are taken",
    "store/rows/series.py": "find_readable takes a Visibility; events only for changes, whose rights are checked",
    "store/rows/posts.py": "finds records by key; its callers, listed below, check each of them",
    "store/rows/terms.py": "its tables are those of categories and tags",
    "store/rows/fragments.py": "its fragments are rendered for anonymous readers, and lists take only public ones",
    "store/query/outdated_times.py": "compares times with the rules of their zones; returns ids",
    "store/rows/links.py": (
        "finds the ids of records that wait for an event; calendar/storing/first_publication.py asks"
    ),
    "store/rows/users.py": "counts and reassigns the records of a user, for administrators",
    "store/rows/custom_values.py": "values of events that a list has found by a Visibility, for their fragments",
    "store/rows/search_rows.py": "writes the words of a record",
    "store/search/word_matches.py": "finds venues and organizers by a Visibility",
    "store/search/parsing.py": "finds ids by words, to be joined with the conditions of a list",
    "store/search/word_index.py": "writes the words of texts into the index, and returns none",
    "store/engine/store.py": "shows two statements in its documentation",
    "store/rows/external.py": "finds the id of a record by its source; its callers check the right to it",
}
# The modules that may take records from store/rows/posts.py, which checks nothing, and how they check them.
FINDERS = {"find", "find_by_slug", "find_many", "find_named", "find_folded", "due"}
MODULES_THAT_CHECK = {
    "calendar/series/grouping.py": "changes only what the caller may edit",
    "calendar/series/operations.py": "finds again what the caller may edit",
    "calendar/series/series_change.py": "writes what the caller was allowed to change; returns none",
    "calendar/posts/posts.py": "read and writable ask the Visibility",
    "calendar/posts/references.py": "refuses what the Visibility cannot read, takes and compares what it can",
    "calendar/lists/counts.py": "takes the ids that store/query/days.py found through the Visibility",
    "calendar/lists/day_events.py": "takes the records that store/query/days.py found through the Visibility",
    "calendar/lists/filter_checks.py": "refuses filters that name what the Visibility cannot read",
    "calendar/lists/pages.py": "takes the ids that store/query found through the Visibility",
    "calendar/lists/choosing.py": "asks the Visibility before it names a record; lists ask it again",
    "calendar/lists/exports.py": "takes the ids that store/query found through the Visibility",
    "calendar/editing/bulk.py": "changes only what the caller may edit",
    "calendar/editing/review.py": "what the caller has just decided about, and ids found through the Visibility",
    "calendar/lists/series_rows.py": "takes the ids that store/query found through the Visibility",
    "calendar/lists/page_views.py": "takes the ids that store/query found through the Visibility",
    "calendar/images/image_store.py": "uses leaves out what the Visibility cannot read; delete returns none",
    "calendar/editing/previews.py": "ids that references.py has checked; asks if the maker of a link may edit",
    "calendar/series/zone_rules.py": "the service itself, which computes times anew; returns none",
    "calendar/posts/old_slugs.py": "asks the Visibility, or returns ids that are only used as filters",
    "calendar/storing/former_events.py": "puts an event back as it was, for who may edit it; returns none",
    "calendar/posts/labels.py": "leaves out what the Visibility cannot read",
    "calendar/posts/merging.py": "for editors, who see everything; moved_to asks the Visibility",
    "calendar/editing/trash.py": "takes the ids that editable_records.py found; delete asks for the right to edit",
    "calendar/storing/batches.py": "publishes what is due; returns no record",
    "calendar/storing/shown_otherwise.py": "marks as changed what a feature names, and returns no record",
    "calendar/storing/referring.py": "changes what refers to a record; returns none",
    "calendar/storing/first_publication.py": "comes_with asks the Visibility; the others return no record",
    "store/rows/history.py": "copies a record before it changes; its readers are those who can edit it",
    "calendar/storing/rendering.py": "renders what anonymous readers see, and returns no record",
    "calendar/storing/prerender_task.py": "passes them to rendering.py, which renders what anonymous readers see",
    "store/rows/bundles.py": "leaves out what the Visibility cannot read",
    "store/rows/journal.py": "returns only the ids of what is public by the clock",
}
NAMES_A_TABLE = re.compile(r"\b(FROM|JOIN|INTO|UPDATE)\s+((event|venue|organizer)\b|\{\w+\})")
SOURCE = Path(kalends.__file__).parent


def modules_with(pattern: str, *, of_features: bool = False) -> Iterator[tuple[str, ast.Module]]:
    """The modules of the core, or of features, in whose text a pattern is found; the others need not be parsed."""
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if name.startswith("features/") == of_features and re.search(pattern, text := path.read_text("utf-8")):
            yield name, ast.parse(text)


def texts(tree: ast.Module) -> Iterator[str]:
    """Every text in a module; an f-string as it is written."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def querying_posts(*, of_features: bool = False) -> set[str]:
    words = r"\b(FROM|JOIN|INTO|UPDATE)\b"
    found = modules_with(words, of_features=of_features)
    return {name for name, tree in found if any(NAMES_A_TABLE.search(text) for text in texts(tree))}


def test_only_the_listed_modules_query_posts() -> None:
    """A query in another module must be added to the list, with the reason why it is safe."""
    assert querying_posts() == set(MODULES_WITH_SQL)


def taking_unchecked_records(*, of_features: bool = False) -> set[str]:
    taking = set()
    for name, tree in modules_with(r"from kalends\.store\.rows import", of_features=of_features):
        aliases = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "kalends.store.rows"
            for alias in node.names
            if alias.name == "posts"
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in FINDERS and ast.unparse(node.value) in aliases:
                taking.add(name)
    return taking


def test_only_the_listed_modules_take_unchecked_records() -> None:
    assert taking_unchecked_records() == set(MODULES_THAT_CHECK)


def making_a_visibility(*, of_features: bool = False) -> set[str]:
    return {
        name
        for name, tree in modules_with("Visibility|everything", of_features=of_features)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (
            ast.unparse(node.func).split(".")[-1] == "Visibility"
            or any(one.arg == "everything" for one in node.keywords)
        )
    }


def test_only_the_rule_makes_a_visibility() -> None:
    """What somebody sees follows from who asks: nothing else decides to see more."""
    assert making_a_visibility() == {"calendar/access.py"}


def running_sql(*, of_features: bool = False) -> set[str]:
    methods = {"all", "one", "value", "column", "run", "run_many", "execute"}
    found = set()
    for name, tree in modules_with(r"(session|connection)\s*\.", of_features=of_features):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods:
                holder = ast.unparse(node.func.value)
                if holder.endswith(("session", "connection")):
                    found.add(name)
    return found


def test_only_the_store_runs_sql() -> None:
    assert {name for name in running_sql() if not name.startswith("store/")} == set()
