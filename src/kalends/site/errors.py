"""Error handlers: what the handlers, the store and the framework raise, as responses of the interface."""

from collections.abc import Callable
from typing import Any, TypeVar

import falcon

from kalends.contract.errors import (
    HEADERS_TOO_LARGE,
    INTERNAL,
    INVALID_BODY,
    NO_METHOD,
    NO_ROUTE,
    TOO_LARGE,
    ApiError,
    FieldError,
)
from kalends.http import router
from kalends.http.app import LOST
from kalends.http.messages import responses
from kalends.http.middleware.logs import log, request_id
from kalends.http.service import Service
from kalends.languages import N_
from kalends.site.pages import html_pages
from kalends.store.engine.store import ReplicaLost, StoreUnavailable

Raised = TypeVar("Raised", bound=Exception)


def add_error_handlers(app: falcon.App[Any, Any], service: Service) -> None:
    def handled(kind: type[Raised], meaning: Callable[[falcon.Request, Raised], ApiError]) -> None:
        def handle(req: falcon.Request, resp: falcon.Response, error: Raised, params: Any) -> None:
            responses.forget_content(resp)
            html_pages.refuse(service, req, resp, meaning(req, error))

        app.add_error_handler(kind, handle)

    handled(Exception, of_crash)
    handled(StoreUnavailable, of_unavailable)
    handled(falcon.HTTPError, of_http_error)
    handled(ApiError, lambda _, api_error: api_error)


def of_http_error(req: falcon.Request, error: falcon.HTTPError) -> ApiError:
    """The framework's own errors, in the shape of the interface."""
    match error.status_code:
        case 404:
            return ApiError(NO_ROUTE, advice=router.advice(req))
        case 405:
            allow = req.context.allow
            return ApiError(NO_METHOD, headers={"Allow": allow}, method=req.method, allow=allow)
        case 413:
            return ApiError(TOO_LARGE, limit="")
        case 431:
            return ApiError(HEADERS_TOO_LARGE)
        case _:
            return ApiError(INVALID_BODY, reason=FieldError("", N_("the request is malformed.")))


def of_unavailable(req: falcon.Request, error: Exception) -> ApiError:
    req.env[LOST] = isinstance(error, ReplicaLost)
    log.warning("the store is unavailable: %s", error)
    return responses.outage(error)


def of_crash(req: falcon.Request, error: Exception) -> ApiError:
    log.exception("unexpected error")
    # With it, a report can be matched with the log.
    return ApiError(INTERNAL, {"request_id": request_id(req.env)})
