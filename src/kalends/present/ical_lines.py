"""The lines of an iCalendar document. The library `icalendar` escapes, quotes and folds them; whole components of
its own would take four times as long, and a feed has no limit."""

from collections.abc import Iterable

from icalendar import Parameters, vCategory, vText, vUri
from icalendar.parser import Contentline

# A line ends where we say so; of these characters a text may have the tab and the line break.
CONTROLS = dict.fromkeys([*range(9), *range(11, 32), 127])


def line(name: str, value: str | vText | vCategory, /, **parameters: str) -> bytes:
    """A property. Its value is a `text`, `texts`, or of a type that has nothing to escape."""
    given = Parameters({key.upper(): _clean(one).replace("\n", " ") for key, one in parameters.items()})
    # A plain value is written as it is, which is what the library does with an address.
    written = value if isinstance(value, vText | vCategory) else vUri(value.translate(CONTROLS).replace("\n", ""))
    return bytes(Contentline.from_parts(name, given, written).to_ical()) + b"\r\n"


def text(value: str) -> vText:
    return vText(_clean(value))


def texts(values: Iterable[str]) -> vCategory:
    """Several texts in one line."""
    return vCategory([vText(_clean(value)) for value in values])


def _clean(value: str) -> str:
    return value.replace("\r\n", "\n").translate(CONTROLS)
