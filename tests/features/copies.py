"""Copies of the sources and the tests without some features, and the tests that a copy has to pass."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests.features.naming import TESTS, WHOLE, named
from tests.source_copies import SOURCE, copy_sources

from kalends.application import FEATURES

ROOT = TESTS.parent
ORDER = [feature.name for feature in FEATURES]
IMPORTED = re.compile(r"^ *(?:from|import) kalends\.features\.(\w+)", re.MULTILINE)
IMPORTED_TESTS = re.compile(r"^ *(?:from|import) (tests(?:\.\w+)*)(?: import (.*))?", re.MULTILINE)
# A part of the core's tests that takes seconds: the interface, its description, rights, screens, series and feeds.
SOME = (
    "calendar/access/test_rights_without_a_record.py",
    "admin/test_rights_matrix.py",
    "contract/test_document.py",
    "contract/test_index.py",
    "site/feeds/test_feeds.py",
    "calendar/series/test_scopes.py",
    "http/test_response_headers.py",
    "http/api/one_calendar",
    "http/api/test_every_operation.py",
)


@cache
def imported(feature: str) -> set[str]:
    """The features that one imports."""
    texts = (path.read_text() for path in (SOURCE / "features" / feature).rglob("*.py"))
    return {name for text in texts for name in IMPORTED.findall(text)} - {feature}


def with_those_that_import(features: Iterable[str]) -> set[str]:
    """Some features, and those that cannot be without them."""
    found = set(features)
    for name in ORDER:  # each imports only those before it
        if imported(name) & found:
            found.add(name)
    return found


def copy_without(features: set[str], folder: Path) -> None:
    """The sources without the folders of some features and their lines in application.py, the tests without theirs,
    and links to the rest of the project."""
    copy = copy_sources(folder / "src")
    tests = shutil.copytree(TESTS, folder / "tests", ignore=shutil.ignore_patterns("*.pyc.*"))
    for feature in features:
        shutil.rmtree(copy / "features" / feature)
        shutil.rmtree(tests / "features" / feature, ignore_errors=True)
    listed = copy / "application.py"
    constants = {feature.upper() for feature in features}
    lines = [line for line in listed.read_text().splitlines() if constants.isdisjoint(re.findall(r"\w+", line))]
    listed.write_text("\n".join(lines) + "\n")
    for path in ROOT.iterdir():
        if path.name not in ("src", "tests") and not path.name.startswith("."):
            (folder / path.name).symlink_to(path)


def core_tests() -> list[Path]:
    """Every module of the tests that are neither a feature's nor of the whole product. The table of tests that run on
    both stores lists them all."""
    found = (path.relative_to(TESTS) for path in TESTS.rglob("*.py"))
    return sorted(path for path in found if path.parts[0] not in ("features", "both_stores.py", *WHOLE))


@cache
def needs(path: Path) -> frozenset[str]:
    """The features that a module of the tests names, or one that it imports."""
    return frozenset(name for one in _with_what_it_imports(path, set()) for name in named(one))


def _with_what_it_imports(path: Path, known: set[Path]) -> set[Path]:
    if path in known:
        return known
    known.add(path)
    conftest = path.with_name("conftest.py")
    for place in [*_imported_tests(path), *([conftest] if conftest.exists() else [])]:
        if place.is_relative_to(TESTS / "features"):
            _with_what_it_imports(place, known)
    return known


def _imported_tests(path: Path) -> Iterable[Path]:
    for module, names in IMPORTED_TESTS.findall(path.read_text()):
        folder = ROOT.joinpath(*module.split("."))
        for place in (folder, *(folder / name for name in re.findall(r"\w+", names))):
            if (file := place.with_suffix(".py")).exists():
                yield file


def feature_tests_without(features: set[str]) -> list[Path]:
    """The tests of other features that need none of these."""
    of_features = (TESTS / "features").glob("*/**/test_*.py")
    found = (path.relative_to(TESTS) for path in sorted(of_features) if needs(path).isdisjoint(features))
    return [path for path in found if path.parts[1] not in features]


def run_in(folder: Path, tests: Iterable[str | Path], *more: str) -> str:
    """What pytest says in a copy if a test fails there; the tests do what they usually do."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "TEST_ALL"))}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *more]
        + [str(Path("tests") / path) for path in tests],
        env=inherited | {"PYTHONPATH": str(folder / "src")},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if ran.returncode == 0 else ran.stdout[-6000:] + ran.stderr[-2000:]
