"""What validators of RSS 2.0 want of a feed, as a table, from its specification and the advice of the RSS board."""

import re
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from typing import Any

ADDRESS = re.compile(r"https?://[^\s<>\"]+")
LANGUAGE = re.compile(r"[a-z]{2}(-[a-z0-9]{2,8})*", re.IGNORECASE)
RELATIVE = re.compile(r"(?:href|src)=[\"'](?!https?:|mailto:|tel:)")
SCRIPT = re.compile(r"<(?:script|style|object|embed|iframe|form)\b|\son[a-z]+=", re.IGNORECASE)
ATOM = "{http://www.w3.org/2005/Atom}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"


def is_address(text: str) -> bool:
    return ADDRESS.fullmatch(text) is not None


def is_plain(text: str) -> bool:
    """Readers differ in how they take markup in a title: there is none, and something to read."""
    return bool(text.strip()) and not re.search(r"</?[a-z]|&(?:amp|lt|gt|quot|#\d+);", text)


def is_date(text: str) -> bool:
    try:
        return parsedate_to_datetime(text).utcoffset() is not None
    except ValueError:
        return False


def is_html(text: str) -> bool:
    """Readers have no address that a relative one belongs to, and drop what could run."""
    return not RELATIVE.search(text) and not SCRIPT.search(text)


Rule = tuple[bool, Callable[[str], bool]]  # whether it has to be there, and what it must be
OF_CHANNEL: dict[str, Rule] = {
    "title": (True, is_plain),
    "link": (True, is_address),
    "description": (True, lambda text: bool(text.strip())),
    "language": (False, lambda text: LANGUAGE.fullmatch(text) is not None),
    "pubDate": (False, is_date),
    "lastBuildDate": (False, is_date),
    "ttl": (False, str.isdecimal),
}
OF_ITEM: dict[str, Rule] = {
    "title": (True, is_plain),
    "link": (True, is_address),
    "description": (True, is_html),
    "guid": (True, lambda text: bool(text.strip())),
    "pubDate": (True, is_date),
    CONTENT: (False, is_html),
}


def problems(rss: Any, address: str) -> Iterator[str]:
    """What is missing or wrong in a feed that was read at that address. `rss`: its root element."""
    channels = rss.findall("channel")
    if (rss.tag, rss.get("version"), len(channels)) != ("rss", "2.0", 1):
        yield f"{rss.tag} {rss.get('version')} has {len(channels)} channels"
    yield from _against(OF_CHANNEL, channels[0])
    own = [link.get("href") for link in channels[0].findall(f"{ATOM}link") if link.get("rel") == "self"]
    if own != [address]:
        yield f"its own address is {own}"
    items = channels[0].findall("item")
    guids = [item.findtext("guid") for item in items]
    if len({*guids}) < len(guids):
        yield "a guid stands twice"
    for item in items:
        yield from _against(OF_ITEM, item)
        guid = item.find("guid")
        if guid is not None and guid.get("isPermaLink", "true") == "true" and not is_address(guid.text or ""):
            yield f"guid {guid.text} is no address"


def _against(rules: dict[str, Rule], element: Any) -> Iterator[str]:
    for name, (is_needed, is_right) in rules.items():
        found = element.findall(name)
        if is_needed and not found:
            yield f"{element.tag} has no {name}"
        if len(found) > 1:
            yield f"{element.tag} has {name} {len(found)} times"
        yield from (f"{element.tag} {name}: {one.text!r}" for one in found if not is_right(one.text or ""))
