"""Features: each declares parts that are there, stands behind those that it imports, and can be taken away."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
from tests.effort import effort
from tests.source_copies import SOURCE, copy_sources

from kalends import hooks
from kalends.application import FEATURES
from kalends.feature import Feature

ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"
# Imports that still go against the order. Nothing is added here.
TO_BE_TURNED: dict[str, set[str]] = {}
ORDER = [feature.name for feature in FEATURES]
PART = re.compile(r"[a-z_.]+:\w+")


IMPORTED = re.compile(r"^ *(?:from|import) kalends\.features\.(\w+)", re.MULTILINE)


@cache
def imported(feature: str) -> set[str]:
    """The features that one imports."""
    texts = (path.read_text() for path in (SOURCE / "features" / feature).rglob("*.py"))
    return {name for text in texts for name in IMPORTED.findall(text)} - {feature}


def references(feature: Feature) -> Iterator[str]:
    """What a feature declares as `module:name`."""
    for field in fields(feature):
        value = getattr(feature, field.name)
        for one in value.values() if isinstance(value, dict) else [value]:
            if isinstance(one, str) and PART.fullmatch(one):
                yield one


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_what_it_declares_is_there(feature: Feature) -> None:
    found = list(references(feature))
    assert found
    assert all(feature.load(one) is not None for one in found)


def test_every_folder_is_listed() -> None:
    assert {path.parent.name for path in (SOURCE / "features").glob("*/__init__.py")} == set(ORDER)


@pytest.mark.parametrize("name", ORDER)
def test_it_imports_only_those_before_it(name: str) -> None:
    assert imported(name) - set(ORDER[: ORDER.index(name)]) == TO_BE_TURNED.get(name, set())


CALLED = re.compile(r"\bhooks\.(\w+)(?!\w)(?!\.by\()")


@pytest.mark.parametrize("hook", hooks.table(), ids=lambda hook: hook.name)
def test_a_hook_is_called_and_described(hook: hooks.Hook[..., object]) -> None:
    texts = (path.read_text() for path in SOURCE.rglob("*.py") if path.name != "hooks.py")
    assert any(hook.name in CALLED.findall(text) for text in texts)
    assert hook.about
    assert f"`{hook.name}`" in ARCHITECTURE.read_text()


PROGRAM = Path(__file__).parent / "copied_sources.py"


def without(features: set[str], folder: Path) -> Path:
    """A copy of the sources without the folders of some features and their lines in application.py."""
    copy = copy_sources(folder)
    for feature in features:
        shutil.rmtree(copy / "features" / feature)
    listed = copy / "application.py"
    constants = {feature.upper() for feature in features}
    lines = [line for line in listed.read_text().splitlines() if constants.isdisjoint(re.findall(r"\w+", line))]
    listed.write_text("\n".join(lines) + "\n")
    return folder


def naming(feature: str) -> set[str]:
    """The features that import one, directly or not."""
    found: set[str] = set()
    for name in ORDER:
        if imported(name) & {feature, *found}:
            found.add(name)
    return found


# All at once, which leaves the core alone, and then one by one.
@pytest.mark.parametrize("names", [ORDER, *effort([], [[name] for name in ORDER])], ids=", ".join)
def test_the_calendar_works_without_it(names: list[str], tmp_path: Path) -> None:
    folder = without({*names, *(other for name in names for other in naming(name))}, tmp_path)
    environ = {"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(
        [sys.executable, PROGRAM, folder],
        capture_output=True,
        text=True,
        env=environ,
        cwd=tmp_path,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
