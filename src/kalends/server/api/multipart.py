"""Divides a multipart form into its parts, as RFC 2046 does.

Falcon's handler refuses boundaries of more than 70 characters (Werkzeug writes 77) and white space after a boundary,
fails on part headers that are not UTF-8, and takes three times as long for many small parts.
"""

import re
from typing import NamedTuple

from kalends.contract.errors import INVALID_BODY, ApiError, FieldError
from kalends.languages import N_

MOST_PARTS = 2000
LONGEST_BOUNDARY = 200  # RFC 2046 says 70, and some libraries write a little more
LARGEST_HEAD = 16 * 1024  # of the headers of a part
LONGEST_FILE_NAME = 1000
# One option of a header such as Content-Disposition: `; name="value"`.
OPTION = re.compile(r';\s*+([^\s;="]++)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^;"]*+))', re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
UNENCODED = ("7bit", "8bit", "binary")


class Part(NamedTuple):
    name: str
    content: bytes
    file_name: str


def read_parts(content_type: str, data: bytes) -> list[Part]:
    try:
        boundary = header_options(content_type).get("boundary", "").encode("latin-1")
        if not 1 <= len(boundary) <= LONGEST_BOUNDARY:
            raise ValueError(boundary)
        return split(data, boundary)
    except (StopIteration, ValueError):
        raise ApiError(INVALID_BODY, reason=FieldError("", N_("the form is malformed."))) from None


def split(data: bytes, boundary: bytes) -> list[Part]:
    _, *pieces = (b"\r\n" + data).split(b"\r\n--" + boundary, MOST_PARTS + 1)
    end = next(number for number, piece in enumerate(pieces) if piece.startswith(b"--"))
    return [_part(piece) for piece in pieces[:end]]


def file_name_in(disposition: str) -> str:
    """The file name of a Content-Disposition header."""
    return header_options(disposition).get("filename", "")[:LONGEST_FILE_NAME]


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
    head, _, content = rest.partition(b"\r\n\r\n")
    if len(head) > LARGEST_HEAD:
        raise ValueError("the headers of a part are too large")
    headers = _headers(head.decode("utf-8", "replace"))
    disposition = headers.get("content-disposition", "")
    if disposition.partition(";")[0].strip().lower() != "form-data":
        raise ValueError("not a part of a form")
    if headers.get("content-transfer-encoding", "8bit") not in UNENCODED:
        raise ValueError("an encoded part")
    return Part(header_options(disposition).get("name", ""), content, file_name_in(disposition))


def _headers(head: str) -> dict[str, str]:
    lines = (line.partition(":") for line in head.strip().split("\r\n"))
    return {name.strip().lower(): value.strip() for name, _, value in lines}
