"""Responses of `wp/v2`: lists with their totals and links to other pages, and single records."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import falcon
import msgspec

from kalends.calendar.lists.pages import Page
from kalends.contract.fields import Field, Reading, read_query
from kalends.server.http import responses
from kalends.server.http.parameters import from_query, unquoted
from kalends.server.request_context import context_of, keep_until
from kalends.server.service import Service

Json = dict[str, Any]


def query_reading(req: falcon.Request, fields: Sequence[Field]) -> Reading:
    """The parameters of a read. `_embed` alone is all links."""
    return read_query(fields, from_query(req.query_string))


def context(reading: Reading) -> str:
    return str(reading.values.get("context", "view"))


def embeds(req: falcon.Request, reading: Reading) -> list[str] | None:
    """The links that are to be embedded: an empty list is all of them, None is none."""
    wanted = responses.chosen_fields(req)
    asked = reading.values.get("_embed")
    if not isinstance(asked, list) or (wanted and "_embedded" not in wanted):
        return None
    return asked


def send_list(
    service: Service, req: falcon.Request, resp: falcon.Response, page: Page, items: Sequence[Json]
) -> None:
    """A bare list, as WordPress sends it."""
    keep(req, page.valid_until)
    resp.set_header("X-WP-Total", str(page.total))
    resp.set_header("X-WP-TotalPages", str(page.pages))
    if links := _page_links(req, page):
        resp.append_header("Link", ", ".join(links))
    send_read(service, req, resp, items)


def keep(req: falcon.Request, moment: str | None) -> None:
    """Lets the response cache keep it. Not where a user's name may be in it: a new one is no public change."""
    if context_of(req).caller.is_anonymous and "_embed" not in unquoted(req.query_string):
        keep_until(req, moment)


def send_read(
    service: Service, req: falcon.Request, resp: falcon.Response, json: object, *, secret: bool = False
) -> None:
    """The response to a read, with validators. `secret`: a password came with it."""
    resp.set_header("X-Robots-Tag", "noindex")
    chosen = responses.choose(json, responses.chosen_fields(req))
    service.send_read(req, resp, msgspec.Raw(msgspec.json.encode(chosen)), secret=secret)


def send_written(req: falcon.Request, resp: falcon.Response, json: Mapping[str, Any], *, location: str = "") -> None:
    """The response to a write; `location` is the address of a new record."""
    resp.set_header("X-Robots-Tag", "noindex")
    if location:
        resp.set_header("Location", location)
    responses.send(req, resp, json, status=201 if location else 200)


def send_deleted(req: falcon.Request, resp: falcon.Response, previous: Json) -> None:
    """What is left of a record that was deleted for good; it has no addresses any more."""
    send_written(req, resp, {"deleted": True, "previous": {k: v for k, v in previous.items() if k != "_links"}})


def alternate(resp: falcon.Response, page_url: str) -> None:
    """The page of a record, for people."""
    resp.append_header("Link", f'<{page_url}>; rel="alternate"; type=text/html')


def _page_links(req: falcon.Request, page: Page) -> list[str]:
    """The neighbouring pages: the same query with another `page`."""
    base = f"{context_of(req).addresses.base_url}{req.path}?"
    parts = [part.partition("=") for part in req.query_string.split("&") if part]
    query = [(unquoted(name), unquoted(value)) for name, _, value in parts if unquoted(name) != "page"]
    found = []
    if page.number > 1:
        found.append(f'<{base}{urlencode([*query, ("page", min(page.number - 1, max(page.pages, 1)))])}>; rel="prev"')
    if page.number < page.pages:
        found.append(f'<{base}{urlencode([*query, ("page", page.number + 1)])}>; rel="next"')
    return found
