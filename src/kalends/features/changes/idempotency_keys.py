"""Idempotency-Key: a write that a client repeats is done once, and answered the same again.

Every write of the interface goes through `repeatable`, which the router puts around its responder. With a key, the
whole handler is one transaction, and the answer is stored in it (`idempotency.py`). A refusal is not: what comes next
under its key is done as if nothing had been sent.
"""

import re
from collections.abc import Iterator
from functools import wraps
from typing import Any

import falcon

from kalends.contract.errors import INVALID_KEY, UNAVAILABLE, ApiError
from kalends.features.changes.idempotency import AnsweredMeanwhile, KeptAnswer, Repetition, RequestProgress
from kalends.http.messages import bodies, multipart, responses
from kalends.http.request_context import context_of
from kalends.http.router import DescribedResource, Responder
from kalends.http.service import Service

HEADER, REPLAYED = "Idempotency-Key", "Idempotency-Replayed"
KEY = re.compile(r"[!-~]{1,255}")
METHODS = ("POST", "PUT", "PATCH", "DELETE")
NOT_KEPT = frozenset({"set-cookie"})
MOST_ATTEMPTS = 100  # of requests with one key that are done in steps side by side


class KeyedRequest:
    """A request with a key, for handlers that work in steps."""

    def __init__(self, req: falcon.Request, repetition: Repetition) -> None:
        self._req = req
        self.repetition = repetition
        self.progress: RequestProgress | None = None  # what an earlier request with this key has done
        self.is_refused = False  # nothing was done, although the status tells nothing of that

    def parts(self) -> list[bytes]:
        """What tells this request from others."""
        return [*_parts(self._req)]


def keyed(req: falcon.Request) -> KeyedRequest | None:
    """The key of a request, where it has one that counts."""
    found: KeyedRequest | None = getattr(req.context, "keyed", None)
    return found


def repeatable(resource: DescribedResource, path: str, responder: Responder) -> Responder:
    """The responder of a write, which may come with a key."""
    service = resource.service

    @wraps(responder)
    def respond(req: falcon.Request, resp: falcon.Response, **where: Any) -> None:
        key = req.env.get("HTTP_IDEMPOTENCY_KEY")
        if key is None or context_of(req).caller.is_anonymous:  # who writes nothing
            responder(req, resp, **where)
            return
        if KEY.fullmatch(key) is None:
            raise ApiError(INVALID_KEY)
        calendar, repetition = service.calendar, Repetition(service.calendar, context_of(req).caller, key)
        request = req.context.keyed = KeyedRequest(req, repetition)
        for _ in range(MOST_ATTEMPTS):
            if _replay(service, req, resp, request):
                return
            try:
                with calendar.together() as joint:
                    responder(req, resp, **where)
                    if resp.status_code >= 400 or request.is_refused:
                        joint.undo()
                    else:
                        repetition.keep(joint, request.parts(), _answer(resp))
                return
            except AnsweredMeanwhile:
                continue
            except ApiError:
                # What it was about may be gone because the first one with this key was done meanwhile.
                if not _replay(service, req, resp, request):
                    raise
                return
        raise ApiError(UNAVAILABLE, headers=responses.RETRY_SOON)

    return respond


def _replay(service: Service, req: falcon.Request, resp: falcon.Response, request: KeyedRequest) -> bool:
    """Sends what was answered before, if it was; whether that is so."""
    stored = request.repetition.find()
    if stored is None:
        return False
    settings = service.settings
    if req.method != "DELETE":
        bodies.raw(req, max(settings.max_body, settings.max_image + bodies.AROUND_FILE))
    found = request.repetition.opened(stored, request.parts())
    if isinstance(found, RequestProgress):
        request.progress = found
        return False
    for name in [*resp.headers]:  # of an attempt that was undone
        resp.delete_header(name)
    resp.status, resp.data = falcon.code_to_http_status(found.status), found.body
    resp.set_headers(found.headers)
    resp.set_header(REPLAYED, "true")
    return True


def _answer(resp: falcon.Response) -> KeptAnswer:
    headers = {name: value for name, value in resp.headers.items() if name not in NOT_KEPT}
    if (safe := responses.without_secret(resp)) is not None:
        return KeptAnswer(safe.status, headers | dict(safe.headers), safe.body)
    return KeptAnswer(resp.status_code, headers, resp.data or b"")


def _parts(req: falcon.Request) -> Iterator[bytes]:
    """Of a form with files the parts, since each request may draw another line between them."""
    media_type = (req.content_type or "").partition(";")[0].strip().lower()
    yield from (text.encode("utf-8", "surrogateescape") for text in (req.method, req.path, req.query_string))
    if req.method == "DELETE":  # has no body that counts
        return
    body = bodies.already_read(req)
    yield media_type.encode("utf-8", "surrogateescape")
    if media_type == bodies.MULTIPART and body:
        for part in multipart.read_parts(req.content_type or "", body):
            yield from (part.name.encode(), part.file_name.encode(), part.content)
    else:
        name = multipart.file_name_in(req.get_header("Content-Disposition") or "")
        yield from (name.encode("utf-8", "surrogateescape"), body)
