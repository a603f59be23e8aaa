"""Parameters of a query string or form: `a=1`, `a[]=1&a[]=2`, `a[0]=1`, `a[city]=Nice`, repeated `a=1&a=2`."""

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl

from kalends.contract.errors import INVALID_BODY, N_, Invalid, Refusal
from kalends.contract.types import Several

MOST_PARAMETERS = 5000
DEEPEST = 5
KEY = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])*)")
STEP = re.compile(r"\[([^\[\]]*)\]")

Sent = dict[str, object]


def from_query(query: str) -> Sent:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, errors="replace", max_num_fields=MOST_PARAMETERS)
    except ValueError:
        reason = Invalid("", N_("it has more than {maximum} parameters."), maximum=MOST_PARAMETERS)
        raise Refusal(INVALID_BODY, reason=reason) from None
    return from_pairs(pairs)


def from_pairs(pairs: Iterable[tuple[str, str]]) -> Sent:
    """Builds the tree that the names describe. A name that makes no sense stands for itself."""
    sent: Sent = {}
    for name, value in pairs:
        if "[" not in name and "]" not in name:
            _add(sent, name, value)
            continue
        match = KEY.fullmatch(name)
        steps = STEP.findall(match[2]) if match else []
        if match is None or len(steps) > DEEPEST:
            sent[name] = value
        elif steps:
            _put(sent, match[1], steps, value)
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


def _put(sent: Sent, name: str, steps: list[str], value: str) -> None:
    """Follows `[step][step]`; an empty step is the next position."""
    node = sent.get(name)
    if not isinstance(node, dict):
        node = sent[name] = {}
    for step in steps[:-1]:
        key = step or _next_position(node)
        inner = node.get(key)
        if not isinstance(inner, dict):
            inner = node[key] = {}
        node = inner
    node[steps[-1] or _next_position(node)] = value


def _next_position(node: Sent) -> str:
    position = len(node)
    while str(position) in node:
        position += 1
    return str(position)
