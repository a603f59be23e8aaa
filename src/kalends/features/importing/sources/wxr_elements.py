"""Reads a large XML file piece by piece: no entities, no external files, bounded depth and size."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO
from xml.parsers import expat

from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.files import FileSource
from kalends.languages import N_

PIECE = 262_144
LONGEST_TEXT = 4_000_000  # of one element
LONGEST_TAG = 1_000_000  # with its attributes, or of a comment: the parser begins it anew with each piece
MOST_CHILDREN = 20_000  # of one item
DEEPEST = 50
OWN_ENCODINGS = ("UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE")  # of the parser, and more than a byte a character
TOO_LARGE = N_("an item is too large")
# XML has none of them, but plugins and editors leave some in exports.
CONTROL_CHARACTERS = bytes(range(32)).translate(None, b"\t\n\r")


@dataclass(slots=True)
class Element:
    """An element with its text and its children."""

    name: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    def child(self, name: str) -> str:
        """The text of the first child of this name."""
        return next((child.text for child in self.children if child.name == name), "")

    def all(self, name: str) -> list["Element"]:
        return [child for child in self.children if child.name == name]


class _Refused(Exception):
    """The sentence says why; the line is that of the parser."""


class _Builder:
    """Builds the elements at one depth of the document, and forgets them when they are taken."""

    def __init__(self, depth: int) -> None:
        self._done: list[Element] = []
        self._depth = depth
        self._open: list[tuple[Element, list[str]]] = []  # with their texts so far
        self._level = self._size = self._count = self._fed = 0
        self.root = ""
        self.skipped = 0  # lines before the document
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.XmlDeclHandler = self._declared
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._refuse
        self.parser.StartDoctypeDeclHandler = self._refuse

    @property
    def line(self) -> int:
        return self.skipped + self.parser.CurrentLineNumber

    def parsed(self, piece: bytes, *, is_last: bool = False) -> list[Element]:
        """The elements that end in a piece."""
        self._fed += len(piece)
        self.parser.Parse(piece, is_last)
        if self._fed - self.parser.CurrentByteIndex > LONGEST_TAG:
            raise _Refused(TOO_LARGE)
        done, self._done = self._done, []
        return done

    def _refuse(self, name: str, *_: object) -> None:
        self.root = self.root or name
        raise _Refused(N_("it has a document type or entities, which an export of WordPress has not"))

    def _declared(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and not _is_readable(encoding):
            raise _Refused(N_("its encoding is not read here; save it as UTF-8"))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._level += 1
        self.root = self.root or name
        if self._level > DEEPEST:
            raise _Refused(N_("its elements are nested too deeply"))
        if self._level >= self._depth:
            element = Element(name, attributes, self.line)
            if self._open:
                self._open[-1][0].children.append(element)
            self._open.append((element, []))
            self._count += 1
            if self._count > MOST_CHILDREN:
                raise _Refused(N_("an item has too many elements"))

    def _end(self, name: str) -> None:
        self._level -= 1
        if self._open:
            element, texts = self._open.pop()
            element.text = "".join(texts)
            if not self._open:
                self._done.append(element)
                self._size = self._count = 0

    def _text(self, text: str) -> None:
        if self._open:
            self._size += len(text)
            if self._size > LONGEST_TEXT:
                raise _Refused(TOO_LARGE)
            self._open[-1][1].append(text)


def elements(source: FileSource, depth: int) -> Iterator[Element]:
    """The elements at a depth, one after the other. Raises SourceError."""
    builder = _Builder(depth)
    try:
        with source.opened() as file:
            for piece in _pieces(file, builder):
                yield from builder.parsed(piece)
        yield from builder.parsed(b"", is_last=True)
    except (expat.ExpatError, _Refused) as error:
        raise _explained(error, builder, source) from None


def _pieces(file: IO[bytes], builder: _Builder) -> Iterator[bytes]:
    """The document, without what stands before it."""
    piece = file.read(PIECE)
    is_utf_16 = b"\0" in piece[:4]
    if not is_utf_16:
        start = piece.lstrip(b"\xef\xbb\xbf \t\r\n")
        builder.skipped = piece.count(b"\n", 0, len(piece) - len(start))
        piece = start
    while piece:
        yield piece if is_utf_16 else piece.translate(None, CONTROL_CHARACTERS)
        piece = file.read(PIECE)


def _is_readable(encoding: str) -> bool:
    """Whether the parser reads an encoding: its own ones, and those of Python that have a character for each byte."""
    if encoding.upper() in OWN_ENCODINGS:
        return True
    try:
        return len(bytes(range(256)).decode(encoding, "replace")) == 256
    except (LookupError, ValueError):
        return False


def _explained(error: expat.ExpatError | _Refused, builder: _Builder, source: FileSource) -> SourceError:
    if builder.root.lower() == "html":
        return source.refused(N_("{file}: this is a web page, not an export of WordPress"))
    if isinstance(error, _Refused):
        return source.refused(
            N_("{file}: line {line}: {reason}"), line=builder.line, reason=ImportMessage(str(error))
        )
    line = builder.skipped + error.lineno
    if not builder.root:
        sentence = N_("{file}: line {line}: this is not XML; choose the file that Tools > Export gave")
        return source.refused(sentence, line=line)
    sentence = N_("{file}: line {line}: {reason}; is the file complete? Export it again")
    return source.refused(sentence, line=line, reason=expat.errors.messages.get(error.code, ""))
