"""Parameters of a query string or form: `a=1`, `a[]=1&a[]=2`, `a[0]=1`, `a[city]=Nice`, repeated `a=1&a=2`."""

import binascii
import re
from collections.abc import Iterable

from kalends.contract.errors import INVALID_BODY, ApiError, FieldError
from kalends.contract.types import Several
from kalends.languages import N_
from kalends.values.marks import has_long_run

MOST_PARAMETERS = 5000
DEEPEST = 5
LONGEST_NAME = 1000
KEY = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])*)")
NO_ESCAPE = re.compile(r"%(?![0-9A-Fa-f][0-9A-Fa-f])")  # quicker than {2}
MOST_LITERAL = 70_000  # percent signs that are no escapes; no address has more
STEP = re.compile(r"\[([^\[\]]*)\]")

Sent = dict[str, object]


def from_query(query: str) -> Sent:
    if query.count("&") >= MOST_PARAMETERS:
        reason = FieldError("", N_("it has more than {maximum} parameters."), maximum=MOST_PARAMETERS)
        raise ApiError(INVALID_BODY, reason=reason)
    # As most are: nothing is encoded, and nothing to take apart any further.
    is_encoded = "%" in query or "+" in query or not query.isascii()
    if not is_encoded and "[" not in query and "]" not in query and len(query) <= LONGEST_NAME:
        sent: Sent = {}
        for name, _, value in [part.partition("=") for part in query.split("&") if part]:
            if name in sent:
                _add(sent, name, value)
            else:
                sent[name] = value
        return sent
    parts = [part.partition("=") for part in query.split("&") if part]
    return from_pairs([(unquoted(name), unquoted(value)) for name, _, value in parts])


def unquoted(text: str) -> str:
    """Text without its percent-encoding; a percent sign that is no escape stands for itself."""
    text = text.replace("+", " ")
    if "%" not in text:
        return text
    # Quoted-printable is the same with another sign, and its decoder is the fastest: 2 MB take 15 ms, while the
    # standard library's `unquote` takes a second.
    quoted = text.replace("=", "=3D")
    written = quoted.replace("%", "=").encode("utf-8", "surrogatepass")
    plain = binascii.a2b_qp(written)
    # Each escape is two characters shorter now. A line break behind the sign would be, too.
    if len(written) - len(plain) != 2 * (text.count("%") + text.count("=")) or "%\n" in text or "%\r" in text:
        quoted, count = NO_ESCAPE.subn("=25", quoted, count=MOST_LITERAL)
        if count == MOST_LITERAL:
            raise ApiError(INVALID_BODY, reason=FieldError("", N_("the form is malformed.")))
        plain = binascii.a2b_qp(quoted.replace("%", "=").encode("utf-8", "surrogatepass"))
    return plain.decode("utf-8", "replace")


def from_pairs(pairs: Iterable[tuple[str, str]]) -> Sent:
    """Builds the tree that the names describe. A malformed name is taken literally."""
    sent: Sent = {}
    positions = Positions()
    for name, value in pairs:
        check_name(name)
        if "[" not in name and "]" not in name:
            _add(sent, name, value)
            continue
        match = KEY.fullmatch(name)
        steps = STEP.findall(match[2]) if match else []
        if match is None or len(steps) > DEEPEST:
            sent[name] = value
        elif steps:
            _put(sent, match[1], steps, value, positions)
        else:
            _add(sent, name, value)
    return sent


def _add(sent: Sent, name: str, value: str) -> None:
    known = sent.get(name)
    if known is None:
        sent[name] = value
    elif isinstance(known, Several):
        known.append(value)
    else:
        sent[name] = Several([known, value])


class Positions:
    """The next position in each list, remembered so that a long one is not walked through for every element."""

    def __init__(self) -> None:
        self._next: dict[int, int] = {}

    def next_position(self, node: Sent) -> str:
        position = max(self._next.get(id(node), 0), len(node))
        while str(position) in node:
            position += 1
        self._next[id(node)] = position + 1
        return str(position)


def check_name(name: str) -> None:
    if len(name) > LONGEST_NAME or has_long_run(name):
        raise ApiError(INVALID_BODY, reason=FieldError("", N_("the name of a parameter is too long.")))


def _put(sent: Sent, name: str, path: list[str], value: str, positions: Positions) -> None:
    """Follows `[step][step]`; an empty step is the next position."""
    node = sent.get(name)
    if not isinstance(node, dict):
        node = sent[name] = {}
    for step in path[:-1]:
        key = step or positions.next_position(node)
        inner = node.get(key)
        if not isinstance(inner, dict):
            inner = node[key] = {}
        node = inner
    last = path[-1] or positions.next_position(node)
    if isinstance(node.get(last), dict):
        node[last] = value
    else:
        _add(node, last, value)
