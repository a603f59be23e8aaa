"""The operations that describe the interface: its index and its OpenAPI document."""

from kalends.contract import errors
from kalends.contract.fields import Field
from kalends.contract.headers import CONTENT_LANGUAGE, ETAG
from kalends.contract.json_schema import OBJECT, ref
from kalends.contract.operations.model import LANG, NAMESPACE, Address, operation
from kalends.contract.types import Unspecified
from kalends.contract.types.texts import Choice
from kalends.languages import N_

_HEADERS = (ETAG, CONTENT_LANGUAGE)
_PARAMETERS = (
    Field("namespace", Unspecified(), N_("The namespace to describe."), default=NAMESPACE),
    Field("context", Unspecified(), N_("How the index is to be used."), default="view"),
    LANG,
)
_INDEX = operation(
    "index", N_("The index of the namespace"), _PARAMETERS, ref("Index"), errors.NO_NAMESPACE, headers=_HEADERS
)
INDEX = Address("", (_INDEX,), "interface")
OF = Field(
    "of",
    Choice(("core", "compat")),
    N_("What to describe: core is this API, compat the addresses of WordPress around it."),
    default="core",
    extension=True,
)
_DOC = operation("doc", N_("The OpenAPI document"), (OF, LANG), OBJECT, errors.INVALID_PARAM, headers=_HEADERS)
DOC = Address("/doc", (_DOC,), "interface")
