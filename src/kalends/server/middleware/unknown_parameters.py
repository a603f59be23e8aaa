"""Unknown parameters are ignored, and a Warning header names them.

That of a read depends on the address and the query string alone, so that kept responses have it too; it is in
English, as they are the same for every reader.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from urllib.parse import unquote_plus

import falcon

from kalends.contract.headers import GENERAL
from kalends.contract.operations import Address
from kalends.server.http.parameters import MOST_PARAMETERS

# What WordPress takes on every route, and what its clients and scripts add of themselves.
ACCEPTED = frozenset({
    *(general.field.name for general in GENERAL if general.place == "query"),
    "_embed", "_envelope", "_jsonp", "_locale", "_wpnonce", "context", "rest_route", "ical", "password",
})  # fmt: skip
WITH_A_BODY = ("_method", "_links", "_embedded")
TRACKING = ("utm_", "fbclid", "gclid")  # that other sites add to links
MOST_NAMED = 3
LONGEST_NAME = 40
LONGEST_KEPT = 500
UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")


def warning(req: falcon.Request, resource: object) -> str | None:
    """The Warning header of the response, if it needs one."""
    if req.method in ("GET", "HEAD"):
        return _of_query(req.query_string, _known_to(resource)) if req.query_string else None
    address, sent = getattr(resource, "address", None), getattr(req.context, "sent", None)
    if not isinstance(address, Address) or not sent:
        return None
    return _told([str(name) for name in sent], _known(address, req.method))


def _known_to(resource: object) -> frozenset[str] | None:
    """The parameters of a read: those of an operation, or of a page or feed that names them."""
    address = getattr(resource, "address", None)
    if isinstance(address, Address):
        return _known(address, "GET")
    named: frozenset[str] | None = getattr(resource, "known_parameters", None)
    return None if named is None else _and_accepted(named)


@cache
def _and_accepted(named: frozenset[str]) -> frozenset[str]:
    return ACCEPTED | named


def _of_query(query: str, known: frozenset[str] | None) -> str | None:
    if known is None or known.issuperset([part.partition("=")[0] for part in query.split("&", MOST_PARAMETERS)]):
        return None
    # Long queries rarely repeat and would take much memory.
    return _warning(known, query) if len(query) <= LONGEST_KEPT else _warning.__wrapped__(known, query)


def _known(address: Address, method: str) -> frozenset[str]:
    """By its pattern, which is unique: an address itself has no hash."""
    found = _KNOWN.get((address.pattern, method))
    if found is None:
        operations = (operation for operation in address.operations if method in operation.methods)
        names = (field.name for operation in operations for field in operation.parameters)
        found = ACCEPTED.union(names, () if method == "GET" else (*WITH_A_BODY, *address.shown))
        _KNOWN[address.pattern, method] = found
    return found


_KNOWN: dict[tuple[str, str], frozenset[str]] = {}


@lru_cache(1024)
def _warning(known: frozenset[str], query: str) -> str | None:
    return _told([unquote_plus(part.partition("=")[0]) for part in query.split("&", MOST_PARAMETERS)], known)


def _told(sent: Sequence[str], known: frozenset[str]) -> str | None:
    names = dict.fromkeys(name.partition("[")[0] for name in sent)
    unknown = [name for name in names if name and name not in known and not name.startswith(TRACKING)]
    if not unknown:
        return None
    sentences = [_sentence(name, known) for name in unknown[:MOST_NAMED]]
    if len(unknown) > MOST_NAMED:
        sentences.append(f"And {len(unknown) - MOST_NAMED} more.")
    return f'299 - "{" ".join(sentences)}"'


def _sentence(name: str, known: frozenset[str]) -> str:
    shown = UNSAFE.sub("?", name[:LONGEST_NAME])
    close = get_close_matches(shown.lower(), sorted(known), 1)
    return f"Unknown parameter: {shown}; did you mean {close[0]}?" if close else f"Unknown parameter: {shown}."
