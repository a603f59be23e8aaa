"""The router: paths with numbers and kinds in them, and the route of a request, found once."""

import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from itertools import product
from typing import Any

import falcon
from falcon.routing import BaseConverter, CompiledRouter

from kalends import hooks
from kalends.calendar.access import Caller, require
from kalends.calendar.lists.queries import default_window
from kalends.contract.errors import FieldError
from kalends.contract.kinds import KINDS
from kalends.contract.operations import addresses
from kalends.contract.operations.model import Address
from kalends.http.messages import bodies, responses
from kalends.http.messages.parameters import Sent
from kalends.http.request_context import Environ, context_of
from kalends.http.service import Resource, Service
from kalends.languages import N_
from kalends.present import description

# The message of an unknown route: the root of the interface, and the closest route.

MOST_STEPS = 8
LONGEST_STEP = 40
LEAST_ALIKE = 0.7


def advice(req: falcon.Request) -> FieldError | None:
    """A sentence for a path under the interface, none elsewhere."""
    found = context_of(req).addresses
    root = found.api_url.removeprefix(found.base_url)
    if not req.path.startswith(f"{root}/"):
        return None
    inside = req.path.removeprefix(root).removeprefix(found.ns.removeprefix(found.api_url))
    meant = _meant(inside)
    if meant is None:
        return FieldError("", N_("The API is at {root}"), root=f"{found.ns}/")
    return FieldError(
        "", N_("The API is at {root} — did you mean {route}?"), root=f"{found.ns}/", route=f"{found.ns}/{meant}"
    )


def _meant(path: str) -> str | None:
    """The collection that the last part of a path comes closest to."""
    steps = [step[:LONGEST_STEP].lower() for step in path.split("/")[: MOST_STEPS + 1] if step]
    for step in reversed(steps):
        if close := get_close_matches(step, _collections(), 1, LEAST_ALIKE):
            return close[0]
    return None


@cache
def _collections() -> tuple[str, ...]:
    """The first steps of all routes: events, venues, …"""
    first_steps = (address.pattern.split("/")[1:2] for address in addresses())
    return tuple(dict.fromkeys(step for steps in first_steps for step in steps if step))


# Resources of the interface, each of which knows its row of the contract.


class DescribedResource(Resource):
    """A resource that knows its row of the contract, and tells it to OPTIONS."""

    address: Address
    right: Callable[[Caller], bool]  # that a caller needs to write here

    def require_right(self, req: falcon.Request) -> None:
        caller = context_of(req).caller
        require(self.right(caller), caller)

    def body(self, req: falcon.Request) -> Sent:
        """Nobody's body is read in vain."""
        self.require_right(req)
        return bodies.read(req, context_of(req).settings.max_body)

    def on_options(self, req: falcon.Request, resp: falcon.Response, **where: object) -> None:
        found = context_of(req).addresses
        json = description.route(
            self.address, namespace_of(req), found.ns, computed_defaults(self.service), context_of(req).language
        )
        responses.send(req, resp, json)
        responses.in_language(resp, context_of(req).language)


def namespace_of(req: falcon.Request) -> str:
    found = context_of(req).addresses
    return found.ns.removeprefix(found.api_url + "/")


def computed_defaults(service: Service) -> dict[str, Any]:
    """The defaults that are computed at the time of the request."""
    return dict(default_window(service.settings.timezone, service.calendar.clock()))


NAMED = re.compile(r"\(\?P<(\w+)>([^)]+)\)")  # a part of a pattern

PLURALS = frozenset(kind.plural for kind in KINDS)

WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
FOUND = "kalends.found"  # key of the environ: the path, and what the router found for it
NOT_YET = ("", None)
Responder = Callable[..., None]
Route = tuple[object, dict[str, Any], dict[str, Any], str | None]


class DigitsConverter(BaseConverter):
    """An id in a path: decimal digits and nothing else."""

    def convert(self, value: str) -> int | None:
        # Longer numbers than any id are cut short; leading zeros do not count.
        return int(value.lstrip("0")[:40] or "0") if value.isascii() and value.isdigit() else None


class PluralConverter(BaseConverter):
    """The name of a kind in a path."""

    def convert(self, value: str) -> str | None:
        return value if value in PLURALS else None


class Router(CompiledRouter):
    """Finds the route of a request once: admission asks for it before the framework does. Features may
    wrap the writes of the interface."""

    def add_route(self, uri_template: str, resource: object, **more: Any) -> None:
        super().add_route(uri_template, resource, path=uri_template, **more)

    def map_http_methods(self, resource: object, **more: Any) -> dict[str, Any]:
        responders: dict[str, Any] = super().map_http_methods(resource, **more)
        if isinstance(resource, DescribedResource):
            for method, around in product(responders.keys() & WRITES, hooks.around_write):
                responders[method] = around(resource, more["path"], responders[method])
        return responders

    def template_of(self, environ: Environ) -> str:
        """The template of a request's route."""
        path = environ["PATH_INFO"]
        if path[-1:] == "/":
            path = path.rstrip("/") or "/"
        found: Route | None
        if FOUND in environ and environ[FOUND][0] == path:
            found = environ[FOUND][1]
        else:
            found = super().find(path)
            environ[FOUND] = path, found
        return (found[3] or "") if found else ""

    def resource_of(self, environ: Environ) -> object:
        """The handler of a request."""
        self.template_of(environ)
        found: Route | None = environ[FOUND][1]
        return found[0] if found else None

    def find(self, uri: str, req: falcon.Request | None = None) -> Route | None:
        path, found = req.env.get(FOUND, NOT_YET) if req is not None else NOT_YET
        return found if path == uri else super().find(uri, req)


def template_of(address: Address) -> str:
    """The path of an address as the router writes it."""
    return NAMED.sub(lambda part: f"{{{part[1]}:digits}}" if part[2] == r"\d+" else f"{{{part[1]}}}", address.pattern)


def add_converters(app: falcon.App[Any, Any]) -> None:
    app.router_options.converters["digits"] = DigitsConverter
    app.router_options.converters["plural"] = PluralConverter
