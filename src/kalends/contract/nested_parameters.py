"""Parameters that name something within themselves: `custom[doors]=18:30`, `custom[seats][from]=10`."""

from collections.abc import Iterator, Mapping


def leaves(name: str, sent: object) -> Iterator[tuple[str, str]]:
    """What was sent under a name, right or wrong, as pairs of an address. Empty elements of lists are none."""
    if isinstance(sent, Mapping):
        for key, one in sent.items():
            yield from leaves(f"{name}[{key}]", one)
    elif isinstance(sent, list):
        filled = [one for one in sent if not isinstance(one, str) or one.strip()]
        for place, one in enumerate(filled):
            yield from leaves(f"{name}[{place}]" if len(filled) > 1 else name, one)
    elif isinstance(sent, str):
        yield name, sent.strip()


def nested(pairs: Mapping[str, str]) -> dict[str, object]:
    """The parameters of an address as they are read."""
    found: dict[str, object] = {}
    for name, value in pairs.items():
        inner, path = found, name.removesuffix("]").replace("][", "[").split("[") if is_nested(name) else [name]
        for key in path[:-1]:
            below = inner.setdefault(key, {})
            inner = below if isinstance(below, dict) else {}
        inner[path[-1]] = value
    return found


def is_nested(name: str) -> bool:
    return "[" in name


def inner_name(name: str) -> str:
    """What a nested parameter names first: `doors`."""
    return name.partition("[")[2].partition("]")[0]
