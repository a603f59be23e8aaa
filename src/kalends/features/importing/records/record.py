"""The one shape in which every source brings its records."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, Protocol

from kalends.contract.kinds import Kind
from kalends.contract.statuses import PUBLISH
from kalends.features.importing.records.adopted_fields import AdoptedField
from kalends.features.importing.records.cells import Cells
from kalends.features.importing.records.messages import Reported
from kalends.languages import N_
from kalends.user_error import UserError
from kalends.values import markup
from kalends.values.recurrence import Recurrence

PASSWORD_LEFT_OUT = N_("its password cannot be taken over, so it is private here; set a new password")
LONGEST_NUMBER = 18  # digits, which databases hold
Key = tuple[str, str, str]  # source, kind and external id


class SourceError(Reported, UserError):
    """The source cannot be imported. The message names the file, line or address, and says what to do."""


class Ref(NamedTuple):
    """What names a record at its source."""

    source: str
    external_id: str

    @property
    def number(self) -> int:
        """The id at a source that counts its records; else 0."""
        return number_in(self.external_id)


def ref_of(source: str, external_id: str) -> Ref:
    """An identity as it is stored: two that differ only in what is not kept of them are one."""
    return Ref(markup.plain(source), markup.plain(external_id))


def number_in(written: object) -> int:
    """A number that a source counts by; 0 for what is none, or is larger than every number that is kept."""
    text = str(written)
    return int(text) if len(text) <= LONGEST_NUMBER and text.isascii() and text.isdigit() else 0


@dataclass(frozen=True, slots=True)
class ImageRef:
    """An image of a record: an address to fetch, or a file of an archive."""

    url: str = ""
    file: str = ""
    read: Callable[[], bytes] | None = field(default=None, compare=False)

    @property
    def key(self) -> str:
        """What tells it from other images."""
        return self.url or self.file


class Member(NamedTuple):
    """An occurrence of a series that the source lists one by one: which series, the local start that its rule gives
    this one, and the rule; and the first series of its course, where that is another one."""

    series: Ref
    start: str
    recurrence: Recurrence
    course: Ref | None = None


@dataclass(slots=True)
class Record:
    """A record of a source. `fields` are those of a create, without links, image and author."""

    kind: Kind
    ref: Ref
    fields: dict[str, object]
    where: str  # for messages: "line 12"
    links: dict[str, list[Ref]] = field(default_factory=dict)
    parent: Ref | None = None
    image: ImageRef | None = None
    covers_image: bool = True  # without an image it has none; otherwise it may have one that is not told
    covers_recurrence: bool = False  # one record stands for its series; without a recurrence it does not repeat
    author: str = ""  # the name of a user
    old_id: int = 0  # its number at a source whose addresses have it
    position: str = ""  # where to go on after it
    notes: list[str] = field(default_factory=list)  # what could not be brought along
    lost: list[str] = field(default_factory=list)  # the names of what has no place here
    is_named: bool = False  # the source knows it by its name only: an equal record here is the same
    is_exact: bool = False  # and its address, if it has one, is told
    password: tuple[str, str] | None = None  # salt and digest of an event's password
    is_gone: bool = False  # cancelled or in the trash of the source
    comes_with_event: bool = False  # without a status it is public with the first public event that shows it
    named: list["Record"] = field(default_factory=list)  # what it is linked to and the source has only the names of
    with_hidden_event: bool = False  # it is told only by an event that not everybody reads at the source
    covers_series: bool = False  # without a `member` it is a single event
    member: Member | None = None
    same_as: int = 0  # the event that it is, which was entered here or came from another source
    adds_nothing: bool = False  # to that one: not everybody may read yet what it tells
    occurrence: tuple[Ref, datetime] | None = None  # of a series, by the start that its rule gives
    defined: Mapping[str, AdoptedField] = field(
        default_factory=dict
    )  # the source's custom fields by their keys, if told
    cells: Cells = field(default_factory=dict)  # of a table: the column and the cell of each field
    understood: list[str] = field(default_factory=list)  # what does not stand there as it was taken, and is right

    @property
    def key(self) -> Key:
        """What names it among all records of all sources."""
        return self.ref.source, self.kind.name, self.ref.external_id

    @property
    def is_public(self) -> bool:
        """Whether everybody reads an event at the source."""
        return self.fields.get("status", PUBLISH) == PUBLISH and not (
            self.password or self.fields.get("post_password")
        )

    @property
    def name(self) -> str:
        return " ".join(str(self.fields.get(self.kind.name_field) or "").split())

    @property
    def size(self) -> int:
        """How many characters it tells, with what it names."""
        own = sum(len(str(value)) for value in self.fields.values())
        return own + sum(one.size for one in self.named)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that could not be read; the others are imported."""

    kind: Kind
    where: str
    name: str
    reason: str
    position: str = ""


@dataclass(frozen=True, slots=True)
class Redirection:
    """What leads to a record elsewhere: an old slug of it, or the identity of a record that was merged into it."""

    kind: Kind
    target: Ref
    slug: str = ""
    merged: Ref | None = None
    position: str = ""


@dataclass(frozen=True, slots=True)
class SourceDefinition:
    """A custom field of the source, which events may have values of."""

    field: AdoptedField
    position: str = ""


Item = Record | Unreadable | Redirection | SourceDefinition


class ImportSource(Protocol):
    """A file or a calendar elsewhere."""

    name: str  # what the records remember
    label: str  # for messages

    @property
    def sources(self) -> Set[str]:
        """What the records name as their sources: those that were read so far, and those before `start` too."""

    @property
    def remarks(self) -> Sequence[str]:
        """What was recognised, to be told: an encoding, the order of dates."""

    @property
    def lost(self) -> Mapping[str, int]:
        """How many of other things it has, by name, which no record here can be. Known after `prepare`."""

    def prepare(self) -> int | None:
        """Reads as much as it takes to know that it can be imported; how many records there are, without those that
        events bring, if that is known. Raises SourceError."""

    @property
    def fingerprint(self) -> str:
        """Differs when it is not the same import as the one that was interrupted. Known after `prepare`."""

    def items(self, start: str) -> Iterator[Item]:
        """Its records, those that others are linked to first. `start`: only what comes after this position."""
