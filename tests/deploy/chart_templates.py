"""As much of Helm's template language as our chart uses: values, `if`, `range`, and a few functions. Where helm
itself is installed, the test asks it too."""

import json
import re
from typing import Any

TAG = re.compile(r"(\s*)\{\{(-?)\s*(.*?)\s*(-?)\}\}(\s*)", re.DOTALL)
Tree = list[Any]


def render(template: str, context: dict[str, Any]) -> str:
    """The text of a template. What it does not know is an error."""
    tree, rest = _parse(_tokens(template), 0)
    assert rest is None
    return _written(tree, context, {})


def _tokens(template: str) -> list[tuple[str, str]]:
    found, last = [], 0
    for match in TAG.finditer(template):
        before, left, expression, right, after = match.groups()
        found.append(("text", template[last : match.start()] + ("" if left else before)))
        found.append(("tag", expression))
        last = match.end() if right else match.end() - len(after)
    return [*found, ("text", template[last:])]


def _parse(tokens: list[tuple[str, str]], place: int) -> tuple[Tree, int | None]:
    tree: Tree = []
    while place < len(tokens):
        kind, value = tokens[place]
        if kind == "tag" and value in ("end", "else"):
            return tree, place
        if kind == "tag" and value.startswith(("if ", "range ")):
            inner, end = _parse(tokens, place + 1)
            assert end is not None, f"{value} has no end"
            other: Tree = []
            if tokens[end][1] == "else":
                other, end = _parse(tokens, end + 1)  # type: ignore[assignment]
            tree.append((value, inner, other))
            place = end + 1
            continue
        tree.append((kind, value))
        place += 1
    return tree, None


def _written(tree: Tree, context: dict[str, Any], variables: dict[str, Any]) -> str:
    parts = []
    for node in tree:
        if len(node) == 2:
            kind, value = node
            parts.append(value if kind == "text" else _shown(_value(value, context, variables)))
            continue
        head, inner, other = node
        if head.startswith("if "):
            chosen = inner if _value(head[3:], context, variables) else other
            parts.append(_written(chosen, context, variables))
            continue
        names, _, path = head[6:].partition(" := ")
        key, one = [name.strip() for name in names.split(",")]
        for name, value in sorted(_value(path, context, variables).items()):
            parts.append(_written(inner, context, variables | {key: name, one: value}))
    return "".join(parts)


def _value(expression: str, context: dict[str, Any], variables: dict[str, Any]) -> Any:
    first, *pipes = [part.strip() for part in expression.split("|")]
    value = _named(first, context, variables)
    for pipe in pipes:
        if pipe == "quote":
            value = json.dumps(_shown(value))
        elif pipe == "toJson":
            value = json.dumps(value)
        elif pipe.startswith("default "):
            value = value or _named(pipe[8:], context, variables)
        else:
            raise AssertionError(f"unknown function: {pipe}")
    return value


def _named(name: str, context: dict[str, Any], variables: dict[str, Any]) -> Any:
    if name.startswith("$"):
        return variables[name]
    value: Any = context
    for step in name.removeprefix(".").split("."):
        value = value[step]
    return value


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
