"""Text and HTML that clients send, made safe: plain names, and descriptions in a fixed set of elements.

The tags are paired before nh3 cleans them: it sees well-formed HTML of bounded depth only, so that no input
can make its parser slow, and what it lets through is read alike by every browser.
"""

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from html.entities import html5

import nh3

from kalends.values import site_paths
from kalends.values.html_tags import (
    BLOCKS,
    INLINE,
    SAFE,
    SPACE,
    TOKEN,
    TOKEN_OR_LOOSE,
    VOID,
    TooManyAttributes,
    paired,
)
from kalends.values.marks import normalized

# Loose text of clean HTML put into paragraphs.

# nh3 escapes "<" and ">" wherever they are not a tag's own.
_CLEAN_TAG = re.compile(r"<(/?)([a-z0-9]+)[^>]*>")
_BLANK_LINES = re.compile(r"\n[ \t\f]*\n\s*")
_LINE_BREAK = re.compile(r"(?<![ \t\f])[ \t\f]*\n[ \t\f]*")
_ONE_LINE = re.compile("[ -%'-;=?-~]*")  # printable ASCII without signs of markup: a paragraph, unless it is blank
_SEEN_WITHOUT_TEXT = re.compile(r"<(?:img|hr)\b")


def paragraphs(clean: str) -> str:
    """Well-formed HTML with its loose text and inline elements in paragraphs, one block a line."""
    if _ONE_LINE.fullmatch(clean):
        content = clean.strip(SPACE)
        return f"<p>{content}</p>" if content else ""
    pieces: list[str] = []
    position = depth = start = 0
    has_block = False
    for tag in _CLEAN_TAG.finditer(clean):
        end, name = tag.groups()
        if not depth:
            pieces.append(_loose(clean[position : tag.start()]))
            start, has_block = tag.start(), False
        position = tag.end()
        has_block = has_block or name in BLOCKS
        if end:
            depth -= 1
        elif name not in VOID:
            depth += 1
        if not depth:
            element = clean[start:position]
            pieces.append(f"{_PARAGRAPH}{_BLOCK}{element}{_PARAGRAPH}" if has_block else element)
    pieces.append(_loose(clean[position:]))
    result = "\n".join(_blocks("".join(pieces)))
    return result if _can_be_seen(result) else ""


# Signs that stand for a division of loose text until all of it is known; clean HTML has none of them.
_BREAK, _PARAGRAPH, _BLOCK = "\x00", "\x01", "\x02"


def _loose(text: str) -> str:
    if "\n" not in text:
        return text
    return _LINE_BREAK.sub(_BREAK, _BLANK_LINES.sub(_PARAGRAPH, text))


def _blocks(marked: str) -> Iterator[str]:
    marked = marked.replace(f"<br>{_BREAK}", "<br>\n")
    for part in marked.split(_PARAGRAPH):
        if part.startswith(_BLOCK):
            yield part[1:]
        elif content := part.strip(SPACE + _BREAK):
            yield f"<p>{content}</p>".replace(_BREAK, "<br>\n")


def _can_be_seen(clean: str) -> bool:
    if _SEEN_WITHOUT_TEXT.search(clean):
        return True
    return bool(_CLEAN_TAG.sub("", clean).replace("&nbsp;", "").strip())


__all__ = ["BLOCKS", "INLINE", "TooManyAttributes", "TooManySigns", "count_signs", "plain", "safe_html", "text_of"]

_PASSES = 6

_TAG_START = re.compile(r"<(?=[a-zA-Z/!?])")
_ENTITY = re.compile(
    r"&(?:(?:amp|#0*38|#x0*26);)*((?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)", re.IGNORECASE
)

# Control characters, lone surrogates, and the code points that Unicode keeps free of characters for ever; XML has no
# place for most of them. Those beyond the first plane are apart, since a pattern with them is six times as slow.
_CONTROLS = "\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
_HIGH_NONCHARACTERS = "".join(
    chr(plane | last) for plane in range(0x10000, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)
)
_CONTROL = re.compile(f"[{_CONTROLS}]")
_CONTROL_OR_OVERRIDE = re.compile(f"[{_CONTROLS}{_HIGH_NONCHARACTERS}\u202a-\u202e\u2066-\u2069\ufeff]")
_MARKUP_SIGN = re.compile("[<>&]")
_NOTHING_TO_DO = re.compile("[ -%'-;=?-~]*")  # printable ASCII without the signs of markup

