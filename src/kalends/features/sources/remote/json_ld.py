"""Finds events in a web page: the nodes of its JSON-LD (schema.org) that are events, and the pages of events that it
only links to."""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from kalends.values import foreign_json
from kalends.values.foreign_json import NotJson

MOST_NODES = 50_000
LARGEST_BLOCK = 5_000_000  # characters
EVENTS = {"Festival", "Hackathon", "CourseInstance"}  # besides those that end in `Event`
NO_EVENTS = {"PublicationEvent", "UserInteraction", "DeliveryEvent"}
CONTROL = re.compile(r"[\x00-\x1f]+")
CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([A-Za-z0-9_-]{2,30})""", re.IGNORECASE)

Json = dict[str, Any]


@dataclass
class JsonLdNodes:
    """The events of a page in its order, all nodes that have an id, and the addresses of events that it links to."""

    events: list[Json] = field(default_factory=list)
    named: dict[str, Json] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)

    def whole(self, value: object) -> object:
        """What stands for a node: a page may tell it in another place."""
        if isinstance(value, dict) and set(value) <= {"@id", "@type"}:
            return self.named.get(str(value.get("@id")), value)
        return value


def events_in(content: bytes, address: str) -> JsonLdNodes:
    """What a page has, or a document that is JSON-LD as a whole. `address`: of the page, for links without a host."""
    found, nodes = JsonLdNodes(), 0
    text = _text(content)
    blocks = [text] if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[") else _blocks(text)
    for block in blocks:
        waiting = [_read(block)]
        while waiting and nodes < MOST_NODES:
            nodes += 1
            node = waiting.pop()
            if isinstance(node, list):
                waiting += reversed(node)
            elif isinstance(node, dict):
                _look_at(node, found, address)
                waiting += [value for value in reversed(node.values()) if isinstance(value, dict | list)]
    found.links = list(dict.fromkeys(found.links))
    return found


def _look_at(node: Json, found: JsonLdNodes, address: str) -> None:
    if (id := node.get("@id")) and len(node) > 2:
        found.named.setdefault(str(id), node)
    if is_event(node):
        if node.get("startDate"):
            found.events.append(node)
        elif link := _link(node.get("url"), address):
            found.links.append(link)
    elif "ListItem" in types_of(node) and (link := _link(node.get("item") or node.get("url"), address)):
        found.links.append(link)


def is_event(node: Json) -> bool:
    return any((kind.endswith("Event") or kind in EVENTS) and kind not in NO_EVENTS for kind in types_of(node))


def types_of(node: Mapping[str, Any]) -> list[str]:
    """`MusicEvent`, whether it is written alone, in a list, or with the address of schema.org."""
    written = node.get("@type")
    listed = written if isinstance(written, list) else [written]
    return [one.rstrip("/").rpartition("/")[2].rpartition(":")[2] for one in listed if isinstance(one, str)]


def _link(written: object, address: str) -> str:
    if not isinstance(written, str) or not written.strip():
        return ""
    try:
        return urljoin(address, html.unescape(written.strip()))
    except ValueError:
        return ""


def _text(content: bytes) -> str:
    charset = CHARSET.search(content[:4096])
    for encoding in ("utf-8-sig", charset[1].decode("ascii") if charset else "", "cp1252"):
        try:
            return content.decode(encoding) if encoding else ""
        except (LookupError, UnicodeDecodeError):
            continue
    return content.decode("utf-8", "replace")


def _blocks(text: str) -> Iterator[str]:
    """The contents of scripts of this type. Found one by one: a pattern would read on to the end for each."""
    lower, after = text.lower(), 0
    while (start := lower.find("<script", after)) >= 0:
        head = lower.find(">", start)
        end = lower.find("</script", head)
        if head < 0 or end < 0:
            return
        after = end
        if "application/ld+json" in html.unescape(lower[start:head]):
            yield text[head + 1 : end][:LARGEST_BLOCK]


def _read(block: str) -> object:
    """The JSON of a block, with what some programs put around it; None if it is none."""
    plain = block.strip().removeprefix("<!--").removesuffix("-->").strip().rstrip(";")
    plain = re.sub(r"^/[/*]\s*<!\[CDATA\[\s*(?:\*/)?|(?:/[/*])?\s*\]\]>\s*(?:\*/)?$", "", plain)
    for text in (plain, CONTROL.sub(" ", plain)):  # texts with line breaks, which JSON has not
        try:
            return foreign_json.read(text.encode("utf-8", "replace"))
        except NotJson:
            continue
    return None
