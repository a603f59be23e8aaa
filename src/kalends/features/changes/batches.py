"""Runs the requests of a batch: each goes to the handler that a single request goes to, with the same caller.

`run_together` makes them one transaction. `run_each` lets each stand alone, but commits many of them at once; others
write between two commits. Images that requests of one transaction name by their address are fetched before it begins.
"""

import io
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast
from urllib.parse import unquote_to_bytes

import falcon
import msgspec

from kalends.calendar import single_records
from kalends.calendar.admission import WORKER
from kalends.calendar.joint_transaction import Joint
from kalends.contract.errors import INTERNAL, UNKNOWN, ApiError, ErrorType, FieldError, Problems
from kalends.contract.kinds import EVENT
from kalends.features.changes import idempotency_keys as repetition
from kalends.features.changes.addresses import METHODS, ItemRequest
from kalends.features.changes.errors import BATCH_TOO_LARGE, FAILED_DEPENDENCY
from kalends.features.changes.idempotency import RequestProgress
from kalends.http.api.resources import CollectionResource
from kalends.http.app import escaped
from kalends.http.messages import bodies, responses
from kalends.http.messages.responses import WithoutSecret
from kalends.http.middleware.logs import log, request_id
from kalends.http.middleware.request_middleware import check_address, check_path_length, override_method
from kalends.http.request_context import MORE_REQUESTS, REQUEST_ID, Environ, addresses_for, context_of
from kalends.http.router import DescribedResource
from kalends.http.service import Service
from kalends.languages import N_
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows.records import Media

LONGEST_TRANSACTION = 0.25  # seconds for which requests that stand alone keep other writers waiting
MOST_SECONDS = 1.0  # of processor time of an atomic batch, during which nobody else can write
MOST_FETCHING = 60.0  # seconds for which images are fetched
MOST_ANSWERED = 16 * 1024 * 1024  # bytes
MOST_TOGETHER, LARGEST_TOGETHER = 100, 500_000  # new events that are stored together, and their characters
NOT_TOGETHER = frozenset({"recurrence", "post_parent"})  # makes many events, or names one that may be among them
RESPONSE_OPTIONS = falcon.ResponseOptions()
# What a request within a batch has in common with the batch.
COMMON = (
    *("SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL", "REMOTE_ADDR", "wsgi.url_scheme", "wsgi.errors", REQUEST_ID),
    *("HTTP_HOST", "HTTP_FORWARDED", "HTTP_ACCEPT_LANGUAGE"),
    *("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST"),
)
# The headers of an answer that are told.
ANSWERED_HEADERS = {
    **{"location": "Location", "etag": "ETag", "retry-after": "Retry-After", "warning": "Warning"},
    **{"content-language": "Content-Language", "allow": "Allow"},
}


class ItemAnswer(msgspec.Struct):
    """The answer to one request of a batch."""

    status: int
    headers: dict[str, str]
    body: msgspec.Raw
    repeated: "ItemAnswer | None" = None  # what a repetition is told instead, where this has a secret

    @property
    def is_refused(self) -> bool:
        return self.status >= 400


@dataclass(frozen=True, slots=True)
class BatchItem:
    """A request of a batch, and who answers it."""

    request: falcon.Request
    check: Callable[[], None]  # of its address
    respond: Callable[[falcon.Response], None]
    has_images: bool  # it names some by their address
    events: CollectionResource | None = (
        None  # where it creates a plain event, which can be stored together with others
    )
    size: int = 0  # characters of such an event


