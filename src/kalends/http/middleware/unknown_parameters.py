"""Unknown parameters and unknown keys of bodies are ignored, and a Warning header names them.

That of a read depends on the address and the query string alone, so that kept responses of the interface have it
too; it is in English, as they are the same for every reader. Kept pages and feeds are the same for every query of
which they read the same, and get theirs when they are sent.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from urllib.parse import unquote_plus

import falcon

from kalends.contract.headers import GENERAL
from kalends.contract.kinds.event_filters import FORGIVING_FILTERS
from kalends.contract.operations.model import Address
from kalends.http.messages.parameters import MOST_PARAMETERS
from kalends.values.custom_fields import FIELD, PREFIX

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
LONGEST_NAME = 40
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
    if FIELD in known:
        known = known.union(_custom(resource, names))
    return _warning_header(names, known)


def _custom(resource: object, names: Iterable[str]) -> list[str]:
    """Those of some names that are custom fields of events."""
    defined = resource.service.settings.custom_fields  # type: ignore[attr-defined]
    return [name for name in names if name.startswith(PREFIX) and defined.find(name) is not None]


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
    shown = UNSAFE.sub("?", name[:LONGEST_NAME])
    close = get_close_matches(shown.lower(), sorted(known - OF_REWRITTEN_ADDRESSES), 1)
    return f"Unknown parameter: {shown}; did you mean {close[0]}?" if close else f"Unknown parameter: {shown}."
