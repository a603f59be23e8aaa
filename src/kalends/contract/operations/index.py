"""The operations that describe the interface: its index and its OpenAPI document."""

from kalends.contract import errors
from kalends.contract.fields import Field
from kalends.contract.headers import CONTENT_LANGUAGE, ETAG
from kalends.contract.json_schema import OBJECT, ref
from kalends.contract.operations.model import ALWAYS, LANG, NAMESPACE, Address, Operation
from kalends.contract.texts import Choice
from kalends.contract.types import Unspecified
from kalends.languages import N_

INDEX = Address(
    "",
    (
        Operation(
            "index",
            N_("The index of the namespace"),
            ("GET",),
            (
                Field("namespace", Unspecified(), N_("The namespace to describe."), default=NAMESPACE),
                Field("context", Unspecified(), N_("How the index is to be used."), default="view"),
                LANG,
            ),
            ref("Index"),
            (errors.NO_NAMESPACE, *ALWAYS),
            headers=(ETAG, CONTENT_LANGUAGE),
        ),
    ),
    "interface",
)
OF = Field(
    "of",
    Choice(("core", "compat")),
    N_("What to describe: core is this API, compat the addresses of WordPress around it."),
    default="core",
    extension=True,
)
DOC = Address(
    "/doc",
    (
        Operation(
            "doc",
            N_("The OpenAPI document"),
            ("GET",),
            (OF, LANG),
            OBJECT,
            (errors.INVALID_PARAM, *ALWAYS),
            headers=(ETAG, CONTENT_LANGUAGE),
        ),
    ),
    "interface",
)
