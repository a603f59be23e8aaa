"""Reads a body: JSON, form or multipart, up to the largest size that the settings allow."""

from collections.abc import Iterator
from pathlib import Path

import falcon

from kalends.contract.errors import INVALID_BODY, INVALID_JSON, TOO_LARGE, WRONG_MEDIA_TYPE, ApiError, FieldError
from kalends.http.messages import multipart
from kalends.http.messages.multipart import SavedFile
from kalends.http.messages.parameters import Sent, from_pairs, from_query
from kalends.languages import N_
from kalends.values import foreign_json
from kalends.values.foreign_json import NotJson

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
BYTES = "application/octet-stream"
ACCEPTED = ", ".join((JSON, FORM, MULTIPART))
PICTURE = "image"  # the field of a form that may be a file
AROUND_FILE = 64 * 1024  # how much larger the form around a file of the largest size may be
# Smaller than files may be, since every character takes time; the longest texts fit.
LARGEST_FORM = 2 * 1024 * 1024  # url-encoded
LARGEST_JSON = 5 * 1024 * 1024
# Signs of JSON, each of which may cost time and memory; they also count within texts, of which these are enough.
MOST_VALUES, MOST_CONTAINERS = 250_000, 50_000

PIECE = 256 * 1024
BREAKS_OFF = N_("it comes in chunks, and is empty, malformed or breaks off.")

# PHP's number for a syntax error, which clients of the reference may compare.
JSON_ERROR_SYNTAX = 4


def raw(req: falcon.Request, limit: int) -> bytes:
    """The body as it came."""
    if (known := already_read(req)) or getattr(req.context, "body_was_read", False):
        _check_size(known, limit)
        return known
    if req.content_length is None and not _is_chunked(req):
        return b""
    data = b"".join(_pieces(req, limit))
    req.context.body_was_read, req.context.raw_body = True, data
    return data


def already_read(req: falcon.Request) -> bytes:
    """The body, as far as it was asked for."""
    found: bytes = getattr(req.context, "raw_body", b"")
    return found


def without_files(req: falcon.Request, limit: int, most: int) -> bytes:
    """A multipart form without the contents of its files, which are never in memory. `limit`: how large it may be;
    `most`: how much may be left of it. One that ends too early has no last delimiter."""
    data = b"".join(map(multipart.FileDropper(req.content_type or "", most), _pieces(req, limit)))
    req.context.body_was_read = True
    return data


def with_saved_files(req: falcon.Request, limit: int, most: int, folder: Path) -> tuple[bytes, list[SavedFile]]:
    """A multipart form without the contents of its files, and these in a folder. Who gets them closes them."""
    if req.content_length is None:
        raise ApiError(INVALID_BODY, reason=FieldError("", N_("it has no Content-Length.")))
    saver = multipart.FileSaver(req.content_type or "", most, folder)
    try:
        data = b"".join(map(saver, _pieces(req, limit)))
        saver.finish()
    except BaseException:
        saver.close()
        raise
    req.context.body_was_read = True
    return data, saver.files


def _pieces(req: falcon.Request, limit: int) -> Iterator[bytes]:
    """The body piece by piece: the front has all of it, in memory or in a file (http/front/bodies.py)."""
    length, stream = req.content_length, req.env["wsgi.input"]
    if length is not None and length > limit:
        raise ApiError(TOO_LARGE, limit=limit)
    left = limit + 1 if length is None else length
    while left and (piece := stream.read(min(left, PIECE))):
        left -= len(piece)
        yield piece
    if length is None:
        if left == limit + 1:
            raise ApiError(INVALID_BODY, reason=FieldError("", BREAKS_OFF))
        if not left:
            raise ApiError(TOO_LARGE, limit=limit)
    elif left:  # half of a form must not be stored
        raise ApiError(INVALID_BODY, reason=FieldError("", N_("it is shorter than its Content-Length.")))


