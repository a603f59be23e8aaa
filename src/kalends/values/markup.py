"""Text and HTML that clients send, made safe: plain names, and descriptions in a fixed set of elements.

The tags are paired before nh3 judges them: it sees well-formed HTML of bounded depth only, so that no input
can make its parser slow, and what it lets through is read the same way by every browser.
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from html.entities import html5

import nh3

# fmt: off
INLINE = frozenset({
    "a", "strong", "b", "em", "i", "u", "s", "del", "ins", "sub", "sup", "small", "mark", "cite", "q", "code",
    "kbd", "samp", "abbr", "time", "span", "br", "img",
})
BLOCKS = frozenset({
    "p", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre",
    "div", "figure", "figcaption", "table", "thead", "tbody", "tr", "th", "td", "details", "summary",
})
# fmt: on
_SAFE = INLINE | BLOCKS
_VOID = frozenset({"br", "hr", "img"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CELLS = frozenset({"td", "th"})
_TABLE_PARTS = frozenset({"thead", "tbody", "tr", "td", "th"})
_BETWEEN_CELLS = frozenset({"table", "thead", "tbody", "tr"})

# Opening one of these closes those open ones, unless one of the last set stands between.
_CLOSES = {
    "a": ({"a"}, _CELLS),
    "li": ({"li", "p"}, {"ul", "ol", *_CELLS}),
    "dt": ({"dt", "dd", "p"}, {"dl", *_CELLS}),
    "dd": ({"dt", "dd", "p"}, {"dl", *_CELLS}),
    "td": (_CELLS, {"table"}),
    "th": (_CELLS, {"table"}),
    "tr": ({"tr"}, {"table"}),
    "thead": ({"thead", "tbody", "tr"}, {"table"}),
    "tbody": ({"thead", "tbody", "tr"}, {"table"}),
}
_P = ({"p"}, _CELLS)

_DEEPEST = 64
_PASSES = 6

_SPACE = " \t\n\f"
_ATTRIBUTE = (
    rf"[^{_SPACE}/<>=]++(?:[{_SPACE}]*+=[{_SPACE}]*+"
    rf"""(?:"[^"<]*+"|'[^'<]*+'|[^{_SPACE}"'<>][^{_SPACE}<>]*+|(?=>))|(?![{_SPACE}]*+=))"""
)
# A tag as HTML defines it, except that a raw "<" ends it: so no search runs past the next "<".
_TAG = (
    rf"<(?P<end>/?)(?P<name>[a-z][^{_SPACE}/<>]*+)"
    rf"""(?P<attributes>(?:[{_SPACE}/]++|(?<=[{_SPACE}/"']){_ATTRIBUTE})*+)>"""
)
_COMMENT = r"<!--(?:-?>|.*?-->|.*)|<[!?][^<>]*+>"
_WITH_ITS_TEXT = rf"<(?P<raw>script|style)(?![^{_SPACE}/<>]).*?(?:</(?P=raw)(?![^{_SPACE}/<>])[^<>]*+>?|\Z)"
_FLAGS = re.DOTALL | re.IGNORECASE
_TOKEN = re.compile(f"{_COMMENT}|{_WITH_ITS_TEXT}|{_TAG}", _FLAGS)
_TOKEN_OR_LOOSE = re.compile(f"{_COMMENT}|{_WITH_ITS_TEXT}|{_TAG}|<[a-z/][^<>]*+>", _FLAGS)
# nh3 escapes "<" and ">" wherever they are not a tag's own.
_CLEAN_TAG = re.compile(r"<(/?)([a-z0-9]+)[^>]*>")
_TAG_START = re.compile(r"<(?=[a-zA-Z/!?])")
_ENTITY = re.compile(
    r"&(?:(?:amp|#0*38|#x0*26);)*((?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)", re.IGNORECASE
)

# Control characters, lone surrogates, and the code points that Unicode keeps free of characters for ever; XML has no
# place for most of them.
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    chr(plane | last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)
)
_CONTROLS = "\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff" + _NONCHARACTERS
_CONTROL = re.compile(f"[{_CONTROLS}]")
_CONTROL_OR_OVERRIDE = re.compile(f"[{_CONTROLS}\u202a-\u202e\u2066-\u2069\ufeff]")
_MARKUP_SIGN = re.compile("[<>&]")

# The white space of a line stays as it is; what would break it becomes one space.
_LINE_BREAKS = re.compile("(?<! ) *[\t\n\x0b\x0c\r\x85\u2028\u2029][ \t\n\x0b\x0c\r\x85\u2028\u2029]*")

_BLANK_LINES = re.compile(r"\n[ \t\f]*\n\s*")
_LINE_BREAK = re.compile(r"(?<![ \t\f])[ \t\f]*\n[ \t\f]*")
_SEEN_WITHOUT_TEXT = re.compile(r"<(?:img|hr)\b")
_LINK = re.compile(r"https?://|mailto:|tel:|/(?!/)", re.IGNORECASE)
_IMAGE = re.compile(r"https?://|/(?!/)", re.IGNORECASE)
_LENGTH = re.compile(r"[0-9]{1,5}%?")


