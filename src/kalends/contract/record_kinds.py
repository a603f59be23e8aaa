"""What is true of a kind of record, and of a field of events that links to the records of one.

A kind is described where its fields are: `events.py`, `venues.py`, `organizers.py`, `terms.py`. What loops over links
asks `EVENT_LINKS` of `events.py`, so a new one is a row there; `docs/internals.md` shows how one is added.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import EllipsisType

from kalends.contract.fields import Field, RecordField
from kalends.contract.json_schema import Key
from kalends.contract.types.lists import Ids, TermFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """What is said about a kind."""

    operations: Mapping[str, str]  # the summary of each, by its verb
    about: str = ""  # its JSON
    about_tec: str = ""  # its JSON in `tec/v1`
    purpose: str = ""  # what its records are, for assistants
    # In the admin.
    new: str = ""
    empty: str = ""
    empty_help: str = ""
    unused: str = ""
    type_name: str = ""  # in the form of an event
    add: str = ""
    details_of_new: str = ""
    # A file that has a table of them.
    table: str = ""


# There is one object of each kind. Compared by its contents, each look into a table by kind hashed every field.
@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of record: its name, its place in addresses, what people call one and many of it, and its tables."""

    name: str
    plural: str
    label: str
    plural_label: str
    page: str
    name_field: str
    fields: Sequence[RecordField]
    keys: Sequence[Key]
    filters: Sequence[Field]
    says: Sentences
    taxonomy: str = ""  # of a term
    wp: str = ""  # the slug of its post type or taxonomy at WordPress
    schema: str = ""  # its type in JSON-LD
    details: Sequence[str] = ()  # the fields that are asked for where a new one comes with an event
    form: Sequence[str | EllipsisType] = ()  # the order of its form
    detail: str = "slug"  # the field that lists show beside the name

    def field(self, name: str) -> RecordField:
        return next(field for field in self.fields if field.name == name)

    @property
    def is_term(self) -> bool:
        return bool(self.taxonomy)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Link(RecordField):
    """A field of events that links to records of a kind, one or many, in the order in which they are sent.

    A link to posts brings new ones along, which are public with the first public event that shows them; one to terms
    takes names as well as ids."""

    kind: Kind
    filters: str  # the meaning of the filter of its name
    one_alone: bool = False  # JSON shows a single record without a list around it
    json_ld: str = ""  # the role of the records in the JSON-LD of an event; empty: none
    ical: str = ""  # the property of an entry that names those who have an e-mail address; empty: none
    heading: str = ""  # of the records on the page of an event; empty: they have a block of their own there
    sets: tuple[str, str] = ("", "")  # the action that sets it for several events: its label, and what is said then
    ids: str = ""  # its meaning in `tec/v1`

    def filter(self) -> Field:
        type_ = TermFilter() if self.kind.is_term else Ids()
        return Field(self.name, type_, self.filters, extension=self.extension)
