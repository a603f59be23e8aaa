"""The kinds of settings of the look: colours, links, style sheets, the logo and map tiles."""

import re
from collections.abc import Callable

from kalends.setting_kinds import Kind, ReasonedError
from kalends.values import colours, look_texts

LONGEST_TEXT = 2000

_LOGO = re.compile(r"(?:\w[\w-]*/)*\w[\w.-]*\.(?:png|jpe?g|gif|webp|avif)", re.ASCII | re.IGNORECASE)


def _checked(check: Callable[[str], object]) -> Callable[[str], str]:
    """A text that is kept as it was written; empty is accepted."""

    def parse(written: str) -> str:
        try:
            if written:
                check(written)
        except ValueError as problem:
            raise ReasonedError(str(problem)) from None
        return written

    return parse


def _colour(written: str) -> str:
    return colours.parse(written) if written else ""


def _logo(written: str) -> str:
    if written and not _LOGO.fullmatch(written):
        raise ValueError
    return written


def _lines(written: str) -> str:
    if len(written) > LONGEST_TEXT or not all(look_texts.is_plain(line) for line in written.splitlines()):
        raise ValueError
    return written


COLOUR = Kind("nothing, or a colour such as #a5281b", _colour)
LINKS = Kind(
    "lines of a name and an address that begins with https://, http://, mailto: or /", _checked(look_texts.links)
)
LINES = Kind(f"lines of together at most {LONGEST_TEXT} characters", _lines)
QUICK = Kind(f"at most {look_texts.MOST_LINKS} names, on lines or between commas", _checked(look_texts.quick_names))
CSS = Kind("a style sheet without @import, HTML and addresses of other hosts", _checked(look_texts.check_css))
LOGO = Kind("nothing, or the name of a file of the media library, such as 2026/11/logo.png", _logo)
TILES = Kind(
    "nothing, or an address such as https://tiles.example.org/{z}/{x}/{y}.png", _checked(look_texts.check_tiles)
)
