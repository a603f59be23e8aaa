"""Unknown parameters of a read are ignored, and a Warning header names them.

The header depends on the address and the query string alone, so that kept responses have it too; it is in English, as
they are the same for every reader.
"""

import re
from difflib import get_close_matches
from functools import lru_cache
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
MOST_NAMED = 3
LONGEST_NAME = 40
LONGEST_KEPT = 500
UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")


def warning(req: falcon.Request, resource: object) -> str | None:
    """The Warning header of the response, if it needs one."""
    address = getattr(resource, "address", None)
    if not req.query_string or not isinstance(address, Address):
        return None
    known, query = _known(address), req.query_string
    if known.issuperset([part.partition("=")[0] for part in query.split("&", MOST_PARAMETERS)]):
        return None
    # Long queries rarely repeat and would take much memory.
    return _warning(known, query) if len(query) <= LONGEST_KEPT else _warning.__wrapped__(known, query)


def _known(address: Address) -> frozenset[str]:
    """By its pattern, which is unique: an address itself has no hash."""
    found = _KNOWN.get(address.pattern)
    if found is None:
        reads = (operation for operation in address.operations if "GET" in operation.methods)
        found = _KNOWN[address.pattern] = ACCEPTED.union(field.name for read in reads for field in read.parameters)
    return found


_KNOWN: dict[str, frozenset[str]] = {}


@lru_cache(1024)
def _warning(known: frozenset[str], query: str) -> str | None:
    sent = (unquote_plus(part.partition("=")[0]).partition("[")[0] for part in query.split("&", MOST_PARAMETERS))
    unknown = [name for name in dict.fromkeys(sent) if name and name not in known]
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
