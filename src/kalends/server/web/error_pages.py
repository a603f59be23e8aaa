"""Errors as pages: one style for every address that people open in a browser."""

import falcon

from kalends.contract.errors import ApiError
from kalends.pages.layout import CALENDAR, Frame
from kalends.pages.rendering import render
from kalends.server import page_responses
from kalends.server.http import responses
from kalends.server.request_context import REQUESTED
from kalends.server.service import Service
from kalends.server.web import calendar_pages

SHOWN = frozenset({404, 405, 410, 429, 500, 503, 507})  # other errors are for programs
OFFLINE = 0  # no status: there was no answer


def wants_page(service: Service, req: falcon.Request, status: int) -> bool:
    """Whether a person reads the answer: a browser asks for HTML first, and the interface answers programs."""
    accepted = req.get_header("Accept") or ""
    path = (req.env.get(REQUESTED) or (req.path, ""))[0]
    roots = (service.settings.api_root, *service.data_prefixes)
    is_interface = any(f"{path}/".startswith(f"{root}/") for root in roots)
    return status in SHOWN and "text/html" in accepted and not is_interface and req.method in ("GET", "HEAD")


def frame(service: Service, req: falcon.Request) -> Frame:
    return calendar_pages.frame_of(service, req, CALENDAR, look=service.look_of_errors).named(is_found=False)


def render_error(frame: Frame, status: int, seconds: object = 0, *, is_selection: bool = False) -> str:
    """`is_selection`: a filter of the address has an unknown value."""
    return render(
        "record/error.html",
        frame.language,
        frame=frame,
        status=status,
        seconds=seconds,
        is_selection=is_selection,
    )


def refuse(service: Service, req: falcon.Request, resp: falcon.Response, api_error: ApiError) -> None:
    """An error as a page for browsers, else in the shape of the interface."""
    status = api_error.error_type.status
    if not wants_page(service, req, status):
        responses.refuse(req, resp, api_error)
        resp.append_header("Vary", "Accept")
        return
    found = frame(service, req)
    html = render_error(found, status, api_error.arguments.get("seconds", 0))
    page_responses.send_once(resp, html, found.language, status, api_error.headers)
    resp.append_header("Vary", "Accept")
