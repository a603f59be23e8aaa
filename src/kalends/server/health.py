"""Health checks: the process runs; the service is ready."""

import falcon
import msgspec

from kalends.server.service import Resource
from kalends.store.engine.migrating import NewerSchema, is_current
from kalends.store.engine.store import StoreUnavailable


class Alive(Resource):
    """The process runs."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.content_type = "text/plain; charset=UTF-8"
        resp.text = "ok\n"


class Ready(Resource):
    """The store answers and its schema is this version's."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        try:
            ready, reason = is_current(self.service.calendar.store), "migrations are missing"
        except StoreUnavailable:
            ready, reason = False, "the store does not answer"
        except NewerSchema as newer:
            ready, reason = False, str(newer)
        resp.status = falcon.HTTP_200 if ready else falcon.HTTP_503
        resp.content_type = "application/json; charset=UTF-8"
        resp.data = msgspec.json.encode({"ready": True} if ready else {"ready": False, "reason": reason})
