"""The operations that tell what has changed, and that send several writes at once: extensions of the interface."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from kalends.contract import errors
from kalends.contract.errors import NOT_IN_ENUM, OUT_OF_BOUNDS, WRONG_TYPE, FieldError
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG
from kalends.contract.json_schema import OBJECT, TEXT, WHOLE, Key, Schema, either, many, ref
from kalends.contract.operations.model import envelope, extension, operation
from kalends.contract.types import Type, repeated
from kalends.contract.types.numbers import Flag
from kalends.features.changes.contract import CHANGES_PARAMETERS
from kalends.features.changes.errors import BATCH_TOO_LARGE, CHANGES_EXPIRED
from kalends.languages import N_

METHODS = ("POST", "PUT", "PATCH", "DELETE")
MOST, MOST_ATOMIC, LONGEST_PATH = 500, 100, 4000
IF_MATCH, KEY = "if-match", "idempotency-key"


@dataclass(frozen=True, slots=True)
class ItemRequest:
    """One request of a batch, as it was sent."""

    method: str
    path: str
    body: object = None
    if_match: str | None = None


@dataclass(frozen=True, slots=True)
class Requests(Type):
    """The requests of a batch. `most`: how many there may be; `method`: that of one which names none."""

    most: int = MOST
    method: str = ""
    json: ClassVar[str | None] = "array"
    items: ClassVar[str] = "object"

    def read(self, value: object) -> Sequence[ItemRequest]:
        if not isinstance(value, list):
            raise FieldError(WRONG_TYPE, N_("must be an array of requests."))
        if not 1 <= len(value) <= self.most:
            raise FieldError(OUT_OF_BOUNDS, N_("must be 1 to {maximum} requests."), maximum=self.most)
        return [self._one(place, one) for place, one in enumerate(value)]

    def _one(self, index: int, sent: object) -> ItemRequest:
        if not isinstance(sent, Mapping):
            raise FieldError(WRONG_TYPE, N_("has no request at place {place}."), place=index)
        method, path, headers = sent.get("method", self.method), sent.get("path"), sent.get("headers") or {}
        if not isinstance(method, str) or method.upper() not in METHODS:
            raise FieldError(
                NOT_IN_ENUM,
                N_("has another method than {methods} at place {place}."),
                methods=", ".join(METHODS),
                place=index,
            )
        if not isinstance(path, str) or not path.startswith("/") or len(path) > LONGEST_PATH:
            raise foreign(index, path)
        if not isinstance(headers, Mapping):
            raise FieldError(WRONG_TYPE, N_("has headers that are no object at place {place}."), place=index)
        by_name = {str(name).lower(): value for name, value in headers.items()}
        if KEY in by_name:
            raise FieldError(
                OUT_OF_BOUNDS, N_("has an Idempotency-Key at place {place}: send it with the batch."), place=index
            )
        match = by_name.get(IF_MATCH)
        if isinstance(match, list) and match:
            match = match[0]
        if match is not None and not isinstance(match, str):
            raise FieldError(WRONG_TYPE, N_("has headers that are no texts at place {place}."), place=index)
        return ItemRequest(method.upper(), path, sent.get("body"), match)

    def schema(self) -> dict[str, Any]:
        request: Schema = {
            "type": "object",
            "properties": {
                "method": {"type": "string", "enum": list(METHODS)},
                "path": {"type": "string", "pattern": "^/", "maxLength": LONGEST_PATH},
                "body": either(OBJECT, {"type": "null"}),
                "headers": {"type": "object", "properties": {"If-Match": TEXT}},
            },
            "required": ["path"] if self.method else ["method", "path"],
        }
        if self.method:
            request["properties"]["method"]["default"] = self.method
        return {"type": "array", "items": request, "minItems": 1, "maxItems": self.most}


def foreign(index: int, path: object) -> FieldError:
    """What is no write of the interface."""
    return FieldError(
        OUT_OF_BOUNDS, N_("has no write of this interface at place {place}: {path}"), place=index, path=repeated(path)
    )


ANSWER: Schema = {
    "type": "object",
    "properties": {"status": WHOLE, "headers": OBJECT, "body": {}},
    "required": ["status", "headers", "body"],
}
_REQUESTS = Field(
    "requests",
    Requests(),
    N_(
        "The writes, in their order: method, path below this address (such as /events/5?force=true), body, and"
        " If-Match in headers."
    ),
    required=True,
    extension=True,
)
_ATOMIC = Field(
    "atomic",
    Flag(default=True),
    N_("All of them or none, of at most 100: if one is refused, the others answer 424. Otherwise each stands alone."),
    default=True,
    extension=True,
)
_SENT = operation(
    "send_batch",
    N_("Send several writes in one request"),
    (_REQUESTS, _ATOMIC),
    envelope((Key("responses", many(ANSWER), N_("The answers, in the order of the requests.")),)),
    BATCH_TOO_LARGE,
)
BATCH = extension("/batch", replace(_SENT, status=207))
SCHEMAS = {"BatchRequest": Requests().schema()["items"], "BatchAnswer": ANSWER}


# The operation that tells what has changed: an extension of the interface.

CHANGES = extension(
    "/changes",
    operation(
        "list_changes",
        N_("What has changed since a token"),
        CHANGES_PARAMETERS,
        ref("Changes"),
        *(errors.INVALID_PARAM, CHANGES_EXPIRED),
        headers=(ETAG,),
    ),
)
ADDRESSES = (CHANGES, BATCH)
