"""Texts that the owner of a site writes for its appearance: links, style sheets and addresses of map tiles.

None of them can run a script, or send a reader's browser to another host unasked. What is not accepted raises
ValueError with a reason.
"""

import re
import unicodedata
from typing import NamedTuple
from urllib.parse import urlsplit

LONGEST_CSS = 50_000
MOST_LINKS = 12
LONGEST_NAME = 200

# Control characters, lone surrogates and line breaks.
UNWRITABLE = {"Cc", "Cs", "Zl", "Zp"}

_LINK = re.compile(r"(?P<name>\S.*?)[ \t|]+(?P<href>(?:https?://|mailto:|/(?!/))[^\s\"'<>\\]+|/)")
_TILES = re.compile(r"https://[a-z0-9.-]+(?::[0-9]{1,5})?/[\w./~%?&=@{}-]*", re.ASCII | re.IGNORECASE)

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
# A scheme, or what a browser reads as the start of a host.
_ELSEWHERE = re.compile(r"(?:url|src|image|image-set)\(\s*[\"']?\s*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})", re.IGNORECASE)
_QUOTED_ADDRESS = re.compile(r"[\"']\s*(?:[a-z][a-z0-9+.-]*:[/\\]|[/\\]{2}|javascript:|data:)", re.IGNORECASE)


class WrittenLink(NamedTuple):
    """A link of the header or the footer."""

    name: str
    href: str


def links(written: str) -> list[WrittenLink]:
    """One link a line: its name, then its address."""
    found = []
    for line in filter(None, (line.strip() for line in written.splitlines())):
        match = _LINK.fullmatch(line)
        if match is None or not is_plain(line):
            raise ValueError(f"this line is no link: {line[:60]!r}")
        found.append(WrittenLink(match["name"].rstrip(" |"), match["href"]))
    if len(found) > MOST_LINKS:
        raise ValueError(f"there are more than {MOST_LINKS} links")
    return found


def quick_names(written: str) -> list[str]:
    """One quick choice a line, or several between commas."""
    found = [name.strip() for name in re.split(r"[\n,]", written) if name.strip()]
    if len(found) > MOST_LINKS:
        raise ValueError(f"there are more than {MOST_LINKS} quick choices")
    if any(len(name) > LONGEST_NAME or not is_plain(name) for name in found):
        raise ValueError("this is no name of a quick choice")
    each: dict[str, str] = {}
    for name in found:
        each.setdefault(name.casefold(), name)
    return list(each.values())


def check_css(written: str) -> None:
    """A style sheet that loads nothing from other hosts and stays one wherever it is put."""
    if len(written) > LONGEST_CSS or "\0" in written:
        raise ValueError(f"it has more than {LONGEST_CSS} characters")
    # A browser reads escapes and skips comments before it looks at words; both could hide one.
    for text in (_ESCAPE.sub(_unescaped, _COMMENT.sub("", written)), _ESCAPE.sub(_unescaped, written)):
        if "@import" in text.lower():
            raise ValueError("@import is not accepted")
        if "</" in text or "<!--" in text:
            raise ValueError("HTML is not accepted")
        if _ELSEWHERE.search(text) or _QUOTED_ADDRESS.search(text):
            raise ValueError("an address of another host is not accepted")


def check_tiles(written: str) -> None:
    if not (_TILES.fullmatch(written) and all(part in written for part in ("{x}", "{y}", "{z}"))):
        raise ValueError("this is no address of map tiles")


def tile_host(template: str) -> str:
    """The origin of map tiles, for the security policy of pages that show a map."""
    parts = urlsplit(template)
    return f"{parts.scheme}://{parts.netloc}"


def is_plain(line: str) -> bool:
    """Whether a line has nothing that cannot be seen."""
    return all(unicodedata.category(character) not in UNWRITABLE for character in line if character != "\t")


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is None:
        return "" if match[2] == "\n" else match[2]
    number = int(match[1], 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
