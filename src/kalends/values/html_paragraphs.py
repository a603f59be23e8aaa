"""Loose text of clean HTML put into paragraphs."""

import re
from collections.abc import Iterator

from kalends.values.html_tags import BLOCKS, SPACE, VOID

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
