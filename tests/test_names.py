"""A name means one thing in the repository."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "kalends"


@cache
def trees() -> dict[str, ast.Module]:
    """Every module, parsed once, by its path."""
    return {str(path.relative_to(SOURCE)): ast.parse(path.read_text()) for path in sorted(SOURCE.rglob("*.py"))}


def test_a_public_class_name_occurs_once() -> None:
    places = defaultdict(list)
    for path, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
