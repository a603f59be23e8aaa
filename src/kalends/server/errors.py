"""Error handlers: what the handlers, the store and the framework raise, as responses of the interface."""

from typing import Any

import falcon

from kalends.contract.errors import (
    HEADERS_TOO_LARGE,
    INTERNAL,
    INVALID_BODY,
    NO_METHOD,
    NO_ROUTE,
    STORAGE_FULL,
    TOO_LARGE,
    UNAVAILABLE,
    ApiError,
    FieldError,
)
from kalends.languages import N_
from kalends.server.api import responses, route_advice
from kalends.server.middleware.logs import log
from kalends.server.middleware.replica_retry import LOST
from kalends.server.request_context import REQUEST_ID
from kalends.store.engine.store import ReplicaLost, StoreUnavailable
from kalends.store.files.media_files import MediaFull


def add_error_handlers(app: falcon.App[Any, Any]) -> None:
    app.add_error_handler(Exception, handle_crash)
    app.add_error_handler(StoreUnavailable, handle_unavailable)
    app.add_error_handler(falcon.HTTPError, handle_http_error)
    app.add_error_handler(ApiError, handle_api_error)


def handle_api_error(req: falcon.Request, resp: falcon.Response, api_error: ApiError, params: Any) -> None:
    responses.refuse(req, resp, api_error)


def handle_http_error(req: falcon.Request, resp: falcon.Response, error: falcon.HTTPError, params: Any) -> None:
    """The framework's own errors, in the shape of the interface."""
    match error.status_code:
        case 404:
            api_error = ApiError(NO_ROUTE, advice=route_advice.advice(req))
        case 405:
            allow = req.context.allow
            api_error = ApiError(NO_METHOD, headers={"Allow": allow}, method=req.method, allow=allow)
        case 413:
            api_error = ApiError(TOO_LARGE, limit="")
        case 431:
            api_error = ApiError(HEADERS_TOO_LARGE)
        case _:
            api_error = ApiError(INVALID_BODY, reason=FieldError("", N_("the request is malformed.")))
    responses.refuse(req, resp, api_error)


def handle_unavailable(req: falcon.Request, resp: falcon.Response, error: Exception, params: Any) -> None:
    req.env[LOST] = isinstance(error, ReplicaLost)
    log.warning("the store is unavailable: %s", error)
    if isinstance(error, MediaFull):
        responses.refuse(req, resp, ApiError(STORAGE_FULL))
        return
    responses.refuse(req, resp, ApiError(UNAVAILABLE, headers={"Retry-After": "2"}))


def handle_crash(req: falcon.Request, resp: falcon.Response, error: Exception, params: Any) -> None:
    log.exception("unexpected error")
    # With it, a report can be matched with the log.
    responses.refuse(req, resp, ApiError(INTERNAL, {"request_id": req.env[REQUEST_ID]}))
