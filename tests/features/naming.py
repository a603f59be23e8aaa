"""By what a test names a feature: what it imports, and the addresses in its texts."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from kalends.application import FEATURES
from kalends.feature import Feature

TESTS = Path(__file__).parents[1]
# Those of the whole product, with all features.
WHOLE = ("product",)
IMPORTED = re.compile(r"(?:kalends|tests)\.features\.(\w+)")
# Addresses that a feature does not declare, but adds to an application.
ADDED = {
    "mail": ("/follow",),
    "wordpress": ("/wp-json/wp", "/wp-json/tec", "wp/v2", "tec/v1", "/events/feed", "?ical=1", "rest_route"),
}


def addresses_of(feature: Feature) -> Iterator[str]:
    """The addresses of a feature, each up to what is filled in."""
    for address in feature.load(feature.addresses) if feature.addresses else ():
        yield address.pattern.partition("/(")[0]
    for path in feature.load(feature.screens) if feature.screens else ():
        if path.partition("/{")[0] not in ("/admin", "/admin/events", "/admin/people"):
            yield path.partition("/{")[0]
    yield from feature.protocols
    yield from ADDED.get(feature.name, ())


def pattern_of(feature: Feature) -> re.Pattern[str]:
    alternatives = "|".join(sorted(map(re.escape, set(addresses_of(feature)))))
    return re.compile(rf"(?:{alternatives or '(?!)'})(?![\w-])")


@cache
def patterns() -> dict[str, re.Pattern[str]]:
    return {feature.name: pattern_of(feature) for feature in FEATURES}


def texts(path: Path) -> Iterator[str]:
    """The texts in a module but for its documentation."""
    tree = ast.parse(path.read_text())
    told = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def named(path: Path) -> dict[str, str]:
    """The features that a module of the tests names, and by what."""
    found = {name: f"imports {name}" for name in IMPORTED.findall(path.read_text())}
    # Most texts are no addresses.
    for text in (text for text in texts(path) if "/" in text or "?" in text or "_route" in text):
        for name, pattern in patterns().items():
            if match := pattern.search(text):
                found.setdefault(name, match[0])
    return found
