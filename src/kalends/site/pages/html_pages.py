"""What public pages share: their frame, how they are sent, and errors as pages or as responses of the interface.
They show what anonymous readers see: pages know no log-in."""

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

import falcon

from kalends import languages
from kalends.calendar.access import ANONYMOUS
from kalends.calendar.posts import old_slugs
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
from kalends.contract.kinds import Kind
from kalends.http import router
from kalends.http.app import LOST
from kalends.http.messages import responses
from kalends.http.middleware.logs import log, request_id
from kalends.http.request_context import REQUESTED, context_of, discovery_root
from kalends.http.service import Resource, Service
from kalends.languages import N_
from kalends.site.layout.appearance import appearance_of, appearance_of_errors, current_appearance
from kalends.site.layout.frame import CALENDAR, Frame, Pairs, with_query
from kalends.site.pages import page_responses
from kalends.site.pages.public_page import ErrorPage
from kalends.store.engine.store import ReplicaLost, StoreUnavailable

Raised = TypeVar("Raised", bound=Exception)

# Errors that the page has words of its own for, or whose message is for programs.
WORDED = frozenset({401, 404, 405, 413, 429, 500, 503})


class RecordHandler(Resource):
    """The page of one record, or of all records of a kind."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service)
        self.kind = kind

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        try:
            self.show_page(req, resp, slug)
        except ApiError as api_error:
            self.refuse(req, resp, slug, api_error)

    def show_page(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        raise NotImplementedError

    def refuse(self, req: falcon.Request, resp: falcon.Response, slug: str, api_error: ApiError) -> None:
        """An error as a page that leads back; an old address leads to the record."""
        status = api_error.error_type.status
        moved = self.service.calendar.read(ANONYMOUS, old_slugs.moved_to, self.kind, slug) if status == 404 else None
        if moved is not None and moved != slug:
            kept = [(name, value) for name in sorted(self.query_parameters or ()) if (value := req.get_param(name))]
            redirect(req, resp, self.frame(req, moved).path, kept)
        else:
            send_error(resp, self.frame(req, slug), api_error)

    def frame(self, req: falcon.Request, slug: str, colours: tuple[str, ...] | None = None, **more: Any) -> Frame:
        """`colours`: those of categories, where they are known already."""
        path = f"/{self.kind.page}/{quote(slug, safe='')}/"
        appearance = (
            current_appearance(self.service) if colours is None else appearance_of(self.service.settings, colours)
        )
        return frame_of(self.service, req, path, appearance=appearance, **more)


def frame_of(service: Service, req: falcon.Request, path: str, query: Pairs = (), **more: Any) -> Frame:
    """The frame of a page at a path below the site's root."""
    if "appearance" not in more:
        more["appearance"] = current_appearance(service)
    addresses, settings = context_of(req).addresses, service.settings
    return Frame(
        site_name=settings.site_name,
        base_url=addresses.base_url,
        ns=addresses.ns,
        language=context_of(req).language,
        path=path,
        query=query,
        asked=asked_language(req),
        rest_root=discovery_root(req.path, addresses, settings),
        timezone=settings.timezone,
        **more,
    )


def asked_language(req: falcon.Request) -> str:
    """The language that the address names; empty if it names none."""
    is_named = "lang" in req.query_string and languages.known(req.get_param("lang") or "") is not None
    return languages.tag(context_of(req).language) if is_named else ""


def in_language(path: str, req: falcon.Request, query: Pairs = ()) -> str:
    lang = asked_language(req)
    return with_query(path, [*query, *([("lang", lang)] if lang else [])])


def redirect(req: falcon.Request, resp: falcon.Response, path: str, query: Pairs = ()) -> None:
    """What was asked for is at another path of ours for good."""
    others = [pair for pair in query if pair[0] != "lang"]
    responses.lead(req, resp, in_language(path, req, others), falcon.HTTP_301)


def send_error(resp: falcon.Response, frame: Frame, api_error: ApiError) -> None:
    status = api_error.error_type.status
    sentence = "" if status in WORDED else responses.message_of(api_error, frame.language)
    page = ErrorPage(frame.named(is_found=False), status, api_error.arguments.get("seconds", 0), sentence=sentence)
    page_responses.send_once(resp, page, status, api_error.headers)


def send_not_found(
    service: Service, req: falcon.Request, resp: falcon.Response, *, is_selection: bool = False
) -> None:
    """The 404 page; `is_selection` when a filter has an unknown value."""
    frame = frame_of(service, req, CALENDAR, is_found=False)
    page_responses.send_once(resp, ErrorPage(frame, 404, is_selection=is_selection), 404)


def refuse(service: Service, req: falcon.Request, resp: falcon.Response, api_error: ApiError) -> None:
    """An error as a page for browsers, else in the shape of the interface."""
    if _wants_page(service, req):
        send_error(resp, frame_of(service, req, CALENDAR, appearance=appearance_of_errors(service)), api_error)
    else:
        responses.refuse(req, resp, api_error)
    resp.append_header("Vary", "Accept")


def _wants_page(service: Service, req: falcon.Request) -> bool:
    """Whether a person reads the answer: a browser asks for HTML first, and the interface answers programs."""
    accepted = req.get_header("Accept") or ""
    path = (req.env.get(REQUESTED) or (req.path, ""))[0]
    roots = (service.settings.api_root, *service.data_prefixes)
    is_interface = any(f"{path}/".startswith(f"{root}/") for root in roots)
    return "text/html" in accepted and not is_interface


def add_error_handlers(app: falcon.App[Any, Any], service: Service) -> None:
    """What handlers, the store and the framework raise."""

    def handled(kind: type[Raised], meaning: Callable[[falcon.Request, Raised], ApiError]) -> None:
        def handle(req: falcon.Request, resp: falcon.Response, error: Raised, params: Any) -> None:
            responses.forget_content(resp)
            refuse(service, req, resp, meaning(req, error))

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


def of_unavailable(req: falcon.Request, error: StoreUnavailable) -> ApiError:
    req.env[LOST] = isinstance(error, ReplicaLost)
    log.log(error.level, "the store is unavailable: %s", error)
    return responses.outage(error)


def of_crash(req: falcon.Request, error: Exception) -> ApiError:
    log.exception("unexpected error")
    # With it, a report can be matched with the log.
    return ApiError(INTERNAL, {"request_id": request_id(req.env)})
