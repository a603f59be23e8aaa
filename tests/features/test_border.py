"""The border between the core and the features: the core's tests name no feature, and pass without any of them.

Taken away are all features at once, and with TEST_ALL each of them alone with those that import it; then the tests of
the others that do not need it pass as well."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.effort import effort
from tests.features.copies import (
    ORDER,
    SOME,
    copy_without,
    core_tests,
    feature_tests_without,
    run_in,
    with_those_that_import,
)
from tests.features.naming import TESTS, named

PROGRAM = Path(__file__).with_name("copied_sources.py")
# What a run in a copy leaves out: what needs a browser or PostgreSQL says nothing more about what is missing.
LEFT_OUT = ("-k", "not postgresql", "--ignore-glob", "*browser*")


def test_the_core_s_tests_name_no_feature() -> None:
    found = {str(path): by for path in core_tests() if (by := named(TESTS / path))}
    assert found == {}, "move it to tests/features, or let a feature add it (tests/feature_parts.py)"


def test_what_names_a_feature_is_found(tmp_path: Path) -> None:
    module = tmp_path / "test_some.py"
    for line, name in {
        "from kalends.features.mail import outbox": "mail",
        "from tests.features.sources.calendars import read": "sources",
        'world.post("/webhooks", json={})': "webhooks",
        'world.get(f"{BASE_URL}/wp-json/wp/v2/media/{id}")': "wordpress",
        'admin.get("/admin/history?kind=venue")': "history",
    }.items():
        module.write_text(line)
        assert set(named(module)) == {name}
    module.write_text('world.get("/events"), admin.get("/admin/events/1"), "/webhooks-of-others"')
    assert named(module) == {}


def test_the_calendar_starts_without_features(tmp_path: Path) -> None:
    """And shows its pages and screens: the program asserts that it runs in the copy."""
    copy_without(set(ORDER), tmp_path)
    environ = {"PYTHONPATH": str(tmp_path / "src"), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(
        [sys.executable, PROGRAM, tmp_path / "src"],
        capture_output=True,
        text=True,
        env=environ,
        cwd=tmp_path,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]


# All at once, which leaves the core alone, and then one by one.
@pytest.mark.parametrize("names", [ORDER, *effort([], [[name] for name in ORDER])], ids=", ".join)
def test_the_core_and_those_that_do_not_need_them_pass_their_tests(names: list[str], tmp_path: Path) -> None:
    gone = with_those_that_import(names)
    copy_without(gone, tmp_path)
    everything = {Path(path.parts[0]) for path in core_tests() if path.name.startswith("test_")}
    tests = effort(SOME, [*sorted(everything), *feature_tests_without(gone)])
    assert run_in(tmp_path, tests, *LEFT_OUT) == ""
