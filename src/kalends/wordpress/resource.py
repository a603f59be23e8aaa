"""What the handlers of the namespaces of WordPress have in common."""

from typing import Any

import falcon

from kalends.contract.operations import COMPAT_ROOT, Address
from kalends.present import description
from kalends.server.api.index import DescribedResource
from kalends.server.http import responses
from kalends.server.request_context import context_of
from kalends.server.service import Service


class CompatResource(DescribedResource):
    """A resource below `/wp-json`, with its row of the contract (`address`), which OPTIONS tells."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def on_options(self, req: falcon.Request, resp: falcon.Response, **where: Any) -> None:
        language = context_of(req).language
        responses.send(
            req, resp, route_of(self.address, f"{context_of(req).addresses.base_url}{COMPAT_ROOT}", language)
        )
        responses.in_language(resp, language)


def route_of(address: Address, root: str, language: str) -> description.Json:
    """One row of an index."""
    return description.route(address, address.group, root, {}, language)
