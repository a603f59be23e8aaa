"""Two people edit an event: what only one of them changed is taken, and only what both changed is asked for.

It is a merge of three states, field by field as imports do it: the event as it was when the form was opened, which
comes from the history, as it is now, and what was typed. All three are compared as the interface would be sent them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kalends.contract.kinds import EVENT
from kalends.contract.kinds.defined_fields import is_defined
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.site.forms.event_form import (
    CONTROLS,
    RECURRENCE,
    Choice,
    EventForm,
    Form,
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
UNITS = {field.name: field.merge_unit for field in EVENT.fields if field.form_control}


class Merged(NamedTuple):
    """The controls with what was taken of both, and the fields that both have changed."""

    values: dict[str, list[str]]
    asked: frozenset[str]


def unit_of(name: str) -> str:
    """The fields of one unit are merged together; a defined field is one of its own."""
    return UNITS.get(name, name)


def form_of_earlier(event: Event, linked: Mapping[str, Sequence[int]], series: Series | None) -> EventForm:
    """The controls of an event as it was. `linked`: ids by kind; `series`: its own, if that had the same rule."""

    chosen = {name: [Choice(str(id), "") for id in linked.get(kind.name, ())] for name, kind in LINKED_KINDS.items()}
    return replace(form_of(event, Bundle(series=series)), linked=chosen)


def merge(base: EventForm, stored: EventForm, typed: Form, *, is_rule_known: bool) -> Merged:
    """`is_rule_known`: whether `base` has the recurrence of that time."""
    before, now, mine = (sent_by(form) for form in (_seen(base, stored, typed), controls_sent(stored), typed))
    mine_changed = _changed(before, mine, [name for name in _names(typed) if name in mine])
    theirs_changed = _changed(before, now, _names(typed))
    differing = _changed(now, mine, [name for name in _names(typed) if name in mine])
    if "repeat" in typed:
        chosen = controls_in(typed)
        mine_changed |= {RECURRENCE} if not is_rule_known or chosen != base.repeats else set()
        theirs_changed |= {RECURRENCE} if not is_rule_known or stored.repeats != base.repeats else set()
        differing |= {RECURRENCE} if chosen != stored.repeats else set()
    values = with_theirs(typed, stored, theirs_changed - mine_changed)
    asked = mine_changed & theirs_changed & differing
    return Merged(values, frozenset(name for name in (*_names(typed), RECURRENCE) if unit_of(name) in asked))


def with_theirs(typed: Form, stored: EventForm, units: Collection[str]) -> dict[str, list[str]]:
    """What was typed, but for some units what is stored."""
    theirs = controls_sent(stored)
    defined = [name for name in (*typed, *theirs) if is_defined(name)]
    fields = [name for name in (*UNITS, *defined) if unit_of(name) in units]
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
    own = [name for name in UNITS if name not in (*NOT_MERGED, RECURRENCE)]
    return own + [name for name in typed if is_defined(name)]


def _changed(before: Sent, after: Sent, names: Collection[str]) -> set[str]:
    return {unit_of(name) for name in names if _plain(name, before.get(name)) != _plain(name, after.get(name))}


def _plain(name: str, value: object) -> object:
    """A value without what browsers do to it."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").strip()
    if isinstance(value, list) and name in LINKED_KINDS and LINKED_KINDS[name].is_term:
        return sorted(map(str, value))
    return value or ""
