"""What the tables of `wp/v2` and `tec/v1` are made of.

Nothing here has a rule of its own. A key of a response is one row: its schema, the contexts that show it, and how its
value is found. A field of a request names the core's field, whose type reads the value; a handler gives the result to
the operation of the calendar that the core uses too. Errors of the core become those of WordPress by a table
(`errors.py`). What `addresses.py` lists is described by the index of `/wp-json/`, by `/wp-json/{namespace}`, by
OPTIONS and by the OpenAPI document `/doc?of=compat`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kalends.contract.fields import ABSENT, Field, Reading, Values
from kalends.contract.json_schema import Key, Representation, Schema
from kalends.contract.operations.model import Address
from kalends.languages import N_
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.wordpress.links import WpAddresses

Json = dict[str, Any]

VIEW, EDIT, EMBED = "view", "edit", "embed"
CONTEXTS = (VIEW, EMBED, EDIT)
MAIN, EDITED = (VIEW, EDIT), (EDIT,)

MEANING = N_("In the form of WordPress.")
CONSTANT = N_("For clients of WordPress only; it has no meaning here.")
PROPERTY = N_("A property of this part of the site.")
SETTING = N_("A setting of the site.")


@dataclass(frozen=True, slots=True, eq=False)
class Namespace:
    """Addresses below `/wp-json/{name}`, with the schemas of their responses. The first is its index."""

    name: str
    addresses: Sequence[Address]
    representations: Sequence[Representation] = ()


@dataclass(slots=True)
class Source:
    """What the values of a response come from: a record, and what is known around it."""

    record: Any
    render_context: RenderContext
    context: str = VIEW
    editable: bool = False  # the caller may change it
    bundle: Bundle | None = None  # of a post
    count: int = 0  # of a term
    now: datetime | None = None
    is_alone: bool = False  # not within a list

    @property
    def at(self) -> WpAddresses:
        return WpAddresses(self.render_context.addresses.base_url)


Value = Callable[[Any], object]  # of a source; ABSENT where the record has no such key


@dataclass(frozen=True, slots=True)
class Row:
    """A key of a response. Without a value it is added elsewhere."""

    name: str
    schema: Schema
    meaning: str
    value: Value | None
    contexts: Sequence[str] = CONTEXTS
    always: bool = True


class Table:
    """The keys of one kind of response: its JSON, and its schema."""

    def __init__(self, name: str, *rows: Row, meaning: str = MEANING) -> None:
        self.name = name
        self.meaning = meaning
        self.rows = rows
        self._values = {
            context: [(row.name, row.value) for row in rows if row.value is not None and context in row.contexts]
            for context in CONTEXTS
        }

    def json(self, source: Any, context: str = VIEW) -> Json:
        found = ((name, value(source)) for name, value in self._values[context])
        return {name: value for name, value in found if value is not ABSENT}

    @property
    def representation(self) -> Representation:
        """The schema of all contexts together: only what is in each of them is always there."""
        keys = [
            Key(row.name, row.schema, row.meaning, row.always and set(row.contexts) == set(CONTEXTS))
            for row in self.rows
        ]
        return Representation(self.name, self.meaning, keys)


def constant(value: object) -> Value:
    return lambda source: value


@dataclass(frozen=True, slots=True)
class MappedField:
    """A field of a client of WordPress, and the name of the core's field that it sets."""

    field: Field
    core: str


def core_reading(mapped: Sequence[MappedField], reading: Reading) -> Reading:
    """What was read, under the core's names. A value of several fields (`meta`) has their names already."""
    values: Values = {}
    by_name = {one.field.name: one.core for one in mapped}
    for name, value in reading.values.items():
        core = by_name.get(name, name)  # a custom field has the same name everywhere
        if core:
            values[core] = value
        elif isinstance(value, Mapping):
            values |= value
    return Reading(values, reading.problems)
