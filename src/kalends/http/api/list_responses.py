"""Sends a list: records, totals and the addresses of the neighbouring pages."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any
from urllib.parse import quote

import falcon
import msgspec
from msgspec.structs import replace

from kalends.calendar.access import visibility_of
from kalends.calendar.lists import pages
from kalends.calendar.lists.joined_fragments import GatheredFragments, read_page
from kalends.calendar.lists.pages import Page
from kalends.calendar.posts import protected_events
from kalends.calendar.posts.posts import BundledPost
from kalends.calendar.service import Calendar
from kalends.contract.errors import OUT_OF_BOUNDS, ApiError, FieldError, Problems
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import EVENT, Kind
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages import responses
from kalends.http.messages.parameters import Sent, from_query
from kalends.http.request_context import RequestContext, client_address, context_of, keep_until
from kalends.http.service import Service
from kalends.languages import N_
from kalends.present import json as representation
from kalends.present import prerendered
from kalends.present.addresses import Addresses

_encode = msgspec.json.encode
ENVELOPE_KEYS = {"next": "next_rest_url", "prev": "previous_rest_url"}  # by the relation of a link

Join = Callable[[bytes, bytes], bytes]  # the records of a list between what comes before and after them


class ListRequest(msgspec.Struct, frozen=True):
    """A list as a client asked for it."""

    kind: Kind
    sent: Sent
    reading: Reading
    password: str | None  # of events
    fields: responses.Fields  # the keys of each record; empty for all, as fragments have them
    client: str  # the address of the client, where a password may be wrong
    context: RequestContext


def send_list(service: Service, req: falcon.Request, resp: falcon.Response, kind: Kind) -> None:
    """Parameters → a page of the calendar → its JSON → headers."""
    request = _read_request(req, kind)
    try:
        page, join = _find(service.calendar, request)
        address = f"{request.context.addresses.ns}/{kind.plural}/?"
        query = query_of(_filters(request, page))
        neighbours = _neighbours(address, query, page)
        body = join(*_envelope(kind, f"{address}page={page.number}&{query}", neighbours, page))
    except prerendered.ListTooLarge:
        raise _too_large() from None
    if request.password is None:  # keys.py does not see an escaped name
        keep_until(req, page.valid_until)
    headers = responses.headers_of(resp)
    headers.update(_total_headers(page.total, page.pages))
    if neighbours:
        headers["link"] = ", ".join([f'<{url}>; rel="{name}"' for name, url in neighbours.items()])
    # Of what an anonymous reader sees, the journal is at hand.
    changed = service.calendar.revision().changed if visibility_of(request.context.caller).is_public else None
    by_clock = page.valid_until != FOREVER
    responses.send_read(req, resp, body, changed=changed, by_clock=by_clock, secret=request.password is not None)


def _too_large() -> ApiError:
    problems = Problems()
    sentence = N_("asks for more than {megabytes} MB; ask for fewer records, or for some of their keys with _fields.")
    problems.add("per_page", FieldError(OUT_OF_BOUNDS, sentence, megabytes=prerendered.LARGEST_LIST >> 20))
    return problems.error()


def _envelope(kind: Kind, address: str, neighbours: Mapping[str, str], page: Page) -> tuple[bytes, bytes]:
    """What comes before the records of a page and after them."""
    envelope: dict[str, object] = {"rest_url": address}
    for name in neighbours:
        envelope[ENVELOPE_KEYS[name]] = neighbours[name]
    envelope["total"], envelope["total_pages"] = page.total, page.pages
    return b'{"%b":' % kind.plural.encode(), b"," + _encode(envelope)[1:]


def _read_request(req: falcon.Request, kind: Kind) -> ListRequest:
    context, query = context_of(req), req.query_string
    fields = responses.chosen_fields(req) if "_fields" in query else {}
    sent = from_query(query)
    reading = read_query(kind.filters, sent)
    password = None
    if "password" in reading.values:
        password = str(reading.values.pop("password") or "") or None
    return ListRequest(
        kind,
        sent,
        reading,
        password,
        fields,
        "" if password is None else client_address(req, context.settings),
        context,
    )


def _find(calendar: Calendar, request: ListRequest) -> tuple[Page, Join]:
    """A page, and its records as JSON: from fragments, or else rendered from the records."""
    kind, caller, reading = request.kind, request.context.caller, request.reading
    if request.password is None and not request.fields:
        listed = read_page(calendar, caller, kind, reading)
        if listed is not None:
            page, fragments = listed
            return page, partial(_join_fragments, kind, _with_occurrences(fragments, page), request.context.addresses)
    items: Iterator[representation.Json]
    context = request.context.render_context
    if kind.is_term:
        page, terms = calendar.read(caller, pages.list_terms, kind, reading)
        items = (representation.term(kind, term, count, context) for term, count in terms)
    else:
        shown: Sequence[BundledPost]
        if kind is EVENT:
            digest = None
            if request.password is not None:
                digest = protected_events.digest_for_list(calendar, caller, request.password, request.client)
            page, shown = calendar.read(caller, pages.list_events, reading, digest)
        else:
            page, shown = calendar.read(caller, pages.list_posts, kind, reading)
        items = (representation.post(post, bundle, context) for post, bundle in shown)
    encoded = _encode_items(_counted(items, page), request.fields)
    return page, lambda before, after: b"%b[%b]%b" % (before, encoded, after)


def _counted(items: Iterator[representation.Json], page: Page) -> Iterator[representation.Json]:
    """In a list that collapses series, each event with the number of occurrences."""
    if page.occurrences is None:
        return items
    return (item | {"occurrences": count} for item, count in zip(items, page.occurrences, strict=True))


def _encode_items(items: Iterator[representation.Json], fields: responses.Fields) -> bytes:
    """One by one, so that a list that becomes too large ends early."""
    encoded, size = [], 0
    for item in items:
        encoded.append(_encode(responses.choose(item, fields)))
        size += len(encoded[-1])
        prerendered.check_size(size)
    return b",".join(encoded)


def _with_occurrences(found: GatheredFragments, page: Page) -> GatheredFragments:
    """The fragments of a list that collapses series, each with the number of occurrences."""
    if page.occurrences is None:
        return found
    counted = zip(found.events, page.occurrences, strict=True)
    return replace(
        found, events=[(body[:-1] + b',"occurrences":%d}' % count, links) for (body, links), count in counted]
    )


def wants_whole_records(req: falcon.Request) -> bool:
    return not responses.chosen_fields(req)


def _join_fragments(kind: Kind, found: GatheredFragments, addresses: Addresses, before: bytes, after: bytes) -> bytes:
    if kind is EVENT:
        embedded = prerendered.embedded_fragments(found.parts, addresses)
        return prerendered.events(
            found.events, embedded, found.parents, found.values, found.more, before=before, after=after
        )
    if kind.is_term:
        counted = list(zip(found.found, found.counts, strict=True))
        return prerendered.terms(counted, addresses, before=before, after=after)
    return prerendered.companions(kind, found.found, addresses, found.more, before=before, after=after)


def _filters(request: ListRequest, page: Page) -> dict[str, object]:
    """Every filter that was applied, for the addresses in the envelope."""
    filters: dict[str, object] = {"per_page": page.size, **page.effective}
    if not request.kind.is_term and "status" not in filters and request.context.caller.is_anonymous:
        filters["status"] = "publish"
    if "_fields" in request.sent:
        filters["_fields"] = request.sent["_fields"]
    return filters


def _neighbours(address: str, query: str, page: Page) -> dict[str, str]:
    """The addresses of the next page and of the previous one; that of the first page has no number."""
    number, found = page.number, dict[str, str]()
    if number < page.pages:
        found["next"] = f"{address}page={number + 1}&{query}"
    if number > 1:
        named = f"page={number - 1}&" if number > 2 else ""
        found["prev"] = f"{address}{named}{query}"
    return found


def _total_headers(total: int, pages: int) -> dict[str, str]:
    """The headers that count a list."""
    records, page_count = str(total), str(pages)
    return {
        "x-tec-total": records,
        "x-wp-total": records,
        "x-tec-totalpages": page_count,
        "x-wp-totalpages": page_count,
    }


def query_of(filters: Mapping[str, object]) -> str:
    """Filters as they stand in an address."""
    written: list[str] = []
    for name, value in filters.items():
        text = value if type(value) is str else str(value) if type(value) is int else _as_text(value)
        written += (f"{_quoted_name(name)}={_quoted_name(text) if len(text) < LONGEST_KEPT else _quoted(text)}",)
    return "&".join(written)


SAFE = ","
LONGEST_KEPT = 30  # characters
QUOTED = {code: quote(chr(code), safe=SAFE) for code in range(128)}


def _quoted(text: str) -> str:
    return text.translate(QUOTED) if text.isascii() else quote(text, safe=SAFE)


_quoted_name = lru_cache(2048)(_quoted)  # names are few, and so are days


def _as_text(value: Any) -> str:
    """A value as a client would write it in an address."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(_as_text(element) for element in value)
    if isinstance(value, dict):
        return ",".join(_as_text(element) for element in value.values())
    return str(value)
