"""Health checks: the process runs; the service is ready."""

import falcon
import msgspec

from kalends import __version__
from kalends.http.middleware.logs import log
from kalends.http.service import Resource
from kalends.store.engine.migrating import NewerSchema, OlderSchema, is_current
from kalends.store.engine.store import StoreUnavailable


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
