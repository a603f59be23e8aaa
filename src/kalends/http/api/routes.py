"""The routes of the interface, which exist under each prefix of its namespace, and those for programs around it."""

from typing import Any

import falcon
import msgspec

from kalends import __version__
from kalends.contract.kinds import KINDS
from kalends.contract.operations.record_addresses import collection, item, item_by_external, item_by_slug
from kalends.feature import declared
from kalends.http.api import index, media, resources, users
from kalends.http.middleware.logs import log
from kalends.http.request_context import ALIVE, prefixes
from kalends.http.router import template_of
from kalends.http.service import Resource, Service
from kalends.store.engine.migrating import NewerSchema, OlderSchema, is_current
from kalends.store.engine.store import StoreUnavailable

# Health checks: the process runs; the service is ready.


class Alive(Resource):
    """The process runs, and which version it is."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.content_type = "text/plain; charset=UTF-8"
        resp.text = f"ok\nkalends {__version__}\n"


class Ready(Resource):
    """The store answers, its disk takes writes, and its schema is this version's."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        reason = self._why_not()
        resp.status = falcon.HTTP_200 if not reason else falcon.HTTP_503
        resp.content_type = "application/json; charset=UTF-8"
        resp.data = msgspec.json.encode({"ready": True} if not reason else {"ready": False, "reason": reason})

    def _why_not(self) -> str:
        """Without what only the operator should read, such as the address of the database: the log has that."""
        store = self.service.calendar.store
        try:
            reason = "" if is_current(store) else "migrations are missing"
        except (NewerSchema, OlderSchema) as other:
            return str(other)
        except StoreUnavailable as error:
            log.warning("the store is unavailable: %s", error)
            return store.fault() or "the store does not answer"
        return reason or store.fault()


# Besides the five kinds; the contract has their paths.
DESCRIBED = (
    index.Document,
    *(media.Uploads, media.ImageResource),
    *(users.UsersResource, users.Me, users.UserResource, users.Tokens, users.TokenResource),
)


def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    settings = service.settings
    app.add_route(settings.api_root, index.Root(service))
    for ns in prefixes(settings):
        app.add_route(ns, index.ApiIndex(service))
        for kind in KINDS:
            path = f"{ns}/{kind.plural}"
            app.add_route(path, resources.CollectionResource(service, kind, collection(kind)))
            app.add_route(path + "/{id:digits}", resources.RecordResource(service, kind, item(kind)))
            if not kind.is_term:
                app.add_route(path + "/by-slug/{slug}", resources.RecordResource(service, kind, item_by_slug(kind)))
            by_external = resources.ItemByExternalId(service, kind, item_by_external(kind))
            app.add_route(path + "/by-external/{source}/{external_id:path}", by_external)
        for resource in (*DESCRIBED, *(handler for added in declared("handlers") for handler in added)):
            app.add_route(ns + template_of(resource.address), resource(service))
    app.add_route("/media/{file:path}", media.ImageFile(service))
    app.add_route(ALIVE, Alive(service))
    app.add_route("/readyz", Ready(service))
