"""What an import knows for the merge with a record that is here already (`contract/three_way_merge.py`): digests of
each of its fields as the source had it, and as it was here afterwards."""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import NamedTuple

import msgspec
import xxhash

from kalends.contract.kinds import EVENT
from kalends.contract.three_way_merge import UNITS, Merged, Side, merge, unit_of
from kalends.features.exporting.fields import fields_of
from kalends.features.importing.records.record import Record
from kalends.store.rows.records import Post, Term
from kalends.values.recurrence import Recurrence

_ENCODER = msgspec.json.Encoder(order="deterministic")
DIGEST_LENGTH = 12
RECURRENCE = "recurrence"  # the field and unit of the rule of a series
SERIES = "series"  # the unit that tells which series an event belongs to; what is here does not count
NEVER_APPLIED = ""  # a digest of the source that no value has
LOCKED = "locked"  # in place of a digest of what is here: the field stays, whatever the source has

# What says how public an event is, and since when.
PUBLICITY = ("status", "password", *(UNITS[name] for name in ("post_password", "hide_from_listings", "date")))

Digests = dict[str, str]


class RememberedDigests(NamedTuple):
    theirs: str
    ours: str


Memory = dict[str, RememberedDigests]


def parent_field(record: Record) -> str:
    return "post_parent" if record.kind is EVENT else "parent"


def theirs(record: Record) -> Digests:
    """Digests of what the source says."""
    values: dict[str, list[object]] = {}
    for name, value in record.fields.items():
        values.setdefault(unit_of(name), []).append((name, value))
    for name, refs in record.links.items():
        values[name] = list(refs)
    if record.covers_image:
        values["image"] = [record.image.key if record.image is not None else ""]
    if record.parent is not None:
        values[parent_field(record)] = [record.parent]
    if record.password is not None:
        values["password"] = list(record.password)
    if record.covers_series:
        member = record.member
        # Exceptions are the dates that the source does not have.
        values[SERIES] = [] if member is None else [member.series, member.start, _rule_of(member.recurrence)]
        if member is not None and member.course is not None:
            values[SERIES].append(member.course)
    return {unit: digest(found) for unit, found in values.items()}


def _rule_of(repeats: Recurrence) -> list[str]:
    return [repeats.rule_text, *map(str, repeats.dates)]


def complete(record: Record, memory: Memory) -> None:
    """An event that was a series at the source, and of which it no longer tells a rule, does not repeat any more."""
    if record.covers_recurrence and record.occurrence is None and RECURRENCE in memory:
        record.fields.setdefault(RECURRENCE, "")


def ours(
    record: Post | Term, wanted: Container[str], links: Mapping[str, Sequence[int]], recurrence: str = ""
) -> Digests:
    """Digests of what is here, of the wanted units. `links` are the ids of linked records, by the field's name."""
    values: dict[str, list[object]] = {}
    for name, value in fields_of(record).items():
        values.setdefault(unit_of(name), []).append(value)
    for name, ids in links.items():
        values[name] = list(ids)
    if isinstance(record, Term):
        values["parent"] = [record.parent]
    else:
        values[RECURRENCE] = [recurrence]
        values["image"] = [record.image]
        values["post_parent"] = [getattr(record, "post_parent", 0)]
        values["password"] = [(getattr(record, "password", None) or b"").hex()]
    return {unit: digest(found) for unit, found in values.items() if unit in wanted}


def decide(
    there: Digests, here: Digests, memory: Memory, is_same: Callable[[str], bool], *, theirs_win: bool
) -> Merged:
    """Which units of a record are to be changed, and which were changed on both sides. `is_same`: whether it comes to
    the same."""
    units = [unit for unit in there if unit not in memory or memory[unit].ours != LOCKED]
    theirs = Side({unit: known.theirs for unit, known in memory.items()}, there)
    ours = Side(here | {unit: known.ours for unit, known in memory.items()}, here)
    return merge(units, theirs, ours, is_same, theirs_win=theirs_win)


def remember(there: Digests, here: Digests, before: Memory, decision: Merged) -> Memory:
    """What to remember afterwards: units in conflict stay as they were, so that they are told again. What is locked
    stays so, also while it is not told."""
    kept = {unit: before[unit] for unit in decision.conflicts if unit in before}
    untouched = {
        unit: RememberedDigests(there.get(unit, known.theirs), LOCKED) if known.ours == LOCKED else known
        for unit, known in before.items()
        if (unit in there or known.ours == LOCKED) and unit not in (*decision.taken, *kept)
    }
    applied = {unit: RememberedDigests(there[unit], here.get(unit, "")) for unit in decision.taken}
    return kept | untouched | applied


def is_unchanged(there: Digests, memory: Memory) -> bool:
    """Whether the source has nothing new."""
    return all(unit in memory and memory[unit].theirs == digest for unit, digest in there.items())


def encode(memory: Memory) -> str:
    return msgspec.json.encode({unit: f"{known.theirs}:{known.ours}" for unit, known in memory.items()}).decode()


def decode(text: str) -> Memory:
    if not text:
        return {}
    found = msgspec.json.decode(text, type=dict[str, str])
    return {unit: RememberedDigests(*known.split(":")) for unit, known in found.items()}


def digest(value: object) -> str:
    return xxhash.xxh3_64_hexdigest(_ENCODER.encode(value))[:DIGEST_LENGTH]
