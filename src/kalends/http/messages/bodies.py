"""Reads a body: JSON, form or multipart, up to the largest size that the settings allow."""

import errno
import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, cast

import falcon

from kalends.calendar.admission import UPLOAD, WORKER
from kalends.contract.errors import (
    BODY_TOO_SLOW,
    INVALID_BODY,
    INVALID_JSON,
    STORAGE_FULL,
    TOO_LARGE,
    WRONG_MEDIA_TYPE,
    ApiError,
    FieldError,
)
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

# How long a body may take: so much, and a second more for each so many bytes.
SECONDS, BYTES_A_SECOND = 30.0, 100 * 1000
LARGEST_IN_MEMORY = 1024 * 1024  # what is larger is on disk until it is read
LARGEST_PIECE = 256 * 1024
GROWTH = 16  # of pieces: most bodies come in three
QUICK_SECONDS = 0.1  # a piece that takes longer was too large

# PHP's number for a syntax error, which clients of the reference may compare.
JSON_ERROR_SYNTAX = 4


def raw(req: falcon.Request, limit: int) -> bytes:
    """The body as it came."""
    if (known := already_read(req)) or getattr(req.context, "body_was_read", False):
        _check_size(known, limit)
        return known
    length = req.content_length
    if length is None and "chunked" not in (req.get_header("Transfer-Encoding") or "").lower():
        return b""
    if length is None and not _shows_its_end(req):
        raise ApiError(INVALID_BODY, reason=FieldError("", N_("it has no Content-Length.")))
    data = _receive(req, limit)
    # The client is gone, or sent something else than it said; half of a form must not be stored.
    if length is None and not data:
        raise ApiError(
            INVALID_BODY, reason=FieldError("", N_("it comes in chunks, and is empty, malformed or breaks off."))
        )
    if length is not None and len(data) < length:
        raise ApiError(INVALID_BODY, reason=FieldError("", N_("it is shorter than its Content-Length.")))
    _check_size(data, limit)
    req.context.body_was_read, req.context.raw_body = True, data
    return data


def _shows_its_end(req: falcon.Request) -> bool:
    """Whether half of such a body cannot be taken for a whole one. The server does not tell of chunks that break off
    or are malformed: they look like the last one."""
    media_type = (req.content_type or "").partition(";")[0].strip().lower()
    return media_type in (JSON, MULTIPART) or media_type.endswith("+json")


def already_read(req: falcon.Request) -> bytes:
    """The body, as far as it was asked for."""
    found: bytes = getattr(req.context, "raw_body", b"")
    return found


def without_files(req: falcon.Request, limit: int, most: int) -> bytes:
    """A multipart form without the contents of its files, which are dropped while it arrives. `limit`: how large it
    may be; `most`: how much may be left of it. One that ends too early has no last delimiter."""
    if req.content_length is None:
        return raw(req, most)
    data = _receive(req, limit, multipart.FileDropper(req.content_type or "", most))
    req.context.body_was_read = True
    return data


def with_saved_files(req: falcon.Request, limit: int, most: int, folder: Path) -> tuple[bytes, list[SavedFile]]:
    """A multipart form without the contents of its files, and these in a folder, where they are written while it
    arrives. Who gets them closes them."""
    if req.content_length is None:
        raise ApiError(INVALID_BODY, reason=FieldError("", N_("it has no Content-Length.")))
    saver = multipart.FileSaver(req.content_type or "", most, folder)
    try:
        data = _receive(req, limit, saver)
        saver.finish()
    except BaseException:
        saver.close()
        raise
    req.context.body_was_read = True
    return data, saver.files


def _receive(req: falcon.Request, limit: int, convert: Callable[[bytes], bytes] = bytes) -> bytes:
    """The body, or what `convert` leaves of its pieces. The server's `read` cannot be interrupted, so a client who
    sends nothing more keeps this thread until its connection ends. One client has few such places, and all together
    leave threads for others (`calendar/admission.py`); a proxy in front sends bodies at once."""
    length = req.content_length
    if length is not None and length > limit:
        raise ApiError(TOO_LARGE, limit=limit)
    if length == 0:
        return b""
    is_short = length is not None and length <= LARGEST_IN_MEMORY
    with io.BytesIO() if is_short else _spooled() as file:
        with WORKER.released():
            give_back = WORKER.hold(UPLOAD)
            try:
                for piece in _pieces(req, length, limit):
                    file.write(convert(piece))
            except OSError as error:
                raise ApiError(STORAGE_FULL) if error.errno == errno.ENOSPC else error from None
            finally:
                give_back()
        file.seek(0)
        return file.read()  # in memory only once there is a turn to read it


def _pieces(req: falcon.Request, length: int | None, limit: int) -> Iterator[bytes]:
    """408 if they do not come in time."""
    most = limit + 1 if length is None else length
    began, received, size = time.monotonic(), 0, 1
    while received < most:
        wanted, asked = min(size, most - received), time.monotonic()
        piece = bytes(req.stream.read(wanted))
        yield piece
        received += len(piece)
        if len(piece) < wanted:
            return
        now, seconds = time.monotonic(), SECONDS + max(length or 0, received) / BYTES_A_SECOND
        if received < most and now - began > seconds:
            raise ApiError(BODY_TOO_SLOW, seconds=round(seconds))
        # Small as long as it is slow: the time is looked at between two pieces.
        size = min(GROWTH * size, LARGEST_PIECE) if now - asked < QUICK_SECONDS else max(size // GROWTH, 1)


def _spooled() -> IO[bytes]:
    return cast(IO[bytes], SpooledTemporaryFile(LARGEST_IN_MEMORY))


def is_unread(req: falcon.Request) -> bool:
    """Whether the request has a body that was not read to its end."""
    has_body = req.env.get("CONTENT_LENGTH", "") not in ("", "0") or "HTTP_TRANSFER_ENCODING" in req.env
    return has_body and not getattr(req.context, "body_was_read", False)


def drop(req: falcon.Request) -> None:
    """Leaves the rest of a body unread. As long as anything refers to it the server waits for the rest, and a request
    and its context refer to each other."""
    req.stream = req.env["wsgi.input"] = io.BytesIO()


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
    getattr(req.context, "files", {}).clear()


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
