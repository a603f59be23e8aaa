"""What the handlers of the namespaces of WordPress have in common: their description, and how they respond."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import falcon
import msgspec

from kalends.calendar.lists.pages import Page
from kalends.contract.fields import Field, Reading, read_query
from kalends.contract.operations.model import COMPAT_ROOT, Address
from kalends.features.wordpress.tables import VIEW, Json
from kalends.http.messages import responses
from kalends.http.messages.parameters import from_query, unquoted
from kalends.http.request_context import context_of, keep_until
from kalends.http.router import DescribedResource
from kalends.http.service import Service
from kalends.present import description


class WordPressResource(DescribedResource):
    """A resource below `/wp-json`, with its row of the tables (`address`), which OPTIONS tells."""

    def __init__(self, service: Service, address: Address | None = None) -> None:
        super().__init__(service)
        self.address = address or self.address

    def on_options(self, req: falcon.Request, resp: falcon.Response, **where: Any) -> None:
        language, base_url = context_of(req).language, context_of(req).addresses.base_url
        responses.send(req, resp, route_of(self.address, f"{base_url}{COMPAT_ROOT}", language))
        responses.in_language(resp, language)


def route_of(address: Address, root: str, language: str) -> description.Json:
    """One row of an index."""
    return description.route(address, address.group, root, {}, language)


def query_reading(req: falcon.Request, fields: Sequence[Field], *, must_fit: bool = False) -> Reading:
    """The parameters of a read. `must_fit`: what is wrong is an error at once."""
    reading = read_query(fields, from_query(req.query_string))
    if must_fit:
        reading.problems.raise_any()
    return reading


def context(reading: Reading) -> str:
    return str(reading.values.get("context", VIEW))


def keep(req: falcon.Request, moment: str | None) -> None:
    """Lets the response cache keep it. Not where a user's name may be in it: a new one is no public change."""
    if context_of(req).caller.is_anonymous and "_embed" not in unquoted(req.query_string):
        keep_until(req, moment)


def send_list(req: falcon.Request, resp: falcon.Response, page: Page, items: Sequence[Json]) -> None:
    """A bare list, as WordPress sends it."""
    keep(req, page.valid_until)
    resp.set_header("X-WP-Total", str(page.total))
    resp.set_header("X-WP-TotalPages", str(page.pages))
    if links := _page_links(req, page):
        resp.append_header("Link", ", ".join(links))
    send_read(req, resp, items)


def send_read(req: falcon.Request, resp: falcon.Response, json: object, *, secret: bool = False) -> None:
    """The response to a read, with validators. `secret`: a password came with it."""
    resp.set_header("X-Robots-Tag", "noindex")
    chosen = responses.choose(json, responses.chosen_fields(req))
    responses.send_read(req, resp, msgspec.Raw(msgspec.json.encode(chosen)), secret=secret)


def send_written(req: falcon.Request, resp: falcon.Response, json: Mapping[str, Any], *, location: str = "") -> None:
    """The response to a write; `location` is the address of a new record."""
    resp.set_header("X-Robots-Tag", "noindex")
    if location:
        resp.set_header("Location", location)
    responses.send(req, resp, json, status=201 if location else 200)


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
