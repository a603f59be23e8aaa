"""The addresses that describe the interface itself."""

import falcon

from kalends.contract.errors import NO_NAMESPACE, NOT_IN_ENUM, ApiError, FieldError
from kalends.contract.fields import read_query
from kalends.contract.interfaces import CORE
from kalends.contract.operations import addresses
from kalends.contract.operations.index_addresses import DOC, INDEX, OF
from kalends.contract.operations.model import COMPAT_NAMESPACE, NAMESPACE
from kalends.http.messages import responses
from kalends.http.messages.parameters import from_query
from kalends.http.request_context import context_of, discovery_root
from kalends.http.router import DescribedResource, computed_defaults, namespace_of
from kalends.http.service import Extension, Resource
from kalends.languages import N_
from kalends.present import description, openapi

NAMESPACES = (NAMESPACE, COMPAT_NAMESPACE)
ITSELF = "core"


class ApiIndex(DescribedResource):
    """The index of the namespace."""

    address = INDEX

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        wanted = req.get_param("namespace") if "namespace" in req.query_string else None
        if wanted is not None and wanted.strip("/") not in NAMESPACES:
            raise ApiError(NO_NAMESPACE)
        found, language = context_of(req).addresses, context_of(req).language
        json = description.index(
            addresses(), namespace_of(req), found.ns, found.api_url, computed_defaults(self.service), language
        )
        responses.send_read(req, resp, json)
        responses.in_language(resp, language)


class Document(DescribedResource):
    """The interface as an OpenAPI document."""

    address = DOC

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        found, language = context_of(req).addresses, context_of(req).language
        url, interface = found.ns, CORE
        if added := self._extension(req):
            url, interface = found.base_url + added.root, added.interface
        json = openapi.document(self.service.settings.site_name, url, language, interface)
        responses.send_read(req, resp, json)
        responses.in_language(resp, language)

    def _extension(self, req: falcon.Request) -> Extension | None:
        """The extension that is asked for; None is the API itself."""
        reading = read_query((OF,), from_query(req.query_string))
        wanted = reading.values.get("of", ITSELF)
        found = next((added for added in self.service.extensions if added.name == wanted), None)
        if found is None and wanted != ITSELF:
            choices = FieldError(NOT_IN_ENUM, N_("must be one of: {choices}."), choices=ITSELF)
            reading.problems.add("of", choices)
        reading.problems.raise_any()
        return found


class DescribedRoot(Resource):
    """A root of namespaces, which tells OPTIONS its one route."""

    def on_options(self, req: falcon.Request, resp: falcon.Response) -> None:
        root = discovery_root(req.path, context_of(req).addresses, self.service.settings)
        responses.send(req, resp, description.root(root))


class Root(DescribedRoot):
    """The root of the interface: the site and its namespaces."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        settings = self.service.settings
        namespaces = list(NAMESPACES) if settings.compat else [NAMESPACE]
        json = description.site(
            settings.site_name,
            settings.site_description,
            context_of(req).addresses.base_url,
            settings.timezone,
            namespaces,
        )
        responses.send_read(req, resp, json)
