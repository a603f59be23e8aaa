"""The addresses that describe the interface itself."""

import falcon

from kalends.contract.operations import Address
from kalends.present import description
from kalends.server import answers
from kalends.server.asking import asking


class Described:
    """A resource that knows its row of the contract, and tells it to OPTIONS."""

    address: Address

    def on_options(self, req: falcon.Request, resp: falcon.Response, **where: object) -> None:
        addresses = asking(req).addresses
        namespace = addresses.ns.removeprefix(addresses.api_url + "/")
        href = addresses.ns + self.address.pattern
        answers.send(req, resp, description.route(self.address, namespace, href, {}))
