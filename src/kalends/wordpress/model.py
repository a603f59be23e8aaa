"""What a namespace of WordPress is: a table of addresses that exist for clients of WordPress.

A namespace (`wp/v2`, `tec/v1`) lives below `/wp-json`. It is one `Namespace` with

- `addresses`: rows of `contract/operations/model.py`, as the core has them. A pattern begins with the namespace
  (`/wp/v2/media/(?P<id>\\d+)`), so it is unique among all; so is the name of an operation (`wp_list_media`) and of a
  representation (`WpMedia`).
- `representations`: the schemas of its responses. The core's `Error` is there already.

`interface.py` lists the namespaces. What is listed there is described by the index of `/wp-json/`, by
`/wp-json/{namespace}`, by OPTIONS and by the OpenAPI document `/doc?of=compat`; nothing else has to be said.

Nothing here has a rule of its own: a row of fields or filters (`MappedField`) names the core's field, whose type
reads the value; a handler gives the result to the operation of the calendar that the core uses too. Errors of the
core become those of WordPress by a table (`errors.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kalends.contract.fields import Field, Reading, Values
from kalends.contract.json_schema import Key, Representation
from kalends.contract.operations import Address

VIEW, EDIT, EMBED = "view", "edit", "embed"
CONTEXTS = (VIEW, EMBED, EDIT)


@dataclass(frozen=True, slots=True, eq=False)
class Namespace:
    """Addresses below `/wp-json/{name}`."""

    name: str
    addresses: Sequence[Address]
    representations: Sequence[Representation] = ()


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
        core = by_name[name]
        if core:
            values[core] = value
        elif isinstance(value, dict):
            values |= value
    return Reading(values, reading.problems)


@dataclass(frozen=True, slots=True)
class ContextKey:
    """A key of a response, and the contexts (`context=view`, `edit`, `embed`) that show it."""

    key: Key
    contexts: Sequence[str] = CONTEXTS


def representation(name: str, meaning: str, keys: Sequence[ContextKey]) -> Representation:
    """The schema of all contexts together: only what is in each of them is always there."""
    described = [replace(one.key, always=one.key.always and set(one.contexts) == set(CONTEXTS)) for one in keys]
    return Representation(name, meaning, described)
