"""Features: each declares parts that are there, and stands behind those that it imports."""

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from tests.features.copies import ORDER, imported
from tests.source_copies import SOURCE

from kalends import hooks
from kalends.application import FEATURES
from kalends.feature import Feature

ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"
# Imports that still go against the order. Nothing is added here.
TO_BE_TURNED: dict[str, set[str]] = {}
PART = re.compile(r"[a-z_.]+:\w+")


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
