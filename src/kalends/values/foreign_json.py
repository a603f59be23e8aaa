"""JSON that others wrote: whatever is wrong with it is one error, and it nests only so far that it can be told."""

from typing import Any

import msgspec

DEEPEST = 100  # levels; what is told of a value takes a few frames for each


class NotJson(ValueError):
    """The message says what is wrong."""


def read(text: bytes) -> Any:
    """Raises NotJson."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotJson(str(error)) from None
    except RecursionError:
        raise NotJson("it nests too deeply") from None
    if text.count(b"[") + text.count(b"{") > DEEPEST and _is_deep(value):
        raise NotJson("it nests too deeply")
    return value


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _parts(outer) if isinstance(inner, dict | list)]
    return bool(level)


def _parts(value: object) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
