"""Resources of the interface, each of which knows its row of the contract."""

from collections.abc import Callable
from typing import Any

import falcon

from kalends.calendar.access import Caller, require
from kalends.calendar.lists.date_window import default_window
from kalends.contract.operations.model import Address
from kalends.http.messages import bodies, responses
from kalends.http.messages.parameters import Sent
from kalends.http.request_context import context_of
from kalends.http.service import Resource, Service
from kalends.present import description


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
        return bodies.read(req, self.service.settings.max_body)

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
