"""Sends a list: records, totals and the addresses of the neighbouring pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any
from urllib.parse import quote

import falcon
import msgspec

from kalends.calendar.access import Caller
from kalends.calendar.fragments.gathering import GatheredFragments
from kalends.calendar.lists.pages import Page
from kalends.calendar.service import Calendar, Shown
from kalends.contract.errors import OUT_OF_BOUNDS, ApiError, FieldError, Problems
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import EVENT, Kind
from kalends.languages import N_
from kalends.present import json as representation
from kalends.present import prerendered
from kalends.present.addresses import Addresses
from kalends.present.render_context import RenderContext
from kalends.server.api import responses
from kalends.server.api.parameters import Sent, from_query
from kalends.server.request_context import client_address, context_of, keep_until
from kalends.server.service import Service

_encode = msgspec.json.encode
ENVELOPE_KEYS = {"next": b"next_rest_url", "prev": b"previous_rest_url"}


@dataclass(frozen=True, slots=True)
class ListRequest:
    """A list as a client asked for it."""

    kind: Kind
    sent: Sent
    reading: Reading
    password: str | None  # of events
    fields: responses.Fields  # the keys of each record; empty for all
    is_whole: bool  # so that fragments can be sent, which cannot be reduced to some of their keys
    caller: Caller
    client: str  # the address of the client, where a password may be wrong
    render_context: RenderContext


def send_list(service: Service, req: falcon.Request, resp: falcon.Response, kind: Kind) -> None:
    """Parameters → a page of the calendar → its JSON → headers."""
    request = _read_request(service, req, kind)
    try:
        page, body = _find(service.calendar, request)
    except prerendered.ListTooLarge:
        raise _too_large() from None
    if request.password is None:  # keys.py does not see an escaped name
        keep_until(req, page.valid_until)
    for name, value in total_headers(page.total, page.pages):
        resp.set_header(name, value)
    addresses, query = request.render_context.addresses, query_of(_filters(request, page))
    for name, value in page_links(addresses, kind, query, page.number, page.pages):
        resp.append_header(name, value)
    service.send_read(req, resp, body, secret=request.password is not None)


def _too_large() -> ApiError:
    problems = Problems()
    sentence = N_("asks for more than {megabytes} MB; ask for fewer records, or for some of their keys with _fields.")
    problems.add("per_page", FieldError(OUT_OF_BOUNDS, sentence, megabytes=prerendered.LARGEST_LIST >> 20))
    return problems.error()


def _read_request(service: Service, req: falcon.Request, kind: Kind) -> ListRequest:
    sent = from_query(req.query_string)
    reading = read_query(kind.filters, sent)
    password = str(reading.values.pop("password", "") or "") or None
    return ListRequest(
        kind,
        sent,
        reading,
        password,
        responses.chosen_fields(req),
        wants_whole_records(req),
        context_of(req).caller,
        "" if password is None else client_address(req, service.settings),
        service.render_context(req),
    )


def _find(calendar: Calendar, request: ListRequest) -> tuple[Page, bytes]:
    """A page and its JSON: from fragments, or else rendered from the records."""
    kind, caller, reading, context = request.kind, request.caller, request.reading, request.render_context
    if request.password is None and request.is_whole:
        listed = calendar.list_prerendered(caller, kind, reading)
        if listed is not None:
            page, fragments = listed
            return page, _join_fragments(request, page, _with_occurrences(fragments, page))
    items: Iterator[representation.Json]
    if kind.is_term:
        page, terms = calendar.list_terms(caller, kind, reading)
        items = (representation.term(kind, term, count, context) for term, count in terms)
    else:
        shown: Sequence[Shown]
        if kind is EVENT:
            page, shown = calendar.list_events(caller, reading, request.password, request.client)
        else:
            page, shown = calendar.list_venues_or_organizers(caller, kind, reading)
        items = (representation.post(post, bundle, context) for post, bundle in shown)
    return page, _encode_items(request, page, _counted(items, page))


def _counted(items: Iterator[representation.Json], page: Page) -> Iterator[representation.Json]:
    """In a list that collapses series, each event with the number of occurrences."""
    if page.occurrences is None:
        return items
    return (item | {"occurrences": count} for item, count in zip(items, page.occurrences, strict=True))


def _encode_items(request: ListRequest, page: Page, items: Iterator[representation.Json]) -> bytes:
    """One by one, so that a list that becomes too large ends early."""
    encoded, size = [], 0
    for item in items:
        encoded.append(_encode(responses.choose(item, request.fields)))
        size += len(encoded[-1])
        prerendered.check_size(size)
    before, after = _envelope_of(request, page)
    return b"%b[%b]%b" % (before, b",".join(encoded), after)


def _envelope_of(request: ListRequest, page: Page) -> tuple[bytes, bytes]:
    query = query_of(_filters(request, page))
    return envelope(request.render_context.addresses, request.kind, query, page.number, page.total, page.pages)


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


def _join_fragments(request: ListRequest, page: Page, found: GatheredFragments) -> bytes:
    kind, addresses = request.kind, request.render_context.addresses
    before, after = _envelope_of(request, page)
    if kind is EVENT:
        embedded = prerendered.embedded_fragments(found.parts, addresses)
        return prerendered.events(found.events, embedded, found.parents, before=before, after=after)
    if kind.is_term:
        counted = list(zip(found.found, found.counts, strict=True))
        return prerendered.terms(counted, addresses, before=before, after=after)
    return prerendered.venues_or_organizers(found.found, addresses, before=before, after=after)


def _filters(request: ListRequest, page: Page) -> dict[str, object]:
    """Every filter that was applied, for the addresses in the envelope."""
    filters: dict[str, object] = {"per_page": page.size, **page.effective}
    if not request.kind.is_term and "status" not in filters and request.caller.is_anonymous:
        filters["status"] = "publish"
    if "_fields" in request.sent:
        filters["_fields"] = request.sent["_fields"]
    return filters


def envelope(
    addresses: Addresses, kind: Kind, query: str, number: int, total: int, pages: int
) -> tuple[bytes, bytes]:
    """The JSON before and after the records of a list: totals, its address and those of neighbouring pages."""
    after = b',"rest_url":' + _encode(f"{addresses.ns}/{kind.plural}/?page={number}&{query}")
    for name, address in _neighbours(addresses, kind, query, number, pages).items():
        after += b',"%b":' % ENVELOPE_KEYS[name] + _encode(address)
    return b'{"%b":' % kind.plural.encode(), after + b',"total":%d,"total_pages":%d}' % (total, pages)


def page_links(addresses: Addresses, kind: Kind, query: str, number: int, pages: int) -> list[tuple[str, str]]:
    """The Link header to the neighbouring pages, if there are any."""
    links = [f'<{url}>; rel="{name}"' for name, url in _neighbours(addresses, kind, query, number, pages).items()]
    return [("Link", ", ".join(links))] if links else []


def _neighbours(addresses: Addresses, kind: Kind, query: str, number: int, pages: int) -> dict[str, str]:
    """The addresses of the next page and of the previous one; that of the first page has no number."""
    address, found = f"{addresses.ns}/{kind.plural}/?", {}
    if number < pages:
        found["next"] = f"{address}page={number + 1}&{query}"
    if number > 1:
        named = f"page={number - 1}&" if number > 2 else ""
        found["prev"] = f"{address}{named}{query}"
    return found


def total_headers(total: int, pages: int) -> list[tuple[str, str]]:
    """The headers that count a list."""
    records, page_count = str(total), str(pages)
    return [
        ("X-TEC-Total", records),
        ("X-WP-Total", records),
        ("X-TEC-TotalPages", page_count),
        ("X-WP-TotalPages", page_count),
    ]


def query_of(filters: Mapping[str, object]) -> str:
    """Filters as they stand in an address."""
    return "&".join([f"{name}={_quoted(_as_text(value))}" for name, value in filters.items()])


_quote = partial(quote, safe=",")
_quoted_short = lru_cache(4096)(_quote)  # names and days repeat


def _quoted(text: str) -> str:
    return _quoted_short(text) if len(text) < 50 else _quote(text)


def _as_text(value: Any) -> str:
    """A value as a client would write it in an address."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(_as_text(element) for element in value)
    if isinstance(value, dict):
        return ",".join(_as_text(element) for element in value.values())
    return str(value)
