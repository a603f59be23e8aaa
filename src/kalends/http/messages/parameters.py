"""Parameters of a query string or form: `a=1`, `a[]=1&a[]=2`, `a[0]=1`, `a[city]=Nice`, repeated `a=1&a=2`.

Unknown ones, and unknown keys of bodies, are ignored, and a Warning header names them. That of a read depends on the
address and the query string alone, so that cached responses of the interface have it too; it is in English, as they
are the same for every reader. Cached pages and feeds are the same for every query of which they read the same, and
get theirs when they are sent.
"""

import binascii
import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from urllib.parse import unquote_plus

import falcon

from kalends.contract.errors import INVALID_BODY, ApiError, FieldError
from kalends.contract.headers import GENERAL
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.contract.kinds.event_filters import FORGIVING_FILTERS
from kalends.contract.kinds.events import CUSTOM_VALUES
from kalends.contract.operations.model import Address
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


# What WordPress takes on every route, and what its clients and scripts add of themselves.
OF_REWRITTEN_ADDRESSES = frozenset(field.name for field in FORGIVING_FILTERS)  # nobody writes them
ACCEPTED = frozenset({
    *(general.field.name for general in GENERAL if general.location == "query"),
    "_embed", "_envelope", "_jsonp", "_locale", "_wpnonce", "context", "rest_route", "ical", "password",
})  # fmt: skip
LANGUAGE = "lang"  # every page reads it
SENT_BACK = ("_method", "_links", "_embedded")  # with a record that was read
TRACKING = ("utm_", "fbclid", "gclid")  # what other sites add to links
MOST_NAMED = 3
LONGEST_NAMED = 40
LONGEST_KEPT = 500
UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")


def warning(req: falcon.Request, resource: object) -> str | None:
    """The Warning header of the response, if it needs one."""
    if req.method in ("GET", "HEAD"):
        return warning_of(req.query_string, resource)
    address, sent = getattr(resource, "address", None), getattr(req.context, "sent", None)
    if not isinstance(address, Address) or not sent:
        return None
    if (known := _known(address, req.method)).issuperset(sent):
        return None
    names = [str(name).partition("[")[0] for name in sent]
    if CUSTOM_VALUES.name in known:
        known = known.union(row.name for row in defined_fields(resource.service.settings))  # type: ignore[attr-defined]
    return _warning_header(names, known)


def warning_of(query: str, resource: object) -> str | None:
    known = _known_by(resource) if query else None
    if known is None:
        return None
    if known.issuperset([part.partition("=")[0] for part in query.split("&", MOST_PARAMETERS)]):
        return None
    # Long queries rarely repeat and would take much memory.
    return _warning(known, query) if len(query) <= LONGEST_KEPT else _warning.__wrapped__(known, query)


def reduced(query: str, resource: object) -> str:
    """The query without what a page or feed does not read."""
    read: frozenset[str] | None = getattr(resource, "query_parameters", None)
    parts = query.split("&", MOST_PARAMETERS)
    if read is None or len(parts) > MOST_PARAMETERS:
        return query
    return "&".join([part for part in parts if (name := _name(part)) in read or name == LANGUAGE])


def _known_by(resource: object) -> frozenset[str] | None:
    """The parameters that cause no warning; None where any may be sent."""
    address = getattr(resource, "address", None)
    if isinstance(address, Address):
        return _known(address, "GET")
    read: frozenset[str] | None = getattr(resource, "query_parameters", None)
    return None if read is None else read | ACCEPTED


def _known(address: Address, method: str) -> frozenset[str]:
    """By its pattern, which is unique: an address itself has no hash."""
    found = _KNOWN.get((address.pattern, method))
    if found is None:
        operations = (operation for operation in address.operations if method in operation.methods)
        names = (field.name for operation in operations for field in operation.parameters)
        found = ACCEPTED.union(names, () if method == "GET" else (*SENT_BACK, *address.response_keys))
        _KNOWN[address.pattern, method] = found
    return found


_KNOWN: dict[tuple[str, str], frozenset[str]] = {}


@lru_cache(1024)
def _warning(known: frozenset[str], query: str) -> str | None:
    return _warning_header(map(_name, query.split("&", MOST_PARAMETERS)), known)


def _warning_header(sent: Iterable[str], known: frozenset[str]) -> str | None:
    unknown = [name for name in dict.fromkeys(sent) if name and name not in known and not name.startswith(TRACKING)]
    if not unknown:
        return None
    sentences = [_sentence(name, known) for name in unknown[:MOST_NAMED]]
    if len(unknown) > MOST_NAMED:
        sentences.append(f"And {len(unknown) - MOST_NAMED} more.")
    return f'299 - "{" ".join(sentences)}"'


def _name(part: str) -> str:
    """That of a parameter, `a` of `a[]=1`."""
    return unquote_plus(part.partition("=")[0]).partition("[")[0]


def _sentence(name: str, known: frozenset[str]) -> str:
    shown = UNSAFE.sub("?", name[:LONGEST_NAMED])
    close = get_close_matches(shown.lower(), sorted(known - OF_REWRITTEN_ADDRESSES), 1)
    return f"Unknown parameter: {shown}; did you mean {close[0]}?" if close else f"Unknown parameter: {shown}."