_WITHOUT_MARKUP = re.compile("[\n -%'-;=?-~]*")  # the same with line breaks

# The white space of a line stays as it is; what would break it becomes one space.
_LINE_BREAKS = re.compile("(?<! ) *[\t\n\x0b\x0c\r\x85\u2028\u2029][ \t\n\x0b\x0c\r\x85\u2028\u2029]*")

_LINK = re.compile(r"https?://|mailto:|tel:", re.IGNORECASE)
_IMAGE = re.compile(r"https?://", re.IGNORECASE)
_LENGTH = re.compile(r"[0-9]{1,5}%?")


def plain(text: str) -> str:
    """A name, title or other line of text without tags. No part of the answer can be read as a tag."""
    if _NOTHING_TO_DO.fullmatch(text):
        return text.strip()
    for _ in range(_PASSES):
        before = text
        text = normalized("NFC", _CONTROL_OR_OVERRIDE.sub("", text))
        text = _ENTITY.sub(_decoded, TOKEN_OR_LOOSE.sub(_space_for_block, text))
        if text == before:
            break
    else:  # Layer upon layer of escaping is no name: what is left of it loses its signs.
        text = normalized("NFC", _CONTROL_OR_OVERRIDE.sub("", _MARKUP_SIGN.sub(" ", text)))
    line = _LINE_BREAKS.sub(" ", _TAG_START.sub("< ", text).strip())
    return line if any(char.isprintable() and not char.isspace() for char in line) else ""


class TooManySigns(ValueError):
    """A text has more tags and entities than are allowed, once they are paired."""


def count_signs(text: str) -> int:
    """Tags and entities, counted without parsing them."""
    return max(text.count("<"), text.count(">")) + text.count("&")


def safe_html(text: str, most_signs: int | None = None, most_attributes: int | None = None) -> str:
    """A description in the safe set of elements. Loose text becomes paragraphs; blank text is ""."""
    if _WITHOUT_MARKUP.fullmatch(text):  # nothing to pair, and nothing that the cleaner would change
        return paragraphs(text)
    text = _tidy(text)
    for _ in range(_PASSES):
        well_formed = paired(text, most_attributes)
        if most_signs is not None and count_signs(well_formed) > most_signs:
            raise TooManySigns
        clean = _CLEANER.clean(well_formed)
        result = paragraphs(_tidy(clean) if "&#" in text else clean)  # It may have stood for a control character.
        if result == text or "<" not in well_formed:
            return result
        text = result
    # What does not settle was made to confuse: its words are enough.
    words = html.escape(_tidy(text_of(text)), quote=False)
    return f"<p>{words}</p>" if words else ""


@lru_cache(4)  # what is written needs its words for search, feeds and search engines; few, as they can be long
def text_of(html_text: str) -> str:
    """The words of safe HTML on one line, for search and for descriptions that are plain text."""
    return " ".join(html.unescape(TOKEN.sub(_space_for_block, html_text)).split())


def _tidy(text: str) -> str:
    clean = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " "))
    for char in _HIGH_NONCHARACTERS:
        if char in clean:  # which is quicker than to replace nothing
            clean = clean.replace(char, "")
    return clean


def _decoded(entity: re.Match[str]) -> str:
    body = entity[1]
    if body.startswith("#"):
        return html.unescape(f"&{body}")
    return html5.get(body, f"&{body}")


def _space_for_block(token: re.Match[str]) -> str:
    name = (token["name"] or "").lower()
    return "\n" if name in BLOCKS or name == "br" else ""


def _attribute(element: str, attribute: str, value: str) -> str | None:
    value = value.strip()
    match attribute:
        case "href" | "src":
            if site_paths.is_path(value):
                return value
            read = site_paths.as_read(value)
            if read.startswith("//"):  # of another site
                return f"https://{read.lstrip('/')}"
            pattern = _LINK if attribute == "href" else _IMAGE
            return value if pattern.match(value) else None
        case "width" | "height":
            return value if _LENGTH.fullmatch(value) else None
    return value


_CLEANER = nh3.Cleaner(
    tags=set(SAFE),
    clean_content_tags={"script", "style"},
    attributes={
        "*": set(),
        "a": {"href", "title"},
        "abbr": {"title"},
        "time": {"datetime"},
        "img": {"src", "alt", "width", "height"},
    },
    attribute_filter=_attribute,
    generic_attribute_prefixes=set(),
    url_schemes={"http", "https", "mailto", "tel"},
    link_rel=None,
)
