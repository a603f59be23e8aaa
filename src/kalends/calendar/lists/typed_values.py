"""Values of filters with the types that the contract gives them."""

from kalends.contract.fields import Values


def flag(values: Values, name: str) -> bool | None:
    value = values.get(name)
    return value if isinstance(value, bool) else None


def number(values: Values, name: str) -> int | None:
    value = values.get(name)
    return value if isinstance(value, int) else None


def text(values: Values, name: str) -> str | None:
    return None if name not in values else str(values[name])


def elements(values: Values, name: str) -> list[object]:
    value = values.get(name)
    return value if isinstance(value, list) else []


def ids(values: Values, name: str) -> list[int] | None:
    value = values.get(name)
    return [id for id in value if isinstance(id, int)] if isinstance(value, list) else None


def strings(values: Values, name: str) -> list[str] | None:
    value = values.get(name)
    return [str(word) for word in value] if isinstance(value, list) else None
