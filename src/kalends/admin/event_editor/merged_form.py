"""Two people edit an event: what only one of them changed is taken, and only what both changed is asked for.

The three states of the merge are the event as it was when the form was opened, which comes from the history, as it is
now, and what was typed. All three are compared as the interface would be sent them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kalends.contract import three_way_merge
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.defined_fields import is_defined
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.three_way_merge import Side, unit_of
from kalends.site.forms.event_form import (
    CONTROLS,
    RECURRENCE,
    EventForm,
    Form,
    RecordChoice,
    Sent,
    controls_sent,
    form_of,
    recurrence_sent,
    sent_by,
)
from kalends.site.forms.repeats_form import controls_in
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Series

TAKE = "take_"  # the control that says whose value of a unit is taken
THEIRS = "theirs"
PLACING = ("start_date", "end_date", "all_day", "timezone")
NOT_MERGED = ("date", "post_password")  # their controls do not show what is stored
CONTROLLED = [field.name for field in EVENT.fields if field.form_control]
UNKNOWN = object()  # a rule that nobody knows any more: both have changed it


class MergedForm(NamedTuple):
    """The controls with what was taken of both, and the fields that both have changed."""

    values: dict[str, list[str]]
    asked: frozenset[str]


def form_of_earlier(event: Event, linked: Mapping[str, Sequence[int]], series: Series | None) -> EventForm:
    """The controls of an event as it was. `linked`: ids by kind; `series`: its own, if that had the same rule."""

    chosen = {
        name: [RecordChoice(str(id), "") for id in linked.get(kind.name, ())] for name, kind in LINKED_KINDS.items()
    }
    return replace(form_of(event, Bundle(series=series)), linked=chosen)


def merge(base: EventForm, stored: EventForm, typed: Form, *, is_rule_known: bool) -> MergedForm:
    """`is_rule_known`: whether `base` has the recurrence of that time."""
    names = _names(typed)
    sent, now, mine = (sent_by(form) for form in (_seen(base, stored, typed), controls_sent(stored), typed))
    before, theirs, ours = (_by_unit(values, names) for values in (sent, now, sent | mine))
    if "repeat" in typed:
        before[RECURRENCE] = base.repeats if is_rule_known else UNKNOWN
        theirs[RECURRENCE], ours[RECURRENCE] = stored.repeats, controls_in(typed)
    merged = three_way_merge.merge(before, Side(before, theirs), Side(before, ours))
    asked = (name for name in (*names, RECURRENCE) if unit_of(name) in merged.conflicts)
    return MergedForm(with_theirs(typed, stored, merged.taken), frozenset(asked))


def with_theirs(typed: Form, stored: EventForm, units: Collection[str]) -> dict[str, list[str]]:
    """What was typed, but for some units what is stored."""
    theirs = controls_sent(stored)
    defined = [name for name in (*typed, *theirs) if is_defined(name)]
    fields = [name for name in (*CONTROLLED, *defined) if unit_of(name) in units]
    replaced = {control for name in fields for control in CONTROLS.get(name, (name,))}
    kept = {name: list(values) for name, values in typed.items() if name not in replaced}
    return kept | {name: values for name, values in theirs.items() if name in replaced}


def dates_changed(stored: EventForm, typed: Form) -> list[str]:
    """The fields by which a form changes which dates there are: those of a series, and the rule that makes one."""
    before, after = sent_by(controls_sent(stored)), sent_by(typed)
    placing = [name for name in PLACING if name in after and after[name] != before.get(name)]
    return [*(placing if stored.is_occurrence else ()), *recurrence_sent(typed, stored)]


def accepted_units(typed: Form) -> set[str]:
    """The units of which somebody chose what is stored."""
    return {name.removeprefix(TAKE) for name, values in typed.items() if name.startswith(TAKE) and THEIRS in values}


def _seen(base: EventForm, stored: EventForm, typed: Form) -> dict[str, list[str]]:
    """The controls of the event as it was, without linked records that neither of the other two has: the person may
    not see them, so they are no choice of theirs."""
    controls, now = controls_sent(base), controls_sent(stored)
    for name in LINKED_KINDS:
        known = {*now[name], *typed.get(name, ())}
        controls[name] = [value for value in controls[name] if value in known]
    return controls


def _names(typed: Form) -> list[str]:
    """The fields that are compared as they are sent."""
    own = [name for name in CONTROLLED if name not in (*NOT_MERGED, RECURRENCE)]
    return own + [name for name in typed if is_defined(name)]


def _by_unit(values: Sent, names: Collection[str]) -> dict[str, object]:
    found: dict[str, list[object]] = {}
    for name in names:
        found.setdefault(unit_of(name), []).append(_plain(name, values.get(name)))
    return {**found}


def _plain(name: str, value: object) -> object:
    """A value without what browsers do to it."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").strip()
    if isinstance(value, list) and name in LINKED_KINDS and LINKED_KINDS[name].is_term:
        return sorted(map(str, value))
    return value or ""
