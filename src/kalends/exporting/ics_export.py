"""Events as iCalendar, for other calendar programs."""

from collections.abc import Iterator

from kalends.calendar.fragments.rendering import currency
from kalends.exporting.selection import Selection
from kalends.present import ical
from kalends.present.addresses import Addresses
from kalends.present.render_context import RenderContext


def write(selection: Selection, base_url: str) -> Iterator[bytes]:
    """The calendar, in pieces; the same as the feed of the site, with everything that an administrator sees."""
    calendar = selection.calendar
    settings = calendar.settings
    context = RenderContext(Addresses(base_url, "", ""), settings.timezone, currency(settings))
    shown = selection.events()
    return ical.feed(settings.site_name, f"{base_url}/events.ics", calendar.site_id(), context, shown, ())
