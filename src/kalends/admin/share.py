"""Addresses to share, and the code that embeds the calendar in another site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import ClassVar

from markupsafe import Markup

from kalends.admin import setting_fields
from kalends.admin.request import AdminRequest
from kalends.admin.setting_fields import SHARE, Tabs
from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists import filter_choices
from kalends.languages import N_
from kalends.site import embedding
from kalends.site.calendar.calendar_views import VIEW_NAMES
from kalends.site.layout.frame import CALENDAR, QR_CODE, with_query
from kalends.store.query.filter_values import Choice

LONGEST_SLUG = 200


@dataclass(frozen=True, slots=True)
class EmbedChoices:
    """What the embedded calendar should show."""

    view: str
    category: str
    filters: bool
    pictures: bool

    def element(self, base: str) -> str:
        """The calendar. An attribute that says what is usual is left out."""
        attributes = [f'src="{escape(base)}"']
        attributes += [f'view="{self.view}"'] * (self.view != "month")
        attributes += [f'category="{escape(self.category)}"'] * bool(self.category)
        attributes += ["filters"] * self.filters + ["pictures"] * self.pictures
        return f"<kalends-calendar {' '.join(attributes)}></kalends-calendar>"


@dataclass(frozen=True, slots=True)
class SharePage:
    template: ClassVar[str] = "admin/share.html"
    SCRIPT: ClassVar[str] = embedding.PATH
    QR: ClassVar[str] = with_query(QR_CODE, [("path", CALENDAR)])
    VIEWS: ClassVar[Mapping[str, str]] = VIEW_NAMES

    tabs: Tabs
    base_url: str
    api: str  # the address of the interface
    chosen: EmbedChoices
    categories: Sequence[Choice]

    @property
    def address(self) -> str:
        return self.base_url + CALENDAR

    @property
    def feeds(self) -> list[tuple[str, str]]:
        return [
            (N_("Calendar programs (iCalendar)"), f"{self.base_url}/events.ics"),
            (N_("News readers (RSS)"), f"{self.base_url}/events.rss"),
            (N_("News readers (JSON Feed)"), f"{self.base_url}/events.json"),
            (N_("Programs (API)"), self.api),
        ]

    @property
    def code(self) -> str:
        """What to paste."""
        script = f'<script src="{escape(self.base_url)}{embedding.PATH}" async></script>'
        return f"{script}\n{self.chosen.element(self.base_url)}"

    @property
    def preview(self) -> Markup:
        return Markup(self.chosen.element(self.base_url))  # noqa: S704  (its values are escaped)


def show_share_page(request: AdminRequest) -> None:
    """Feeds to subscribe to, and the code that embeds the calendar in another site."""
    wanted = request.param("view")
    chosen = EmbedChoices(
        view=wanted if wanted in VIEW_NAMES else "month",
        category=request.param("category")[:LONGEST_SLUG],
        filters=request.param("filters") == "1",
        pictures=request.param("pictures") == "1",
    )
    page = SharePage(
        tabs=setting_fields.tabs(SHARE, request.root_path, request.language),
        base_url=request.base_url,
        api=f"{request.context.addresses.ns}/",
        chosen=chosen,
        categories=request.calendar.read(ANONYMOUS, filter_choices.choices)["categories"],
    )
    request.answer(page)