class Batch:
    """The requests of one batch."""

    def __init__(self, service: Service, req: falcon.Request) -> None:
        self.service = service
        self.calendar = service.calendar
        self._req = req
        request_id(req.env)  # they have it in common
        self._common: Environ = {name: req.env[name] for name in COMMON if name in req.env}

    def count(self, number: int) -> None:
        """Its requests count as single ones where there is a rate limit. Raises ApiError."""
        reserve_more: Callable[[int], None] | None = self._req.env.get(MORE_REQUESTS)
        if reserve_more is not None and number > 1:
            reserve_more(number - 1)

    def item(self, root: str, sent: ItemRequest) -> BatchItem | None:
        """A request below a root; None if it is no write of an interface."""
        path, _, query = sent.path.partition("?")
        environ = self._common | {
            "REQUEST_METHOD": sent.method,
            "PATH_INFO": unquote_to_bytes(root + path).decode("latin-1"),
            "QUERY_STRING": query if query.isascii() else escaped(query),
            "CONTENT_TYPE": bodies.JSON,
            "wsgi.input": io.BytesIO(),
        }
        if sent.if_match is not None:
            environ["HTTP_IF_MATCH"] = sent.if_match
        req = falcon.Request(environ, options=self._req.options)
        if req.method == "POST":
            override_method(req)
        found = self.service.find_route(req.path)
        if found is None:
            return None
        resource, responders, where, template = found
        is_write = isinstance(resource, DescribedResource) and not hasattr(resource, "is_batch")
        if not is_write or req.method not in METHODS or not hasattr(resource, f"on_{req.method.lower()}"):
            return None
        req.uri_template = template
        req.context.request_context = replace(
            context_of(self._req), req=req, addresses=addresses_for(req, self.service.settings)
        )
        req.context.allow, req.context.is_item = responses.methods_of(cast(Hashable, type(resource))), True
        bodies.replace(req, sent.body)

        def check() -> None:
            check_address(req.path, req.query_string)
            check_path_length(req.path, resource)

        def respond(resp: falcon.Response) -> None:
            check()
            responders[req.method](req, resp, **where)

        images = [*_images(sent.body)]
        has_images = any("://" in image for image in images)
        if not (req.method == "POST" and isinstance(resource, CollectionResource) and resource.kind is EVENT):
            return BatchItem(req, check, respond, has_images)
        if images or not isinstance(sent.body, dict) or not NOT_TOGETHER.isdisjoint(sent.body):
            return BatchItem(req, check, respond, has_images)
        size = sum(len(value) for value in sent.body.values() if isinstance(value, str))
        return BatchItem(req, check, respond, has_images, resource, size)

    def run_each(self, items: Sequence[BatchItem]) -> list[ItemAnswer]:
        """Each stands alone."""
        calendar, request = self.calendar, repetition.keyed(self._req)
        answers = [] if request is None or request.progress is None else _decoded(request.progress.state)
        committed = len(answers)
        with calendar.together() as joint:

            def commit() -> None:
                nonlocal committed
                if request is not None and joint.session is not None:
                    stored = [answer.repeated or answer for answer in answers]
                    progress = RequestProgress(len(answers), msgspec.json.encode(stored))
                    request.repetition.keep_progress(joint, request.parts(), progress)
                joint.commit()
                calendar.finish(joint)
                committed = len(answers)

            joint.before_network_wait = commit
            try:
                answered = _size(answers)
                for some in self._answered(joint, items[len(answers) :]):
                    answers += some
                    answered += _size(some)
                    if joint.session is not None and time.monotonic() - joint.began > LONGEST_TRANSACTION:
                        commit()
                        WORKER.pause()
                    if answered > MOST_ANSWERED:
                        break
                answers += [self._refused(item.request, BATCH_TOO_LARGE) for item in items[len(answers) :]]
                if request is None:  # else it is committed with the whole answer
                    commit()
            except StoreUnavailable as error:
                if request is not None:
                    raise  # the same again goes on where this one was
                log.log(error.level, "the store is unavailable: %s", error)
                joint.undo()
                answers = self._cut_off(items, answers, committed, responses.outage(error))
            finally:
                joint.before_network_wait = _refuse_to_wait  # `commit` refers to the transaction and to all answers
                _forget_bodies(items)
        if request is not None and all(answer.is_refused for answer in answers):
            request.is_refused = True
        return answers

    def run_together(
        self, items: Sequence[BatchItem], only: int = 0, *, is_trial: bool = False
    ) -> list[ItemAnswer] | None:
        """One transaction. None when a request was refused and so nothing is done; `answers` ends with it then.
        `only`: no other status counts for that, and all requests are tried. `is_trial`: nothing is done anyway."""
        self.answers: list[ItemAnswer] = []
        fetched = self._fetch(items)
        try:
            with self.calendar.together() as joint:
                joint.fetched, joint.before_network_wait, joint.may_have_parts = fetched, _refuse_to_wait, False
                began, answered, is_undone = time.thread_time(), 0, is_trial
                for some in self._answered(joint, items):
                    for answer in some:
                        self.answers.append(answer)
                        is_undone |= answer.is_refused and only in (0, answer.status)
                        if is_undone and not only and answer.is_refused:
                            break
                    if self.answers[-1].is_refused and not only:
                        break
                    answered += _size(some)
                    if answered > MOST_ANSWERED or time.thread_time() - began > MOST_SECONDS:
                        raise ApiError(BATCH_TOO_LARGE)
                if not is_undone:
                    return self.answers
                joint.undo()
        finally:
            single_records.drop_fetched(self.calendar, fetched)
            _forget_bodies(items)
        if (request := repetition.keyed(self._req)) is not None:
            request.is_refused = True
        return None

    def others(self, items: Sequence[BatchItem], refused: int) -> list[ItemAnswer]:
        """The answers to a batch of which one request was refused, and so none was done."""
        return [
            self.answers[place] if place == refused else self._refused(item.request, FAILED_DEPENDENCY)
            for place, item in enumerate(items)
        ]

    def _fetch(self, items: Sequence[BatchItem]) -> dict[str, Media]:
        """The images that requests name by their address, if these requests are not refused anyway."""
        fetched: dict[str, Media] = {}
        until = time.monotonic() + MOST_FETCHING
        for item in items:
            if item.has_images and time.monotonic() < until:
                with single_records.fetching_only(self.calendar, fetched):
                    self._answer(item)
        return fetched

    def _answered(self, joint: Joint, items: Sequence[BatchItem]) -> Iterator[list[ItemAnswer]]:
        """The answers, one after the other, and those to plain new events that were stored together. What was refused
        is undone, and what comes next has to wait until the answers before it were taken."""
        for some in _together(items):
            answers = self._create_events(some)
            if answers is not None:
                joint.end_item()
                yield answers
                continue
            for item in some:
                answer = self._answer(item)
                if answer.is_refused:
                    joint.undo_item()
                else:
                    joint.end_item()
                yield [answer]

    def _create_events(self, items: Sequence[BatchItem]) -> list[ItemAnswer] | None:
        """The answers to requests for new events that are stored together; None: they are to be asked one by one."""
        collection, checked = items[0].events, []
        if collection is None or len(items) == 1:
            return None
        responded = [(item.request, falcon.Response(RESPONSE_OPTIONS)) for item in items]
        for item, (req, resp) in zip(items, responded, strict=True):
            try:
                item.check()
                checked.append((req, resp))
            except ApiError as refused:
                responses.refuse(req, resp, refused)
        try:
            collection.create_events(checked)
        except StoreUnavailable:
            raise
        except Exception:  # of one of them: nothing was done
            log.exception("unexpected error in events that are stored together")
            return None
        return [_item_answer(resp) for _, resp in responded]

    def _answer(self, item: BatchItem) -> ItemAnswer:
        req, resp = item.request, falcon.Response(RESPONSE_OPTIONS)
        try:
            item.respond(resp)
        except ApiError as refused:
            responses.refuse(req, resp, refused)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("unexpected error")
            responses.refuse(req, resp, ApiError(INTERNAL, {"request_id": req.env[REQUEST_ID]}))
        return _item_answer(resp)

    def _refused(self, req: falcon.Request, error_type: ErrorType) -> ItemAnswer:
        return self._error(req, ApiError(error_type))

    def _error(self, req: falcon.Request, api_error: ApiError) -> ItemAnswer:
        resp = falcon.Response()
        responses.refuse(req, resp, api_error)
        return ItemAnswer(api_error.error_type.status, dict(api_error.headers), msgspec.Raw(resp.data or b"null"))

    def _cut_off(
        self, items: Sequence[BatchItem], answers: Sequence[ItemAnswer], committed: int, outage: ApiError
    ) -> list[ItemAnswer]:
        """The answers when the store failed: what was not committed is not done."""
        known = [*answers[:committed]]
        for place, item in enumerate(items[committed:], committed):
            is_refused = place < len(answers) and answers[place].is_refused
            known.append(answers[place] if is_refused else self._error(item.request, outage))
        return known

    def error(self, api_error: ApiError) -> ItemAnswer:
        """The answer to a request that no handler takes."""
        return self._error(self._req, api_error)


