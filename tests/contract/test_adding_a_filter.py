"""A filter of events is one row, and one function if it reads something new: two are added to a copy of the sources,
and are everywhere."""

from pathlib import Path

from tests.feature_parts import FOLDER
from tests.source_copies import copy_sources, run_tests

# Those of features too: what is new is there as well.
CHECKS = [Path(__file__).with_name("new_filters.py"), *sorted(FOLDER.glob("*/new_filters.py"))]
# As docs/internals/contract.md shows it.
ROWS = """
    ListFilter(
        "sticky",
        Flag(),
        N_("Only events that stay on top, or only the others."),
        extension=True,
        reads="sticky",
        label=N_("On top"),
        in_bar=True,
        is_quick=True,
        tribe=("tribe_sticky",),
    ),
    ListFilter(
        "initial",
        Names(),
        N_("Events whose title begins with any of these letters."),
        extension=True,
        reads="initial",
        hides_masked=False,
        label=N_("First letter"),
        in_bar=True,
        tribe=("tribe_initial",),
    ),
"""
FUNCTION = """

def _initial(query: ListQuery, dialect: Dialect, wanted: Sequence[str]) -> Condition:
    return f"lower(substr(e.name, 1, 1)) IN ({placeholders(wanted)})", [one.lower() for one in wanted]


READ["initial"] = _initial
"""


def test_new_filters_are_everywhere(tmp_path: Path) -> None:
    copy = copy_sources(tmp_path)
    table = copy / "contract" / "kinds" / "event_filters.py"
    before = "    *CHOICE_FILTERS,\n"
    assert table.read_text().count(before) == 1
    table.write_text(table.read_text().replace(before, ROWS + before))
    with (copy / "store" / "query" / "row_filters.py").open("a") as conditions:
        conditions.write(FUNCTION)
    run_tests(tmp_path, *CHECKS)
