"""Writes responses: JSON, chosen keys, validators and common headers."""

import gzip
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import format_datetime
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

import falcon
import msgspec
import zstandard
from xxhash import xxh3_128_hexdigest

from kalends import languages
from kalends.contract.errors import STORAGE_FULL, UNAVAILABLE, ApiError, FieldError
from kalends.http.messages.parameters import from_query
from kalends.http.request_context import UNDATED, VALID_UNTIL, context_of
from kalends.present.error_sentences import explained as explained
from kalends.present.error_sentences import message_of as message_of
from kalends.present.error_sentences import sentences_of, whole_message
from kalends.store.files.media_files import MediaFull
from kalends.store.rows.journal import LastChange
from kalends.values import dates

# Ways from a page to another page of this site.

NOT_IN_FRONT = "/\\\t\r\n "  # of a path: browsers would read another host


def lead(req: falcon.Request, resp: falcon.Response, path: str, status: str = falcon.HTTP_303) -> None:
    """Answers with the way to a path below the root of this site, with its query. No host is named: the browser stays
    at the address that it asked, which may be another than `base_url`, and CSP lets no form lead away from it."""
    resp.status = status
    resp.set_header("Location", f"{context_of(req).addresses.root}/{path.lstrip(NOT_IN_FRONT)}")


# The encodings of one response body: as it is, or compressed, each with its own ETag and headers.

Header = tuple[str, str]

SMALLEST_COMPRESSED = 1000
# The better one first: zstd makes a list smaller than gzip, in a third of the time.
COMPRESSORS = {
    "zstd": lambda body: zstandard.ZstdCompressor(level=3).compress(body),
    "gzip": lambda body: gzip.compress(body, 6, mtime=0),
}
ENCODED_TAG = re.compile(rf'-(?:{"|".join(COMPRESSORS)})"')  # the end of the ETag of a compressed body
REFUSED = re.compile(r";\s*q=0(\.0*)?\s*$")


@dataclass(eq=False)
class EncodedBody:
    """A body with its headers, complete: nothing is left to do for the requests that get it."""

    etag: str
    body: bytes
    headers: list[Header]  # of a 200
    compressible: bool

    @cached_property
    def not_modified(self) -> list[Header]:
        """The headers of a 304."""
        return [header for header in self.headers if not header[0].startswith("content-")]


def identity(headers: dict[str, str], body: bytes, etag: str) -> EncodedBody:
    """The body as the handler made it; its own headers are added to those that are given. Their names are in lower
    case, as the framework writes them."""
    size = len(body)
    headers["etag"], headers["content-length"] = etag, str(size)
    compressible = (
        size >= SMALLEST_COMPRESSED
        and "content-encoding" not in headers
        and ("content-type" not in headers or headers["content-type"][:6] != "image/")
    )
    return EncodedBody(etag, body, [*headers.items()], compressible)


def compress(plain: EncodedBody, coding: str) -> EncodedBody:
    body = COMPRESSORS[coding](plain.body)
    headers = {**dict(plain.headers), "content-encoding": coding}
    return identity(headers, body, f'{plain.etag[:-1]}-{coding}"')


def identity_tags(tags: str) -> list[str]:
    """The ETags that a client names, each as that of the uncompressed body."""
    return [ENCODED_TAG.sub('"', tag.strip().removeprefix("W/")) for tag in tags.split(",")]


@lru_cache(256)  # clients send few different values, and every browser sends one
def coding_for(accepted: str) -> str:
    """The content coding for a client that accepts these; empty for none."""
    parts = [part for part in accepted.lower().split(",") if not REFUSED.search(part)]
    named = {part.partition(";")[0].strip() for part in parts}
    return next((coding for coding in COMPRESSORS if coding in named), "")


def matches(known: str, etag: str) -> bool:
    """Whether an If-None-Match names this ETag of the uncompressed body, compressed or not."""
    if known == etag:
        return True
    if not known or not etag:
        return False
    return known.strip() == "*" or etag in identity_tags(known)


