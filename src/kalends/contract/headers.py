"""The headers of responses, and the parameters and headers that every request may have."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kalends.contract.fields import Field
from kalends.contract.types import Unspecified, VisibleText
from kalends.languages import N_

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}


@dataclass(frozen=True, slots=True)
class Header:
    """A header of a response. `always` is false where it may be missing."""

    name: str
    schema: dict[str, Any]
    meaning: str
    always: bool = True
    extension: bool = False


@dataclass(frozen=True, slots=True)
class General:
    """A parameter or header that requests of every kind may have; `key` names it in the description."""

    key: str
    location: str
    field: Field


ALLOW = Header("Allow", TEXT, N_("The methods of the address."))
ETAG = Header("ETag", TEXT, N_("Identifies this version of the response."), extension=True)
LAST_MODIFIED = Header("Last-Modified", TEXT, N_("When the content last changed."), always=False, extension=True)
LOCATION = Header(
    "Location", {"type": "string", "format": "uri"}, N_("The address of the new record."), extension=True
)
CONTENT_LANGUAGE = Header("Content-Language", TEXT, N_("The language of the response."))
RETRY_AFTER = Header("Retry-After", COUNT, N_("The seconds to wait."), extension=True)
CHALLENGE = Header("WWW-Authenticate", TEXT, N_("The authentication methods."))

WARNING = Header(
    "Warning",
    TEXT,
    N_("The unknown parameters of the request, with the closest known names."),
    always=False,
    extension=True,
)
REPLAYED = Header(
    "Idempotency-Replayed",
    TEXT,
    N_("true, where it is the answer to an earlier request with the same Idempotency-Key."),
    always=False,
    extension=True,
)
LINK = Header("Link", TEXT, N_("The root of the API, and the next and the previous page of a list."))

READ_HEADERS = (ETAG, LAST_MODIFIED, WARNING)
TOTALS = (
    Header("X-TEC-Total", COUNT, N_("How many records there are in all.")),
    Header("X-TEC-TotalPages", COUNT, N_("How many pages there are.")),
    Header("X-WP-Total", COUNT, N_("How many records there are in all."), extension=True),
    Header("X-WP-TotalPages", COUNT, N_("How many pages there are."), extension=True),
)
# Those of errors, by their status.
ERROR_HEADERS: dict[int, Sequence[Header]] = {
    401: (CHALLENGE,),
    405: (ALLOW,),
    429: (RETRY_AFTER,),
    503: (RETRY_AFTER,),
}

FIELDS = General(
    "fields",
    "query",
    Field(
        "_fields",
        Unspecified(),
        N_(
            "Only these keys of the response, separated by commas; a.b is b within a. The schemas describe the whole "
            "response: with this parameter, required keys that it does not name are missing."
        ),
    ),
)
LANGUAGE = General(
    "lang",
    "query",
    Field("lang", Unspecified(), N_("The language of the descriptions, such as de or pt-BR."), extension=True),
)
METHOD = General("method", "query", Field("_method", Unspecified(), N_("PUT, PATCH or DELETE instead of POST.")))
OVERRIDE = General(
    "override",
    "header",
    Field("X-HTTP-Method-Override", Unspecified(), N_("PUT, PATCH or DELETE instead of POST.")),
)
IF_MATCH = General(
    "if-match",
    "header",
    Field("If-Match", Unspecified(), N_("Changes the record only if it still has this ETag."), extension=True),
)
IF_NONE_MATCH = General(
    "if-none-match",
    "header",
    Field("If-None-Match", Unspecified(), N_("Responds with 304 if the ETag still matches."), extension=True),
)
IDEMPOTENCY_KEY = General(
    "idempotency-key",
    "header",
    Field(
        "Idempotency-Key",
        VisibleText(),
        N_(
            "1 to 255 visible ASCII characters that no other request has, such as a UUID. The same request with the"
            " same key is done once; for 24 hours it gets the same answer again."
        ),
        extension=True,
    ),
)
GENERAL = (FIELDS, LANGUAGE, METHOD, OVERRIDE, IF_MATCH, IF_NONE_MATCH, IDEMPOTENCY_KEY)
