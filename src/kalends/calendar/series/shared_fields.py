"""Which fields the occurrences of a series have in common, and which an occurrence has set for itself.

Fields are known by the names of their columns, custom ones by their keys, links by their kind.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.store.rows.records import Event, Template
from kalends.values.custom_fields import PREFIX, number_of

SHARED = (*(field.stored for field in EVENT.fields if field.is_shared and field.stored), "ticketed")
TIMES = ("start_local", "end_local")
PLACING = frozenset({*TIMES, "timezone", "all_day"})  # a change of these moves occurrences
# What all dates that are not over have of these, later ones get (following.py).
FOLLOWED = frozenset({"status", "date_utc", "password", "hide_from_listings"})


def custom_of(*events: Event) -> set[str]:
    """The custom fields of which one of these events has a value."""
    return {key for event in events for key in event.custom_fields}


def value_of(event: Event, name: str) -> object:
    return event.custom_fields.get(name, "") if name.startswith(PREFIX) else getattr(event, name)


def put(event: Event, name: str, value: object) -> None:
    """Gives an event a value; its custom fields are then others, not the same with another value."""
    if not name.startswith(PREFIX):
        setattr(event, name, value)
        return
    values = {key: known for key, known in event.custom_fields.items() if key != name}
    if isinstance(value, str | int | float) and value != "":
        values[name] = value
    event.custom_fields = {key: values[key] for key in sorted(values, key=number_of)}


def template_of(event: Event, links: dict[str, list[int]], stem: str) -> Template:
    """What further occurrences take from the first event of a new series."""
    # Where the event comes from names this one event, not its occurrences.
    blank = msgspec.structs.replace(
        event,
        id=0,
        rev=0,
        slug=stem,
        series=None,
        original_start="",
        own_fields=[],
        post_parent=0,
        source="",
        external_id="",
    )
    return Template(event=blank, links=links)


def changed(before: Event, after: Event) -> set[str]:
    """The fields of an occurrence that a request has changed."""
    names = (*SHARED, *TIMES, "status", "slug", "source", "external_id", *custom_of(before, after))
    return {name for name in names if value_of(before, name) != value_of(after, name)}


def mark_overrides(event: Event, names: Iterable[str], expected: Event) -> None:
    """Remembers the fields that were set on one occurrence; those that are again as `expected`, the same occurrence
    without anything of its own, are no longer its own."""
    own = set(event.own_fields)
    for name in names:
        if value_of(event, name) == value_of(expected, name) or (name == "status" and event.status == TRASH):
            own.discard(name)
        else:
            own.add(name)
    event.own_fields = sorted(own)


def mark_link_overrides(event: Event, links: Mapping[str, Sequence[int]], template: Template) -> None:
    """The same for links."""
    own = set(event.own_fields)
    for kind, ids in links.items():
        if list(ids) == template.links.get(kind, []):
            own.discard(kind)
        else:
            own.add(kind)
    event.own_fields = sorted(own)
