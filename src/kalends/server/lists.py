"""Sends a list: its envelope, its totals and the addresses of its neighbours."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode

import falcon
import msgspec

from kalends.calendar.listing import Page
from kalends.calendar.readiness import Gathered
from kalends.calendar.service import Shown
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import EVENT, Kind
from kalends.present import json as representation
from kalends.present import ready
from kalends.present.addresses import Addresses
from kalends.server import answers, depending
from kalends.server.asking import asking, client_address
from kalends.server.cache import Depends
from kalends.server.front import depend
from kalends.server.parameters import Sent, from_query
from kalends.server.service import Service

Items = list[representation.Json] | msgspec.Raw


def send_list(service: Service, req: falcon.Request, resp: falcon.Response, kind: Kind) -> None:
    sent = from_query(req.query_string)
    reading = read_query(kind.filters, sent)
    password = str(reading.values.pop("password", "") or "") or None
    page, items = _read(service, req, kind, reading, password)
    json: representation.Json = {kind.plural: items, **_neighbours(req, kind, page, sent)}
    json |= {"total": page.total, "total_pages": page.pages}
    for name, number in (("Total", page.total), ("TotalPages", page.pages)):
        resp.set_header(f"X-TEC-{name}", str(number))
        resp.set_header(f"X-WP-{name}", str(number))
    service.send_read(req, resp, json, items=kind.plural, secret=password is not None)


def _read(
    service: Service, req: falcon.Request, kind: Kind, reading: Reading, password: str | None
) -> tuple[Page, Items]:
    caller, outlook = asking(req).caller, service.outlook(req)
    if password is None and takes_ready(req):
        listed = service.calendar.list_ready(caller, kind, reading)
        if listed is not None:
            page, found = listed
            _keep(req, depending.on_page(kind, page, found.linked_records()))
            return page, msgspec.Raw(_joined(kind, found, outlook.addresses))
    if kind.is_term:
        page, terms = service.calendar.list_terms(caller, kind, reading)
        _keep(req, depending.on_page(kind, page, ()))
        return page, [representation.term(kind, term, count, outlook) for term, count in terms]
    shown: Sequence[Shown]
    if kind is EVENT:
        address = client_address(req, service.settings)
        page, shown = service.calendar.list_events(caller, reading, password, address)
    else:
        page, shown = service.calendar.list_places(caller, kind, reading)
    if password is None:  # however its name is written in the address
        _keep(req, depending.on_page(kind, page, (one for _, bundle in shown for one in bundle.linked)))
    return page, [representation.post(post, bundle, outlook) for post, bundle in shown]


def takes_ready(req: falcon.Request) -> bool:
    """Whether who asks wants records as they are, and not some of their keys."""
    return not answers.chosen_fields(req)


def _joined(kind: Kind, found: Gathered, addresses: Addresses) -> bytes:
    if kind is EVENT:
        return ready.events(found.found, found.parts, addresses)
    if kind.is_term:
        return ready.terms(list(zip(found.found, found.counts, strict=True)), addresses)
    return ready.places(found.found, addresses)


def _keep(req: falcon.Request, depends: Depends | None) -> None:
    if depends is not None:
        depend(req, depends)


def _neighbours(req: falcon.Request, kind: Kind, page: Page, sent: Sent) -> dict[str, str]:
    """This page and the ones beside it, each with every filter that counted."""
    address = asking(req).addresses.collection(kind) + "/"
    filters: dict[str, object] = {"per_page": page.size, **page.effective}
    if not kind.is_term and "status" not in filters and asking(req).caller.is_anonymous:
        filters["status"] = "publish"
    if "_fields" in sent:
        filters["_fields"] = sent["_fields"]

    query = _query(tuple((name, _written(value)) for name, value in filters.items()))

    def at(number: int, *, named: bool = True) -> str:
        return f"{address}?page={number}&{query}" if named else f"{address}?{query}"

    links = {"rest_url": at(page.number)}
    if page.number < page.pages:
        links["next_rest_url"] = at(page.number + 1)
    if page.number > 1:
        links["previous_rest_url"] = at(page.number - 1, named=page.number > 2)
    return links


@lru_cache(256)
def _query(pairs: tuple[tuple[str, str], ...]) -> str:
    return urlencode(pairs, quote_via=quote, safe=",")


def _written(value: Any) -> str:
    """A value as a client would write it in an address."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(_written(element) for element in value)
    if isinstance(value, dict):
        return ",".join(_written(element) for element in value.values())
    return str(value)
