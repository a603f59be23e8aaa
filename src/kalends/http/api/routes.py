"""The routes of the interface, which exist under each prefix of its namespace, and those for programs around it."""

from typing import Any

import falcon

from kalends.contract.kinds import KINDS
from kalends.contract.operations.record_addresses import collection, item, item_by_external, item_by_slug
from kalends.feature import declared
from kalends.http import health
from kalends.http.api import index, media, resources, users
from kalends.http.request_context import ALIVE, prefixes
from kalends.http.router import template_of
from kalends.http.service import Service

# Besides the five kinds; the contract has their paths.
DESCRIBED = (
    index.Document,
    *(media.Uploads, media.Image),
    *(users.Users, users.Me, users.User, users.Tokens, users.Token),
)


def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    settings = service.settings
    app.add_route(settings.api_root, index.Root(service))
    for ns in prefixes(settings):
        app.add_route(ns, index.Namespace(service))
        for kind in KINDS:
            path = f"{ns}/{kind.plural}"
            app.add_route(path, resources.Collection(service, kind, collection(kind)))
            app.add_route(path + "/{id:digits}", resources.Item(service, kind, item(kind)))
            if not kind.is_term:
                app.add_route(path + "/by-slug/{slug}", resources.Item(service, kind, item_by_slug(kind)))
            by_external = resources.ItemByExternalId(service, kind, item_by_external(kind))
            app.add_route(path + "/by-external/{source}/{external_id:path}", by_external)
        for resource in (*DESCRIBED, *(handler for added in declared("handlers") for handler in added)):
            app.add_route(ns + template_of(resource.address), resource(service))
    app.add_route("/media/{file:path}", media.ImageFile(service))
    app.add_route(ALIVE, health.Alive(service))
    app.add_route("/readyz", health.Ready(service))
