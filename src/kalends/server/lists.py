"""Sends a list: its envelope, its totals and the addresses of its neighbours."""

from typing import Any, cast
from urllib.parse import quote, urlencode

import falcon

from kalends.calendar.listing import Page
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import EVENT, Kind
from kalends.present import json as representation
from kalends.server import depending
from kalends.server.asking import asking, client_address
from kalends.server.cache import Depends
from kalends.server.front import depend
from kalends.server.parameters import Sent, from_query
from kalends.server.service import Service
from kalends.store.records import Post, Term

Items = list[representation.Json]


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
    if kind.is_term:
        page, counts = service.calendar.list_terms(caller, kind, reading)
        terms = cast(list[Term], page.records)
        _keep(req, depending.on_page(kind, page, ()))
        return page, [representation.term(kind, term, counts[term.id], outlook) for term in terms]
    if kind is EVENT:
        address = client_address(req, service.settings)
        page, bundles = service.calendar.list_events(caller, reading, password, address)
    else:
        page, bundles = service.calendar.list_places(caller, kind, reading)
    posts = cast(list[Post], page.records)
    if password is None:  # however its name is written in the address
        _keep(req, depending.on_page(kind, page, bundles))
    return page, [representation.post(post, bundle, outlook) for post, bundle in zip(posts, bundles, strict=True)]


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

    def at(number: int, *, named: bool = True) -> str:
        pairs = {"page": number, **filters} if named else filters
        return f"{address}?{urlencode({k: _written(v) for k, v in pairs.items()}, quote_via=quote, safe=',')}"

    links = {"rest_url": at(page.number)}
    if page.number < page.pages:
        links["next_rest_url"] = at(page.number + 1)
    if page.number > 1:
        links["previous_rest_url"] = at(page.number - 1, named=page.number > 2)
    return links


def _written(value: Any) -> str:
    """A value as a client would write it in an address."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(_written(element) for element in value)
    if isinstance(value, dict):
        return ",".join(_written(element) for element in value.values())
    return str(value)