def _is_chunked(req: falcon.Request) -> bool:
    return "chunked" in (req.get_header("Transfer-Encoding") or "").lower()


def is_unread(req: falcon.Request) -> bool:
    """Whether the request has a body that was not read to its end."""
    has_body = req.env.get("CONTENT_LENGTH", "") not in ("", "0") or "HTTP_TRANSFER_ENCODING" in req.env
    return has_body and not getattr(req.context, "body_was_read", False)


def read(req: falcon.Request, limit: int) -> Sent:
    """The parameters in a body; they win over those of the query string."""
    if (given := getattr(req.context, "replaced_body", None)) is not None:
        return from_query(req.query_string) | _object(given)
    sent = _read(req, limit)
    req.context.sent = sent
    return sent


def _read(req: falcon.Request, limit: int) -> Sent:
    data = raw(req, limit)
    sent = from_query(req.query_string)
    if not data.strip():
        return sent
    media_type = (req.content_type or JSON).partition(";")[0].strip().lower()
    if media_type == JSON or (media_type.startswith("application/") and media_type.endswith("+json")):
        _check_size(data, LARGEST_JSON)
        return sent | _json(data)
    if media_type == FORM:
        _check_size(data, LARGEST_FORM)
        return sent | from_query(_text(data))
    if media_type == MULTIPART:
        parts = multipart.read_parts(req.content_type or "", data)
        req.context.picture = next((part for part in parts if part.name == PICTURE and part.file_name), None)
        pairs = ((part.name, _text(part.content)) for part in parts if part.name and part is not req.context.picture)
        return sent | from_pairs(pairs)
    raise ApiError(WRONG_MEDIA_TYPE, accepted=ACCEPTED)


def upload(req: falcon.Request, limit: int) -> tuple[bytes, str] | None:
    """An uploaded file and its name: the part `file` of a form, or the raw body."""
    data = raw(req, limit + AROUND_FILE)
    media_type = (req.content_type or "").partition(";")[0].strip().lower()
    if media_type.startswith("image/") or media_type == BYTES:
        return data, multipart.file_name_in(req.get_header("Content-Disposition") or "")
    if media_type != MULTIPART:
        raise ApiError(WRONG_MEDIA_TYPE, accepted=f"image/*, {MULTIPART}")
    parts = multipart.read_parts(req.content_type or "", data)
    return next(((part.content, part.file_name) for part in parts if part.name == "file"), None)


def _check_size(data: bytes, largest: int) -> None:
    if len(data) > largest:
        raise ApiError(TOO_LARGE, limit=largest)


def _json(data: bytes) -> Sent:
    if has_too_many_values(data):
        raise _invalid_json("it has too many values.", FieldError("", N_("it has too many values.")))
    try:
        value = foreign_json.read(data)
    except NotJson as error:
        raise _invalid_json(str(error), str(error)) from None
    return _object(value)


def replace(req: falcon.Request, body: object) -> None:
    """Gives a request within a batch the body that it has there."""
    req.context.body_was_read, req.context.replaced_body = True, {} if body is None else body


def forget(req: falcon.Request) -> None:
    """Drops the body of a request that is answered. A request and its context refer to each other, so both stay until
    the next collection of garbage, which is rare: those of dozens of requests would be in memory until then."""
    req.context.raw_body, req.context.sent, req.context.replaced_body = b"", {}, {}


def _object(value: object) -> Sent:
    if not isinstance(value, dict):
        raise _invalid_json("it must be a JSON object.", FieldError("", N_("it must be a JSON object.")))
    return value


def has_too_many_values(data: bytes) -> bool:
    """Of JSON, before it is read."""
    return data.count(b",") > MOST_VALUES or data.count(b"[") + data.count(b"{") > MOST_CONTAINERS


def _invalid_json(message: str, reason: object) -> ApiError:
    data = {"json_error_code": JSON_ERROR_SYNTAX, "json_error_message": message}
    return ApiError(INVALID_JSON, data, reason=reason)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
