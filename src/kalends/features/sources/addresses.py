"""The operations of sources: an extension of the interface, for administrators."""

from functools import partial

from kalends.contract.headers import LOCATION
from kalends.contract.json_schema import ref
from kalends.contract.operations.model import ID, counted, extension, operation, optional
from kalends.features.sources.contract import SOURCE, SOURCE_FIELDS
from kalends.features.sources.duplicates import contract as duplicates_contract
from kalends.features.sources.errors import BAD_SOURCE, NO_SOURCE
from kalends.languages import N_

_SOURCE = ref("Source")
_admin = partial(operation, restricted=True)
_KEYS = [key.name for key in SOURCE.keys]

SOURCES = extension(
    "/sources",
    _admin("list_sources", N_("List the sources"), (), counted("sources", _SOURCE, N_("The sources."))),
    _admin(
        "create_source",
        N_("Add a source, which is read at once"),
        SOURCE_FIELDS,
        _SOURCE,
        BAD_SOURCE,
        headers=(LOCATION,),
    ),
    response_keys=_KEYS,
    asks_again=True,
)
SOURCE_ITEM = extension(
    r"/sources/(?P<id>\d+)",
    _admin("read_source", N_("Read one source"), (ID,), _SOURCE, NO_SOURCE),
    _admin("delete_source", N_("Remove a source; its events stay"), (ID,), _SOURCE, NO_SOURCE),
    _admin(
        "update_source",
        N_("Change a source"),
        (ID, *optional(SOURCE_FIELDS)),
        _SOURCE,
        *(NO_SOURCE, BAD_SOURCE),
    ),
    response_keys=_KEYS,
    asks_again=True,
)
SOURCE_READ = extension(
    r"/sources/(?P<id>\d+)/read",
    _admin("run_source", N_("Read a source at once, and tell how it is then"), (ID,), _SOURCE, NO_SOURCE),
    asks_again=True,
)
ADDRESSES = (SOURCES, SOURCE_ITEM, SOURCE_READ, *duplicates_contract.ADDRESSES)
