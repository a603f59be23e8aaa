"""The page that explains how to subscribe to the calendar, with the links of common calendar programs."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar
from urllib.parse import quote, urlsplit

from kalends.languages import N_, translate
from kalends.site.calendar.calendar_selection import Selection
from kalends.site.layout import Frame, with_query
from kalends.site.public_page import PublicPage
from kalends.site.records.external_links import Link

PATH = "/subscribe"
FEED = "/events.ics"
WHOLE, CHOSEN = N_("The whole calendar"), N_("With your filters")
DEVICE = N_("Calendar on this device")


@dataclass(frozen=True, slots=True)
class Subscription:
    """A feed with the ways to subscribe to it."""

    id: str
    heading: str
    words: str  # what its filters are
    address: str
    download: str
    programs: list[Link]


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
            Link(translate(DEVICE, frame.language), webcal),
            Link("Apple", webcal),
            Link("Google", f"https://calendar.google.com/calendar/r?cid={quote(webcal, safe='')}"),
            Link("Outlook.com", f"https://outlook.live.com/calendar/0/{outlook}"),
            Link("Microsoft 365", f"https://outlook.office.com/calendar/0/{outlook}"),
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
