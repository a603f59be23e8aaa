"""Reads a body: JSON, form or multipart, within the size that the service takes."""

import re

import falcon
import msgspec

from kalends.contract.errors import INVALID_BODY, INVALID_JSON, TOO_LARGE, WRONG_MEDIA_TYPE, ApiError, FieldError
from kalends.languages import N_
from kalends.server.api.parameters import Sent, from_pairs, from_query

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
ACCEPTED = ", ".join((JSON, FORM, MULTIPART))
MOST_PARTS = 2000
LARGEST_FORM = 2 * 1024 * 1024  # url-encoded, where every character takes time
LONGEST_BOUNDARY = 200  # RFC 2046 says 70, and some libraries now and then write a little more
LARGEST_HEAD = 16 * 1024  # of the headers of a part
LONGEST_FILE_NAME = 1000
# One option of a header such as Content-Disposition: `; name="value"`.
OPTION = re.compile(r';\s*+([^\s;="]++)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^;"]*+))', re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
UNENCODED = ("7bit", "8bit", "binary")

# PHP's number for a syntax error, which clients of the reference may look at.
JSON_ERROR_SYNTAX = 4


def raw(req: falcon.Request, limit: int) -> bytes:
    """The body as it came."""
    length = req.content_length
    if length is not None and length > limit:
        raise ApiError(TOO_LARGE, limit=limit)
    if length is not None:
        data = bytes(req.bounded_stream.read())
        req.context.body_was_read = True
        return data
    if "chunked" not in (req.get_header("Transfer-Encoding") or "").lower():
        return b""
    data = bytes(req.stream.read(limit + 1))
    if len(data) > limit:
        raise ApiError(TOO_LARGE, limit=limit)
    req.context.body_was_read = True
    return data


def is_unread(req: falcon.Request) -> bool:
    """Whether the request has a body that nobody has read to its end."""
    has_body = req.env.get("CONTENT_LENGTH", "") not in ("", "0") or "HTTP_TRANSFER_ENCODING" in req.env
    return has_body and not getattr(req.context, "body_was_read", False)


def read(req: falcon.Request, limit: int) -> Sent:
    """The parameters in a body; they win over those of the query string."""
    data = raw(req, limit)
    sent = from_query(req.query_string)
    if not data.strip():
        return sent
    media_type = (req.content_type or JSON).partition(";")[0].strip().lower()
    if media_type == JSON or (media_type.startswith("application/") and media_type.endswith("+json")):
        return sent | _json(data)
    if media_type == FORM:
        if len(data) > LARGEST_FORM:
            raise ApiError(TOO_LARGE, limit=LARGEST_FORM)
        return sent | from_query(_text(data))
    if media_type == MULTIPART:
        return sent | from_pairs(_fields(req, data))
    raise ApiError(WRONG_MEDIA_TYPE, accepted=ACCEPTED)


def upload(req: falcon.Request, limit: int) -> tuple[bytes, str] | None:
    """An uploaded file and its name: the part `file` of a form, or the raw body."""
    # The form around a file of the largest size may be a little larger.
    data = raw(req, limit + 64 * 1024)
    media_type = (req.content_type or "").partition(";")[0].strip().lower()
    if media_type.startswith("image/"):
        return data, _disposition_name(req.get_header("Content-Disposition") or "")
    if media_type != MULTIPART:
        raise ApiError(WRONG_MEDIA_TYPE, accepted=f"image/*, {MULTIPART}")
    for name, content, filename in _parts(req, data):
        if name == "file":
            return content, filename
    return None


def _json(data: bytes) -> Sent:
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        reason = "it nests too deeply" if isinstance(error, RecursionError) else str(error)
        raise _invalid_json(reason, reason) from None
    if not isinstance(value, dict):
        raise _invalid_json("it must be a JSON object.", FieldError("", N_("it must be a JSON object.")))
    return value


def _invalid_json(message: str, reason: object) -> ApiError:
    data = {"json_error_code": JSON_ERROR_SYNTAX, "json_error_message": message}
    return ApiError(INVALID_JSON, data, reason=reason)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _fields(req: falcon.Request, data: bytes) -> list[tuple[str, str]]:
    return [(name, _text(content)) for name, content, _ in _parts(req, data) if name]


def _parts(req: falcon.Request, data: bytes) -> list[tuple[str, bytes, str]]:
    """The name, the content and the file name of each part, as RFC 2046 divides them."""
    try:
        boundary = _options(req.content_type or "").get("boundary", "").encode("latin-1")
        if not 1 <= len(boundary) <= LONGEST_BOUNDARY:
            raise ValueError(boundary)
        return _parts_of(data, boundary)
    except (StopIteration, ValueError):
        raise ApiError(INVALID_BODY, reason=FieldError("", N_("the form is malformed."))) from None


def _parts_of(data: bytes, boundary: bytes) -> list[tuple[str, bytes, str]]:
    _, *pieces = (b"\r\n" + data).split(b"\r\n--" + boundary, MOST_PARTS + 1)
    end = next(number for number, piece in enumerate(pieces) if piece.startswith(b"--"))
    return [_part(piece) for piece in pieces[:end]]


def _part(piece: bytes) -> tuple[str, bytes, str]:
    padding, line_end, rest = piece.partition(b"\r\n")
    if padding.strip(b" \t") or not line_end:
        raise ValueError("something stands beside the boundary")
    # A part without content may end right after its headers.
    head, _, content = rest.partition(b"\r\n\r\n")
    if len(head) > LARGEST_HEAD:
        raise ValueError("the headers of a part are too large")
    headers: dict[str, str] = {}
    for line in head.decode("utf-8", "replace").strip().split("\r\n"):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    disposition = headers.get("content-disposition", "")
    options = _options(disposition)
    if (
        disposition.partition(";")[0].strip().lower() != "form-data"
        or headers.get("content-transfer-encoding", "8bit") not in UNENCODED
    ):
        raise ValueError("no part of a form")
    return options.get("name", ""), content, options.get("filename", "")[:LONGEST_FILE_NAME]


def _disposition_name(header: str) -> str:
    return _options(header).get("filename", "")[:LONGEST_FILE_NAME]


def _options(header: str) -> dict[str, str]:
    """The options of a header, in time that grows with its length only."""
    found: dict[str, str] = {}
    for name, quoted, bare in OPTION.findall(header):
        found.setdefault(name.lower(), ESCAPED.sub(r"\1", quoted) if quoted else bare.strip())
    return found
