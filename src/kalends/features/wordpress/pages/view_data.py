"""What readers of The Events Calendar look for in a page of the calendar before they ask for its parts."""

from typing import NamedTuple

from markupsafe import Markup

from kalends.calendar.access import UnitOfWork
from kalends.contract.operations.model import COMPAT_ROOT
from kalends.features.wordpress.pages.calendar_addresses import PARTS
from kalends.site.calendar.calendar_views import CalendarPage
from kalends.site.layout.frame import Frame
from kalends.site.layout.head_metadata import embedded
from kalends.site.pages.page_blocks import END, Block
from kalends.site.records.record_pages import RecordEventsPage

# They mean nothing here and are the same for everybody, so that pages can be kept; some readers give up without one.
NONCES = embedded({"tvn1": "public", "tvn2": ""})
# The reference has it where a calendar is part of another page, and some readers send it back.
SHORTCODE = "calendar"


class ViewData(NamedTuple):
    """The element that stands for the view. Of a list also its data, by which it is read on; a month has no bytes to
    give away."""

    parts: str
    data: Markup | None
    nonces: Markup = NONCES
    shortcode: str = SHORTCODE


def blocks(work: UnitOfWork, page: object) -> list[Block]:
    """That of a page with events, while there are addresses of WordPress."""
    if not isinstance(page, CalendarPage | RecordEventsPage):
        return []
    frame = page.frame
    if frame.rest_root != frame.base_url + COMPAT_ROOT:
        return []
    parts, data = frame.base_url + PARTS, None
    if isinstance(page, RecordEventsPage):
        data = _data(frame, parts, page.paging.before_href, page.paging.after_href)
    elif page.view == "list":
        data = _data(frame, parts, *(link.href if link else "" for link in page.page_links))
    return [Block("features/wordpress/pages/view_data.html", ViewData(parts, data), END)]


def _data(frame: Frame, parts: str, before: str, after: str) -> Markup:
    prev_url, next_url = (frame.base_url + link[len(frame.root) :] if link else "" for link in (before, after))
    return embedded(
        {
            "slug": "list",
            "prev_url": prev_url,
            "next_url": next_url,
            "url": frame.own_address,
            "rest_url": parts,
            "should_manage_url": True,
        }
    )
