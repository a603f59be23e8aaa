"""What the records of an import share."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kalends.features.importing.matching.identities import Resolver
from kalends.features.importing.recording import Recording

# What becomes of an event that is gone at the source.
TO_TRASH, TO_CANCEL, TO_KEEP = "trash", "cancel", "keep"


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How records are applied."""

    theirs: bool = False  # what was changed here since is overwritten
    keep_ids: bool = False
    create_users: bool = False  # authors that are not known here become users without a usable password
    dry_run: bool = False
    as_drafts: bool = False  # new events wait for somebody to publish them
    when_gone: str = TO_TRASH  # of events; what else is gone goes to the trash
    # Events by their ids at the source now, with those that the source had for them before.
    same: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class ImportContext:
    """The same for every record of an import."""

    options: ImportOptions
    resolver: Resolver
    users: dict[str, int]  # ids by name
    recording: Recording
    unknown_authors: set[str] = field(default_factory=set)
    custom: dict[str, str] = field(default_factory=dict)  # keys of custom fields by their origins
    images: dict[str, int | None] = field(default_factory=dict)  # ids by key; None: it could not be stored
