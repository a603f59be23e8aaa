"""Divides a multipart form into its parts, as RFC 2046 does.

Falcon's handler refuses boundaries of more than 70 characters (Werkzeug writes 77) and white space after a boundary,
fails on part headers that are not UTF-8, and takes three times as long for many small parts.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, NamedTuple
from urllib.parse import unquote

from kalends.contract.errors import INVALID_BODY, ApiError, FieldError
from kalends.languages import N_
from kalends.store.files.media_files import refused

MOST_PARTS = 2000
LONGEST_BOUNDARY = 200  # RFC 2046 says 70, and some libraries write a little more
HEAD_END = b"\r\n\r\n"
DISPOSITION = "content-disposition"
LARGEST_HEAD = 16 * 1024  # of the headers of a part
LONGEST_FILE_NAME = 1000
# One option of a header such as Content-Disposition: `; name="value"`.
OPTION = re.compile(r';\s*+([^\s;="]++)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^;"]*+))', re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
MOST_FILES = 10  # that are written to a folder
UPLOAD = "upload-"
UNENCODED = ("7bit", "8bit", "binary")


SavedFile = IO[bytes]  # temporary, with a name


class Part(NamedTuple):
    name: str
    content: bytes
    file_name: str


def read_parts(content_type: str, data: bytes) -> list[Part]:
    try:
        return split(data, boundary_in(content_type))
    except (StopIteration, ValueError):
        raise malformed() from None


def boundary_in(content_type: str) -> bytes:
    boundary = header_options(content_type).get("boundary", "").encode("latin-1", "replace")
    if not 1 <= len(boundary) <= LONGEST_BOUNDARY:
        raise malformed()
    return boundary


def malformed() -> ApiError:
    return ApiError(INVALID_BODY, reason=FieldError("", N_("the form is malformed.")))


def split(data: bytes, boundary: bytes) -> list[Part]:
    _, *pieces = (b"\r\n" + data).split(b"\r\n--" + boundary, MOST_PARTS + 1)
    end = next(number for number, piece in enumerate(pieces) if piece.startswith(b"--"))
    return [_part(piece) for piece in pieces[:end]]


class FileDropper:
    """Takes a form piece by piece as it arrives, and gives it back without the contents of its files: at most so many
    bytes of a form of any size."""

    def __init__(self, content_type: str, most: int) -> None:
        self._delimiter = b"\r\n--" + boundary_in(content_type)
        self._buffer = b"\r\n"  # the first delimiter may have no line before it
        self._remaining = most
        self._next: Callable[[], bytes | None] = self._next_content
        self._keeps = False  # whether the content that comes now is a text

    def __call__(self, piece: bytes) -> bytes:
        self._buffer += piece
        given = list[bytes]()
        while (taken := self._next()) is not None:
            given.append(taken)
        kept = b"".join(given)
        self._remaining -= len(kept)
        if self._remaining < 0 or len(self._buffer) > LARGEST_HEAD + LONGEST_BOUNDARY:
            raise malformed()
        return kept

    # Each of these takes something from the buffer; None if nothing more is certain yet.

    def _next_content(self) -> bytes | None:
        """What comes before the next delimiter, and that."""
        content, delimiter, rest = self._buffer.partition(self._delimiter)
        if delimiter:
            self._next = self._next_head
        else:  # the last bytes may be the beginning of one
            certain = max(0, len(content) - len(self._delimiter) + 1)
            content, rest = content[:certain], content[certain:]
            if not content:
                return None
        self._buffer = rest
        if not self._keeps:
            self.add_to_file(content)
        return (content if self._keeps else b"") + delimiter

    def _next_head(self) -> bytes | None:
        """The headers of a part."""
        if self._buffer.startswith(b"--"):
            self._next = self._at_end
            return b"--"
        head, end, content = self._buffer.partition(HEAD_END)
        if self._delimiter in head + end + content[: len(self._delimiter)]:  # a part without content
            self._next, self._keeps = self._next_content, True
            if file_name_in(_headers(head.partition(self._delimiter)[0]).get(DISPOSITION, "")):
                self.begin_file()
            return b""
        if len(content) < len(self._delimiter):
            return None
        self._next, self._keeps = self._next_content, not file_name_in(_headers(head).get(DISPOSITION, ""))
        self._buffer = content
        if not self._keeps:
            self.begin_file()
        return head + end

    def begin_file(self) -> None:
        """The content of a file comes next."""

    def add_to_file(self, content: bytes) -> None:
        """A piece of it, or of what comes before the first part."""

    def _at_end(self) -> None:
        """Nothing comes after the last delimiter."""
        self._buffer = b""


class FileSaver(FileDropper):
    """Writes the contents of files to a folder, in the order in which they come. Each is gone when it is closed."""

    def __init__(self, content_type: str, most: int, folder: Path) -> None:
        super().__init__(content_type, most)
        self._folder = folder
        self.files: list[SavedFile] = []

    def begin_file(self) -> None:
        if len(self.files) >= MOST_FILES:
            raise malformed()
        with self._reporting_refusals():
            self.files.append(NamedTemporaryFile(dir=self._folder, prefix=UPLOAD))  # noqa: SIM115

    def add_to_file(self, content: bytes) -> None:
        if self.files:
            with self._reporting_refusals():
                self.files[-1].write(content)

    def finish(self) -> None:
        """Everything came: the files are whole, to be read from their beginning."""
        with self._reporting_refusals():
            for file in self.files:
                file.seek(0)

    def close(self) -> None:
        for file in self.files:
            with suppress(OSError):  # what was not written yet; the file is gone all the same
                file.close()

    @contextmanager
    def _reporting_refusals(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise refused("uploads", self._folder, error) from error


def file_name_in(disposition: str) -> str:
    """The file name of a Content-Disposition header, in either of its writings (RFC 6266)."""
    options = header_options(disposition)
    charset, _, rest = options.get("filename*", "").partition("'")
    encoded = rest.partition("'")[2]
    if encoded and charset.lower() == "utf-8":
        return unquote(encoded, errors="replace")[:LONGEST_FILE_NAME]
    return options.get("filename", "")[:LONGEST_FILE_NAME]


def header_options(header: str) -> dict[str, str]:
    """The options of a header, in time that grows with its length only."""
    options: dict[str, str] = {}
    for name, quoted, bare in OPTION.findall(header):
        options.setdefault(name.lower(), ESCAPED.sub(r"\1", quoted) if quoted else bare.strip())
    return options


def _part(piece: bytes) -> Part:
    padding, line_end, rest = piece.partition(b"\r\n")
    if padding.strip(b" \t") or not line_end:
        raise ValueError("text after the boundary")
    # A part without content may end right after its headers.
    head, _, content = rest.partition(HEAD_END)
    if len(head) > LARGEST_HEAD:
        raise ValueError("the headers of a part are too large")
    headers = _headers(head)
    disposition = headers.get(DISPOSITION, "")
    if disposition.partition(";")[0].strip().lower() != "form-data":
        raise ValueError("not a part of a form")
    if headers.get("content-transfer-encoding", "8bit") not in UNENCODED:
        raise ValueError("an encoded part")
    return Part(header_options(disposition).get("name", ""), content, file_name_in(disposition))


def _headers(head: bytes) -> dict[str, str]:
    lines = (line.partition(":") for line in head.decode("utf-8", "replace").strip().split("\r\n"))
    return {name.strip().lower(): value.strip() for name, _, value in lines}
