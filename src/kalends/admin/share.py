"""Addresses to share, and the code that embeds the calendar in another site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import ClassVar, NamedTuple

from markupsafe import Markup

from kalends.admin import setting_fields
from kalends.admin.request import AdminRequest
from kalends.admin.setting_fields import SHARE, Tabs
from kalends.calendar.access import ANONYMOUS, may_manage_users
from kalends.calendar.lists import filter_choices
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.languages import N_, translate
from kalends.site import embedding
from kalends.site.calendar.calendar_views import VIEW_NAMES
from kalends.site.layout.frame import CALENDAR, QR_CODE, with_query

LONGEST_SLUG = 200
# The attributes of the element that narrow it, with the links that they name.
ATTRIBUTES = {link.kind.name: link for link in EVENT_LINKS}


@dataclass(frozen=True, slots=True)
class EmbedChoices:
    """What the embedded calendar should show."""

    view: str
    chosen: Mapping[str, str]  # what it is narrowed to, by attribute
    filters: bool
    pictures: bool

    def element(self, base: str) -> str:
        """The calendar. An attribute that says what is usual is left out."""
        attributes = [f'src="{escape(base)}"']
        attributes += [f'view="{self.view}"'] * (self.view != "month")
        attributes += [f'{name}="{escape(value)}"' for name, value in self.chosen.items() if value]
        attributes += ["filters"] * self.filters + ["pictures"] * self.pictures
        return f"<kalends-calendar {' '.join(attributes)}></kalends-calendar>"


class Narrowing(NamedTuple):
    """A select of what the embedded calendar is narrowed to."""

    attribute: str
    label: str
    choices: Sequence[tuple[str, str]]
    value: str


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
    narrowing: Sequence[Narrowing]

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
    manages = may_manage_users(request.caller)  # others have no settings, and this page alone
    wanted = request.param("view")
    chosen = EmbedChoices(
        view=wanted if wanted in VIEW_NAMES else "month",
        chosen={attribute: request.param(attribute)[:LONGEST_SLUG] for attribute in ATTRIBUTES},
        filters=request.param("filters") == "1",
        pictures=request.param("pictures") == "1",
    )
    page = SharePage(
        tabs=setting_fields.tabs(SHARE, request.root_path, request.language) if manages else [],
        base_url=request.base_url,
        api=f"{request.context.addresses.ns}/",
        chosen=chosen,
        narrowing=narrowing(request, chosen),
    )
    request.answer(page, title="" if manages else request.say(N_("Share")))


def narrowing(request: AdminRequest, chosen: EmbedChoices) -> list[Narrowing]:
    """What the calendar can be narrowed to: terms by their slugs, and others, whose names are not unique, by id."""
    offered = request.calendar.read(ANONYMOUS, filter_choices.choices)
    found = []
    for attribute, link in ATTRIBUTES.items():
        choices = [(one.slug if link.kind.is_term else str(one.id), one.label) for one in offered[link.name]]
        label = translate(link.kind.label, request.language)
        if choices:
            found.append(Narrowing(attribute, label, choices, chosen.chosen[attribute]))
    return found