METHODS = ("GET", "DELETE", "POST", "PUT", "PATCH")
JSON_TYPE = "application/json; charset=UTF-8"
PRIVATE = "private, no-store"
BY_CALLER = "Authorization, Cookie"  # what a response varies by
CHALLENGE = 'Basic realm="Kalends", charset="UTF-8", Bearer realm="Kalends"'
EXPOSED = (
    "X-WP-Total, X-WP-TotalPages, X-TEC-Total, X-TEC-TotalPages, Link, Location, ETag, Allow, Retry-After, Warning,"
    " RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotency-Replayed"
)
ABOUT_CONTENT = ("etag", "last-modified", "cache-control", "content-disposition", "content-length")
RETRY_SOON = {"Retry-After": "2"}
# Of several changes within a second, the time of the last one tells nothing before so much time has passed.
ONE_SECOND, CROWDED_SECOND = timedelta(seconds=1), timedelta(seconds=3)

Fields = dict[str, "Fields"]
Sendable = Mapping[str, Any] | bytes  # what is still to be encoded, or is already


def send(
    req: falcon.Request,
    resp: falcon.Response,
    json: Sendable,
    *,
    status: int = 200,
    items: str = "",
    secret_of: str = "",
) -> None:
    """A JSON response. `items` names the list in which `_fields` chooses keys, instead of the whole. `secret_of`: the
    address of a record with a secret that is shown once, so a repetition is told that address instead."""
    if secret_of:
        body = msgspec.json.encode({"repeated": True, "url": secret_of})
        resp.context.without_secret = WithoutSecret(200, {"location": secret_of, "content-type": JSON_TYPE}, body)
    if not isinstance(json, bytes):
        if wanted := chosen_fields(req):
            json = {**json, items: choose(json[items], wanted)} if items else choose(json, wanted)
        json = msgspec.json.encode(json)
    resp.status = falcon.code_to_http_status(status)
    headers_of(resp)["content-type"] = JSON_TYPE
    resp.data = json


class WithoutSecret(NamedTuple):
    """What is answered when a write is repeated whose response has a secret that is shown once."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def without_secret(resp: falcon.Response) -> WithoutSecret | None:
    """None: a response has no secret."""
    return getattr(resp.context, "without_secret", None)


def headers_of(resp: falcon.Response) -> dict[str, str]:
    """The headers as the framework keeps them, with names in lower case: setting several through its own methods
    takes as long as a query."""
    found: dict[str, str] = resp._headers
    return found


def outage(error: Exception) -> ApiError:
    """What clients are told of a store that cannot serve them now, or of images for which there is no room."""
    return ApiError(STORAGE_FULL if isinstance(error, MediaFull) else UNAVAILABLE, headers=RETRY_SOON)


def send_read(
    req: falcon.Request,
    resp: falcon.Response,
    json: Sendable,
    *,
    changed: LastChange | None = None,
    by_clock: bool = False,
    secret: bool = False,
    version: str = "",
) -> None:
    """A JSON response to a read, with validators; 304 when the client has it already. `by_clock`: not only changes
    make it another one. `secret`: a password came with the request, so no cache may keep it. `version`: ends the
    ETag, for what the body does not show."""
    send(req, resp, json)
    headers = headers_of(resp)
    etag = headers["etag"] = f'"{xxh3_128_hexdigest(resp.data or b"")[:24]}{version}"'
    context = context_of(req)
    if not secret and context.caller.is_anonymous:
        headers["cache-control"] = f"public, max-age={context.settings.cache_age}"
        headers["vary"] = f"{headers['vary']}, {BY_CALLER}" if "vary" in headers else BY_CALLER
    validates = changed is not None and _set_last_modified(req, resp, changed, by_clock)
    if _is_fresh(req, etag, headers["last-modified"] if validates else None):
        resp.status = falcon.HTTP_304
        resp.data = None


@lru_cache(256)
def common_headers(api_url: str, allow: str, *, cors: bool) -> Mapping[str, str]:
    """The headers of every response."""
    headers = {"x-content-type-options": "nosniff", "link": f'<{api_url}/>; rel="https://api.w.org/"'}
    if allow:
        headers["allow"] = allow
    if cors:  # any site may read us, and none with the visitor's cookies: we have none
        headers |= {"access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED}
    return headers


def cache_control(max_age: int) -> str:
    """Of a response to an anonymous reader."""
    return f"public, max-age={max_age}"


@cache
def methods_of(resource: Hashable) -> str:
    """The methods of a class of resources, as in the header Allow."""
    return ", ".join(method for method in METHODS if hasattr(resource, f"on_{method.lower()}"))


def etag_of(body: bytes) -> str:
    # Not for security: a forged collision would deceive only the one who made it.
    return f'"{xxh3_128_hexdigest(body)[:24]}"'


def etag_of_json(json: Mapping[str, Any]) -> str:
    return etag_of(msgspec.json.encode(json))


def forget_content(resp: falcon.Response) -> None:
    """Takes back what a handler has said of a content that it could not send: an error must not be kept as that."""
    headers = headers_of(resp)
    for name in ABOUT_CONTENT:
        headers.pop(name, None)


def refuse(req: falcon.Request, resp: falcon.Response, api_error: ApiError) -> None:
    """An error in the shape of the interface, in the caller's language."""
    error_type, language = api_error.error_type, context_of(req).language
    data: dict[str, Any] = {"status": error_type.status, **api_error.data}
    problems: dict[str, FieldError] | None = data.pop("problems", None)
    if problems is not None:
        sentences = sentences_of(problems, language)
        data["params"] = sentences
        data["details"] = {
            name: {"code": problems[name].code, "message": sentence, "data": {"param": name}}
            for name, sentence in sentences.items()
        }
    message = whole_message(api_error, language)
    resp.status = falcon.code_to_http_status(error_type.status)
    resp.content_type = JSON_TYPE
    resp.data = msgspec.json.encode({"code": error_type.code, "message": message, "data": data})
    in_language(resp, language)
    if error_type.status == 401:
        resp.set_header("WWW-Authenticate", CHALLENGE)
    for name, value in api_error.headers.items():
        resp.set_header(name, value)


