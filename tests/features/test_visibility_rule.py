"""The modules of features keep to the rule of visibility as those of the core do; one that is gone needs no row."""

from collections.abc import Iterable

from tests.calendar.access.test_visibility_rule import (
    making_a_visibility,
    querying_posts,
    running_sql,
    taking_unchecked_records,
)

from kalends.feature import features

# The modules whose SQL may name a table of posts, and why none of them bypasses the rule.
MODULES_WITH_SQL = {
    "features/changes/query.py": (
        "builds its conditions from a Visibility; showing gives ids for as_changed, which asks"
    ),
    "features/history/journal_rows.py": "finds the series of changes of the journal, for editors; no texts",
    "features/importing/undo/change_rows.py": "changes of an import, for administrators; no texts of records",
    "features/consistency/store/derived_data.py": (
        "finds the ids of records that wait for no reason; the check returns ids"
    ),
    "features/consistency/store/references.py": (
        "finds the ids of records that name what is not there; the check returns ids"
    ),
    "features/consistency/store/revisions.py": (
        "finds the ids of records without their last change; the check returns ids"
    ),
    "features/consistency/store/searching.py": (
        "finds the ids of records that are found otherwise; the check returns ids"
    ),
    "features/sources/rows.py": "has what sources told last, and reads no record",
    "features/sources/duplicates/rows.py": "finds ids, days and ids at sources of events to be compared; no texts",
    "features/sources/known_rows.py": "finds times and statuses of the events of a source, for its reads; no texts",
    "features/mail/following/rows.py": "finds the events of what is followed, by number; no texts of records",
}
# The modules that may take records from store/rows/posts.py, which checks nothing, and how they check them.
MODULES_THAT_CHECK = {
    "features/mail/following/digests.py": "tells only of public events; lists are those of anonymous readers",
    "features/mail/following/lists.py": "tells only of public events, as anonymous readers find them",
    "features/mail/following/news.py": "tells what everybody can see of an event now, or that it is gone",
    "features/mail/following/rules.py": "looks when an event begins, and whether all can read it; returns no record",
    "features/mail/facts.py": "names public venues of events without a password; returns no record",
    "features/mail/notices.py": "asks the Visibility of each person who gets a message",
    "features/history/versions.py": "tells of records only what their Visibility allows",
    "features/history/restoring.py": "leaves out what the Visibility cannot read, and tells only of what came back",
    "features/importing/brought.py": "the events of an import, for people who manage the site",
    "features/importing/matching/likeness.py": "what an import remembers; only people who manage the site import",
    "features/sources/duplicates/answers.py": "for editors, who see everything",
    "features/sources/duplicates/joining.py": "changes what the answer's rights were asked for; returns none",
    "features/sources/duplicates/publishing.py": "for editors, who see everything; asks for the right to publish",
    "features/sources/source_form.py": "asks the Visibility; for administrators, who see everything",
    "features/sources/field_owners.py": "shows and changes only what the caller may edit",
    "features/sources/duplicates/looking.py": "notes ids of events to be compared; returns none",
    "features/sources/duplicates/finding.py": "compares events for reads of sources; returns ids",
    "features/consistency/fragments.py": "compares what anonymous readers get; the check returns ids",
    "features/consistency/renewing.py": "the service itself, which computes derived data anew; returns none",
    "features/consistency/series.py": "returns only which ids exist, of records that a series names",
    "features/custom_fields/rules.py": "for who manages the site, and sees everything; returns no event",
    "features/changes/polling.py": "renders the ids that features/changes/query.py found for the Visibility",
    "features/exporting/selection.py": "for administrators, who see everything",
    "features/importing/matching/identities.py": "for editors and administrators, who see everything",
    "features/wordpress/pages/page_handlers.py": "asks the Visibility",
    "features/importing/applying/series.py": "for editors and administrators, who see everything",
    "features/importing/undo/undo_events.py": "for administrators, who see everything",
}


def of_features_that_are_there(modules: Iterable[str]) -> set[str]:
    there = {feature.name for feature in features()}
    return {name for name in modules if name.split("/")[1] in there}


def test_only_the_listed_modules_query_posts() -> None:
    assert querying_posts(of_features=True) == of_features_that_are_there(MODULES_WITH_SQL)


def test_only_the_listed_modules_take_unchecked_records() -> None:
    assert taking_unchecked_records(of_features=True) == of_features_that_are_there(MODULES_THAT_CHECK)


def test_none_makes_a_visibility() -> None:
    assert making_a_visibility(of_features=True) == set()


def test_only_modules_about_rows_run_sql() -> None:
    about_rows = ("rows.py", "/query.py")
    others = {name for name in running_sql(of_features=True) if not name.endswith(about_rows)}
    assert {name for name in others if not name.startswith("features/consistency/store/")} == set()