def plain(text: str) -> str:
    """A name, title or other line of text without tags. No part of the answer can be read as a tag."""
    for _ in range(_PASSES):
        before = text
        text = unicodedata.normalize("NFC", _CONTROL_OR_OVERRIDE.sub("", text))
        text = _ENTITY.sub(_decoded, _TOKEN_OR_LOOSE.sub(_space_for_block, text))
        if text == before:
            break
    else:  # Layer upon layer of escaping is no name: what is left of it loses its signs.
        text = unicodedata.normalize("NFC", _CONTROL_OR_OVERRIDE.sub("", _MARKUP_SIGN.sub(" ", text)))
    line = _LINE_BREAKS.sub(" ", _TAG_START.sub("< ", text).strip())
    return line if any(char.isprintable() and not char.isspace() for char in line) else ""


def safe_html(text: str) -> str:
    """A description in the safe set of elements. Loose text becomes paragraphs; blank text is ""."""
    for _ in range(_PASSES):
        clean = _CLEANER.clean(_paired(_tidy(text)))
        result = _paragraphs(_tidy(clean))  # Again: an entity may have stood for a control character.
        if result == text or "<" not in text:
            return result
        text = result
    # What does not settle was made to confuse: its words are enough.
    words = html.escape(_tidy(text_of(text)), quote=False)
    return f"<p>{words}</p>" if words else ""


def text_of(html_text: str) -> str:
    """The words of safe HTML on one line, for search and for descriptions that are plain text."""
    return " ".join(html.unescape(_TOKEN.sub(_space_for_block, html_text)).split())


def _tidy(text: str) -> str:
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " "))


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
            if value.startswith("//"):
                value = f"https:{value}"
            pattern = _LINK if attribute == "href" else _IMAGE
            return value if pattern.match(value) else None
        case "width" | "height":
            return value if _LENGTH.fullmatch(value) else None
    return value


_CLEANER = nh3.Cleaner(
    tags=set(_SAFE),
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


def _paired(text: str) -> str:
    """The same HTML with safe elements opened and closed in order, other tags gone, a stray "<" escaped."""
    nest = _Nest()
    position = 0
    for token in _TOKEN.finditer(text):
        if position != token.start():
            nest.add_text(text[position : token.start()])
        position = token.end()
        end, name, attributes = token.group("end", "name", "attributes")
        if not name or (name := name.lower()) not in _SAFE:
            continue
        if end:
            nest.end(name)
        else:
            nest.start(name, attributes)
    nest.add_text(text[position:])
    nest.close_down_to(0)
    return "".join(nest.written)


class _Nest:
    """HTML being written, and the elements open at its end."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.open: list[str] = []
        self.after_pre = False

    def add_text(self, text: str) -> None:
        if self.after_pre:  # A parser drops the first line break there, and would drop another each time.
            text = text.lstrip("\n")
            self.after_pre = not text
        if text:
            if text.strip():
                self._enter_cell()
            self.written.append(text.replace("<", "&lt;"))

    def start(self, name: str, attributes: str) -> None:
        self._close_before(name)
        if name in _TABLE_PARTS:
            if "table" not in self.open:
                return
            if name in _CELLS and self.open[-1] != "tr":
                self._write_start("tr")
        else:
            self._enter_cell()
        if name in _VOID:
            self.written.append(f"<{name}{attributes}>")
        elif len(self.open) < _DEEPEST:
            self._write_start(name, attributes)
        self.after_pre = name == "pre"

    def end(self, name: str) -> None:
        self.after_pre = False
        for level in range(len(self.open) - 1, -1, -1):
            if self.open[level] == name:
                self.close_down_to(level)
                return
            if self.open[level] in _CELLS and name not in _TABLE_PARTS and name != "table":
                return

    def close_down_to(self, level: int) -> None:
        while len(self.open) > level:
            self.written.append(f"</{self.open.pop()}>")

    def _close_before(self, name: str) -> None:
        if not self.open or (name in INLINE and name != "a"):
            return
        if name in _HEADINGS and self.open[-1] in _HEADINGS:
            self.close_down_to(len(self.open) - 1)
        closed, barrier = _CLOSES.get(name, _P)
        lowest = len(self.open)
        for level in range(len(self.open) - 1, -1, -1):
            if self.open[level] in closed:
                lowest = level
            if self.open[level] in barrier and self.open[level] not in closed:
                break
        self.close_down_to(lowest)

    def _enter_cell(self) -> None:
        """What stands between the cells of a table gets a cell; a parser would throw it out of the table."""
        if self.open and self.open[-1] in _BETWEEN_CELLS:
            if self.open[-1] != "tr":
                self._write_start("tr")
            self._write_start("td")

    def _write_start(self, name: str, attributes: str = "") -> None:
        self.open.append(name)
        self.written.append(f"<{name}{attributes}>")


def _paragraphs(clean: str) -> str:
    """Well-formed HTML with its loose text and inline elements in paragraphs, one block a line."""
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
        elif name not in _VOID:
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
        elif content := part.strip(_SPACE + _BREAK):
            yield f"<p>{content}</p>".replace(_BREAK, "<br>\n")


def _can_be_seen(clean: str) -> bool:
    if _SEEN_WITHOUT_TEXT.search(clean):
        return True
    return bool(_CLEAN_TAG.sub("", clean).replace("&nbsp;", "").strip())