def in_language(resp: falcon.Response, language: str) -> None:
    """Sets the language of a response, which depends on the reader."""
    resp.set_header("Content-Language", languages.tag(language))
    resp.append_header("Vary", "Accept-Language")


def chosen_fields(req: falcon.Request) -> Fields:
    """`_fields=a,b.c` as a tree; empty when everything is wanted."""
    if "_fields" not in req.query_string:
        return {}
    sent = from_query(req.query_string).get("_fields")
    written = sent.values() if isinstance(sent, dict) else sent if isinstance(sent, list) else [sent]
    tree: Fields = {}
    for path in ",".join(text for text in written if isinstance(text, str)).split(","):
        node, steps = tree, [step for step in path.strip().split(".")[:20] if step]
        for step in steps[:-1]:
            if node.get(step) == {}:  # the whole of `a` wins over `a.b`
                break
            node = node.setdefault(step, {})
        else:
            node |= {step: {} for step in steps[-1:]}
    return tree


def choose(json: Any, wanted: Fields) -> Any:
    if isinstance(json, list):
        return [choose(item, wanted) for item in json]
    if not isinstance(json, Mapping) or not wanted:
        return json
    return {name: choose(json[name], inner) for name, inner in wanted.items() if name in json}


def _set_last_modified(req: falcon.Request, resp: falcon.Response, changed: LastChange, by_clock: bool) -> bool:
    """Sets the header; whether it tells this response from all others. The first change within a second has that
    second for itself. What follows within it gets the next one, as soon as nothing else can have that."""
    at = dates.from_text(changed.at)
    validates = not by_clock and (changed.alone or context_of(req).clock() - at >= CROWDED_SECOND)
    headers_of(resp)["last-modified"] = _http_date(at if changed.alone or not validates else at + ONE_SECOND)
    if not validates:
        req.env[UNDATED] = True
        if VALID_UNTIL in req.env and not by_clock:  # kept only until the header tells more
            req.env[VALID_UNTIL] = dates.text(at + CROWDED_SECOND)
    return validates


@lru_cache(64)
def _http_date(moment: datetime) -> str:
    return format_datetime(moment).replace("-0000", "GMT")


def _is_fresh(req: falcon.Request, etag: str, last_modified: str | None) -> bool:
    if "HTTP_IF_NONE_MATCH" in req.env:
        return matches(req.env["HTTP_IF_NONE_MATCH"], etag)
    # Only the exact time that was sent counts: a response can also become older, when a record is deleted.
    return last_modified is not None and req.env.get("HTTP_IF_MODIFIED_SINCE") == last_modified
