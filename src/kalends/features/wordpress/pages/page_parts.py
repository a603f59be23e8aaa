"""`tribe/views/v2/html`: the part of a page of the calendar that readers ask for, as `{"html": …}` or as a page."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from urllib.parse import parse_qsl, urlsplit

import falcon
import msgspec

from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.features.wordpress.pages.calendar_addresses import CalendarAddresses, page_address, prefers_html
from kalends.http import router
from kalends.http.messages import bodies, responses
from kalends.http.messages.parameters import Sent, from_query
from kalends.http.request_context import VALID_UNTIL, Environ, addresses_for, context_of
from kalends.http.service import Resource, Service
from kalends.site.pages.page_responses import HTML_TYPE, send_bytes

MOST_LEADS = 4  # from an old address to the one of today; a page of ours needs two
ADDRESS_NAMES = ("u", "url")
# What belongs to the request and not to the page that it asks for.
OF_REQUEST = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING")


class PageParts(Resource):
    """Nonces mean nothing. A GET is rewritten by its `Accept` to one of two addresses, which differ in `is_json`; a
    POST is answered with the same, and leads nowhere."""

    def __init__(self, service: Service, *, is_json: bool | None = None) -> None:
        super().__init__(service)
        self.is_json = is_json
        self.addresses = CalendarAddresses(service.calendar)

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        self.answer(req, resp, from_query(req.query_string), is_json=self._is_json(req))

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        sent = bodies.read(req, bodies.AROUND_FILE)
        self.answer(req, resp, sent, is_json=self._is_json(req))
        req.env.pop(VALID_UNTIL, None)
        resp.set_header("Cache-Control", responses.PRIVATE)

    def _is_json(self, req: falcon.Request) -> bool:
        return not prefers_html(req.get_header("Accept") or "") if self.is_json is None else self.is_json

    def answer(self, req: falcon.Request, resp: falcon.Response, sent: Sent, *, is_json: bool) -> None:
        path, query = page_address([*_pairs(sent)], self.service.settings.base_url)
        self._open(req, resp, path, query)
        page, status = resp.data or b"", resp.status_code
        is_html = resp.content_type == HTML_TYPE
        resp.append_header("Vary", "Accept")
        if is_html and not is_json:
            return
        if not is_html or (status == 404 and not _is_later(path, query)):
            responses.forget_content(resp)
            responses.refuse(req, resp, ApiError(NO_ROUTE, advice=router.advice(req)))
            return
        # A page after the last one is an empty one: readers ask for one after the other until they find no event.
        resp.status = falcon.HTTP_200 if status == 404 else resp.status
        cache_control = resp.get_header("Cache-Control") or responses.PRIVATE
        for name in ("Content-Security-Policy", "Referrer-Policy"):
            resp.delete_header(name)
        resp.content_type = responses.JSON_TYPE
        send_bytes(req, resp, msgspec.json.encode({"html": part_of(page.decode())}), cache_control)

    def _open(self, req: falcon.Request, resp: falcon.Response, path: str, query: str) -> None:
        """The page as a browser gets it, behind all redirects."""
        for _ in range(MOST_LEADS):
            if not self._open_once(req, resp, path, query) or resp.status_code not in (301, 302):
                return
            address = urlsplit(resp.get_header("Location") or "")
            path, query = page_address([("u", address._replace(scheme="", netloc="").geturl())], self._base_url)
            resp.delete_header("Location")
            resp.status = falcon.HTTP_200
        resp.status, resp.content_type = falcon.HTTP_404, HTML_TYPE

    @property
    def _base_url(self) -> str:
        return self.service.settings.base_url

    def _open_once(self, req: falcon.Request, resp: falcon.Response, path: str, query: str) -> bool:
        """Whether there is such a page."""
        environ: Environ = {name: value for name, value in req.env.items() if name not in OF_REQUEST} | {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "wsgi.input": BytesIO(),
        }
        self.addresses.rewrite(environ)
        page = falcon.Request(environ, options=req.options)
        found = self.service.find_route(page.path)
        if found is None:
            resp.status, resp.content_type = falcon.HTTP_404, ""
            return False
        _, responders, where, template = found
        page.uri_template = template
        context, addresses = context_of(req), addresses_for(page, self.service.settings)
        page.context.request_context = replace(context, req=page, addresses=addresses, _asked=None)
        responders["GET"](page, resp, **where)
        if VALID_UNTIL in environ:
            req.env[VALID_UNTIL] = environ[VALID_UNTIL]
        return True


def part_of(page: str) -> str:
    """What is within the main part of a page, without the frame that all pages have."""
    _, _, after = page.partition("<main")
    return after.partition(">")[2].rpartition("</main>")[0].strip()


def _is_later(path: str, query: str) -> bool:
    """Whether a page of a list after its first was asked for."""
    return "/page/" in path or any(name in ("page", "paged", "tribe_paged") for name, _ in parse_qsl(query))


def _pairs(sent: Sent) -> Iterator[tuple[str, str]]:
    """The address that was sent, and what replaces or adds to its parameters, by the names that a form has."""
    for name in ADDRESS_NAMES:
        if isinstance(value := sent.get(name), str):
            yield name, value
    for name, value in sent.items():
        if name.startswith("view_data"):
            yield from _flat(name, value)


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{name}[{key}]", inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _flat(f"{name}[]", inner)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield name, str(value)
