"""How to keep the calendar: the page with the links of common calendar programs, and QR codes of addresses."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar
from urllib.parse import quote, urlsplit

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists.filter_checks import chosen_records
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages.parameters import from_query
from kalends.http.request_context import context_of
from kalends.http.service import Resource
from kalends.languages import N_, translate
from kalends.site.calendar.calendar_selection import NAMES, Selection
from kalends.site.layout.assets import TYPES
from kalends.site.layout.frame import Frame, with_query
from kalends.site.pages import page_responses
from kalends.site.pages.html_pages import frame_of
from kalends.site.pages.page_responses import send_bytes
from kalends.site.pages.public_page import PublicPage
from kalends.site.records.external_links import ExternalLink
from kalends.site.static_files import AN_HOUR
from kalends.values import site_paths

LONGEST_PATH = 300
PATH = "/subscribe"
FEED = "/events.ics"
WHOLE, CHOSEN = N_("The whole calendar"), N_("With your filters")
DEVICE = N_("Calendar on this device")
QUIET = 4  # modules of white around the code
LARGEST_VERSION = 10
MASK = 0  # a chessboard; trying all eight for the nicest picture is nine tenths of the work, and readers read any

Modules = list[list[bool]]


class TooLong(ValueError):
    """The text does not fit into the largest version."""


@lru_cache(256)
def qr_svg(text: str) -> bytes:
    modules = qr_modules(text)
    size = len(modules) + 2 * QUIET
    dark = "".join(
        f"M{column + QUIET} {row + QUIET}h1v1h-1z"
        for row, line in enumerate(modules)
        for column, is_dark in enumerate(line)
        if is_dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{dark}"/></svg>'
    ).encode()


def qr_modules(text: str) -> Modules:
    """The modules of a code, row by row; True is dark. Raises TooLong."""
    import segno  # when it is first needed: most workers draw no code

    code = segno.make_qr(text, error="M", mode="byte", encoding="utf-8", boost_error=False, mask=MASK)
    if int(code.version) > LARGEST_VERSION:
        raise TooLong(text)
    return [[bool(module) for module in line] for line in code.matrix]


@dataclass(frozen=True, slots=True)
class Subscription:
    """A feed with the ways to subscribe to it."""

    id: str
    heading: str
    words: str  # what its filters are
    address: str
    download: str
    programs: list[ExternalLink]


def subscription(id: str, heading: str, words: str, query: Selection, frame: Frame) -> Subscription:
    path = with_query(FEED, query.pairs)
    address = frame.base_url + path
    # `webcal:` is the same address for the calendar program instead of the browser.
    webcal = urlsplit(address)._replace(scheme="webcal").geturl()
    outlook = f"addfromweb?url={quote(address, safe='')}&name={quote(frame.site_name, safe='')}"
    return Subscription(
        id=id,
        heading=translate(heading, frame.language),
        words=words,
        address=address,
        download=frame.root + path,
        programs=[
            ExternalLink(translate(DEVICE, frame.language), webcal),
            ExternalLink("Apple", webcal),
            ExternalLink("Google", f"https://calendar.google.com/calendar/r?cid={quote(webcal, safe='')}"),
            ExternalLink("Outlook.com", f"https://outlook.live.com/calendar/0/{outlook}"),
            ExternalLink("Microsoft 365", f"https://outlook.office.com/calendar/0/{outlook}"),
        ],
    )


@dataclass(frozen=True)
class SubscribePage(PublicPage):
    """The feed of the whole calendar, and that of the filters of the address."""

    template: ClassVar[str] = "site/subscribe.html"
    selection: Selection
    words: str  # that describe the filters

    @cached_property
    def subscriptions(self) -> list[Subscription]:
        whole = subscription("whole", WHOLE, "", Selection([]), self.frame)
        chosen = subscription("chosen", CHOSEN, self.words, self.selection, self.frame)
        return [chosen, whole] if self.selection else [whole]


class Subscribe(Resource):
    """The feed of the whole calendar, and that of the filters of the address."""

    query_parameters = frozenset(NAMES)

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        selection = Selection.read(from_query(req.query_string))
        records = self.service.calendar.read(ANONYMOUS, chosen_records, selection.chosen_values())
        selection = selection.renamed(records)
        frame = frame_of(self.service, req, PATH, selection.pairs).named(filters=selection.pairs)
        words = selection.words(records, frame.language, defined_fields(self.service.settings))
        page = SubscribePage(frame, selection, words)
        page_responses.send(self.service, req, resp, page, FOREVER)


class QrCode(Resource):
    """The QR code of a page of this site, and of no other: nobody can make us vouch for their address."""

    query_parameters = frozenset({"path"})

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        path = from_query(req.query_string).get("path")
        if not isinstance(path, str) or not site_paths.is_path(path) or len(path) > LONGEST_PATH:
            raise ApiError(NO_ROUTE)
        try:
            data = qr_svg(context_of(req).addresses.base_url + path)
        except TooLong:
            raise ApiError(NO_ROUTE) from None
        resp.content_type = TYPES["svg"]
        send_bytes(req, resp, data, AN_HOUR)
