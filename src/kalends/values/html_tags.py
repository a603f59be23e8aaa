"""Tags of HTML: the safe elements, how a tag is recognised, and the pairing of start and end tags."""

import re

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
SAFE = INLINE | BLOCKS
VOID = frozenset({"br", "hr", "img"})
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

SPACE = " \t\n\f"
_ATTRIBUTE = (
    rf"[^{SPACE}/<>=]++(?:[{SPACE}]*+=[{SPACE}]*+"
    rf"""(?:"[^"<]*+"|'[^'<]*+'|[^{SPACE}"'<>][^{SPACE}<>]*+|(?=>))|(?![{SPACE}]*+=))"""
)
# A tag as HTML defines it, except that a raw "<" ends it: so no search runs past the next "<".
_TAG = (
    rf"<(?P<end>/?)(?P<name>[a-z][^{SPACE}/<>]*+)"
    rf"""(?P<attributes>(?:[{SPACE}/]++|(?<=[{SPACE}/"']){_ATTRIBUTE})*+)>"""
)
_COMMENT = r"<!--(?:-?>|.*?-->|.*)|<[!?][^<>]*+>"
_WITH_ITS_TEXT = rf"<(?P<raw>script|style)(?![^{SPACE}/<>]).*?(?:</(?P=raw)(?![^{SPACE}/<>])[^<>]*+>?|\Z)"
_FLAGS = re.DOTALL | re.IGNORECASE
TOKEN = re.compile(f"{_COMMENT}|{_WITH_ITS_TEXT}|{_TAG}", _FLAGS)
TOKEN_OR_LOOSE = re.compile(f"{_COMMENT}|{_WITH_ITS_TEXT}|{_TAG}|<[a-z/][^<>]*+>", _FLAGS)


class TooManyAttributes(ValueError):
    """The tags of a text have more attributes than are allowed."""


def paired(text: str, most_attributes: int | None = None) -> str:
    """The same HTML with safe elements opened and closed in order, other tags gone, a stray "<" escaped."""
    output = _PairedHtml()
    attributes_left = most_attributes
    position = 0
    for token in TOKEN.finditer(text):
        if position != token.start():
            output.add_text(text[position : token.start()])
        position = token.end()
        end, name, attributes = token.group("end", "name", "attributes")
        if not name or (name := name.lower()) not in SAFE:
            continue
        if end:
            output.end(name)
        else:
            if attributes_left is not None and (attributes_left := attributes_left - attributes.count("=")) < 0:
                raise TooManyAttributes
            output.start(name, attributes)
    output.add_text(text[position:])
    output.close_down_to(0)
    return "".join(output.written)


class _PairedHtml:
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
        if name in VOID:
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