def send(req: falcon.Request, resp: falcon.Response, answers: Sequence[ItemAnswer | None], **more: str) -> None:
    """The answer to a batch: those to its requests, and what is to be told besides."""

    def send_some(some: Sequence[ItemAnswer | None]) -> None:
        shown = [one and {"status": one.status, "headers": one.headers, "body": one.body} for one in some]
        responses.send(req, resp, {**more, "responses": shown}, status=207, items="responses")

    if any(one is not None and one.repeated for one in answers):
        send_some([one and (one.repeated or one) for one in answers])
        resp.context.without_secret = WithoutSecret(207, {}, resp.data or b"")
    send_some(answers)


def _item_answer(resp: falcon.Response) -> ItemAnswer:
    headers = {ANSWERED_HEADERS[name]: value for name, value in resp.headers.items() if name in ANSWERED_HEADERS}
    repeated = None
    if (safe := responses.without_secret(resp)) is not None:
        location = {"Location": safe.headers["location"]}
        repeated = ItemAnswer(safe.status, headers | location, msgspec.Raw(safe.body))
    return ItemAnswer(resp.status_code, headers, msgspec.Raw(resp.data or b"null"), repeated)


def _size(answers: Iterable[ItemAnswer]) -> int:
    return sum(len(bytes(answer.body)) for answer in answers)


def _together(items: Iterable[BatchItem]) -> Iterator[list[BatchItem]]:
    """Requests in their order, each alone but for plain events that follow each other."""
    some, size = list[BatchItem](), 0
    for item in items:
        fits = len(some) < MOST_TOGETHER and size + item.size <= LARGEST_TOGETHER
        if some and not (fits and item.events is not None and item.events is some[0].events):
            yield some
            some, size = [], 0
        some.append(item)
        size += item.size
    if some:
        yield some


def _forget_bodies(items: Iterable[BatchItem]) -> None:
    for item in items:
        bodies.forget(item.request)


def _decoded(state: bytes) -> list[ItemAnswer]:
    return msgspec.json.decode(state, type=list[ItemAnswer])


def _refuse_to_wait() -> None:
    """An image that was not fetched before, since its request would have been refused then."""
    Problems({"image": FieldError(UNKNOWN, N_("cannot be fetched within a transaction: send it alone."))}).raise_any()


def _images(body: object) -> Iterator[str]:
    """The texts that name images, in a record and in the records within it: addresses where they may have to be
    fetched from, if they are well formed."""
    if isinstance(body, list):
        for one in body:
            yield from _images(one)
    elif isinstance(body, dict):
        for name, value in body.items():
            if name == "image" and isinstance(value, str) and value:
                yield value
            elif isinstance(value, dict | list):
                yield from _images(value)
