"""The operation that tells what has changed: an extension of the interface."""

from kalends.contract import errors
from kalends.contract.headers import ETAG
from kalends.contract.json_schema import ref
from kalends.contract.operations.model import extension, operation
from kalends.features.changes.batch_address import BATCH
from kalends.features.changes.contract import CHANGES_PARAMETERS
from kalends.languages import N_

CHANGES = extension(
    "/changes",
    operation(
        "list_changes",
        N_("What has changed since a token"),
        CHANGES_PARAMETERS,
        ref("Changes"),
        *(errors.INVALID_PARAM, errors.CHANGES_EXPIRED),
        headers=(ETAG,),
    ),
)
ADDRESSES = (CHANGES, BATCH)
