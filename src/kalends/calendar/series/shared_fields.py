"""Which fields the occurrences of a series have in common, and which an occurrence has set for itself.

Fields are known by where they are stored: the names of their columns, the keys of defined ones; links by their kind.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from kalends.contract.kinds import EVENT
from kalends.contract.kinds.defined_fields import is_defined
from kalends.contract.statuses import TRASH
from kalends.store.rows.records import Event, Template, defined_in, value_of

SHARED = (*(field.stored for field in EVENT.fields if field.is_shared and field.stored), "ticketed")
TIMES = ("start_local", "end_local")
PLACING = frozenset({*TIMES, "timezone", "all_day"})  # a change of these moves occurrences
# What all dates that are not over have of these, later ones get (following.py).
FOLLOWED = frozenset({"status", "date_utc", "password", "hide_from_listings"})


def is_shared(name: str) -> bool:
    return name in SHARED or is_defined(name)


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
    names = (*SHARED, *TIMES, "status", "slug", "source", "external_id", *defined_in(before, after))
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
