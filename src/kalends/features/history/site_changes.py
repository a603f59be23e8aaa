"""What changed lately, anywhere: changes that were made together are one step, such as those of a series, of an
import or of a merge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import NamedTuple

from kalends.calendar.access import UnitOfWork, may_edit_others, require
from kalends.contract.kinds import EVENT, KIND_OF
from kalends.features.history import journal_rows, series_rules, versions
from kalends.features.history.journal_rows import JournalChange
from kalends.store.rows import history, journal, series
from kalends.store.rows.history import SERIES
from kalends.values import dates

MOST = 50  # steps
AT_ONCE, LOOKED_AT = 500, 20_000  # changes
# Pauses within a step: with a cause, of a series, and of a series before something else was done with it.
LONG, SHORT, SHORTEST = timedelta(minutes=10), timedelta(seconds=10), timedelta(seconds=1)


class WantedSteps(NamedTuple):
    """Which changes are shown. `since`, `until`: UTC; `revs`: each of the changes of one step by itself."""

    actor: int | None = None
    kind: str = ""
    since: str = ""
    until: str = ""
    revs: tuple[int, int] | None = None


EVERYTHING = WantedSteps()


@dataclass(slots=True)
class HistoryStep:
    """Changes that were made together, by one person. `newest`: that of each action."""

    actor: int
    cause: str
    series: int | None
    first: int
    last: int
    began: str
    at: str
    ids: dict[tuple[str, str], dict[int, None]] = field(default_factory=dict)  # records by action and kind
    newest: dict[str, JournalChange] = field(default_factory=dict)
    fields: Mapping[str, tuple[object, object]] = field(default_factory=dict)  # what the newest update is about

    def add(self, change: JournalChange) -> None:
        """An earlier change."""
        self.first, self.began = change.rev, change.at
        if change.kind != SERIES:
            self.ids.setdefault((change.action, change.kind), {})[change.id] = None
        known = self.newest.get(change.action)
        if known is None or known.kind == SERIES != change.kind:
            self.newest[change.action] = change


class StepPage(NamedTuple):
    """Some steps, newest first. `before`: where the next page begins, if there are more."""

    steps: list[HistoryStep]
    before: int | None


def changes(work: UnitOfWork, wanted: WantedSteps = EVERYTHING, before: int | None = None) -> StepPage:
    """The steps of everybody, for those with the right to edit what others have."""
    require(may_edit_others(work.caller), work.caller)
    session, kinds = work.session, tuple[str, ...]()
    if wanted.kind:
        kinds = (EVENT.name, SERIES) if wanted.kind == EVENT.name else (wanted.kind,)
    since, end = wanted.revs or (0, history.LAST_REV - 1)
    if wanted.since:
        since = max(since, journal_rows.first_since(session, wanted.since))
    if wanted.until:
        end = min(end, journal_rows.first_since(session, wanted.until) - 1)
    before = end + 1 if before is None else min(before, end + 1)
    steps, open_steps, seen = list[HistoryStep](), dict[object, HistoryStep](), 0
    while True:
        found = journal_rows.changes(session, AT_ONCE, before=before, since=since, actor=wanted.actor, kinds=kinds)
        for change in found:
            key = change.rev if wanted.revs else _key(change)
            step = open_steps.get(key)
            if step is None or _is_later(step, change):
                if len(steps) == MOST:
                    return StepPage(_with_fields(work, steps), change.rev + 1)
                step = open_steps[key] = _step(change)
                steps.append(step)
            step.add(change)
        seen += len(found)
        if len(found) < AT_ONCE:
            return StepPage(_with_fields(work, steps), None)
        before = found[-1].rev
        if seen >= LOOKED_AT:
            return StepPage(_with_fields(work, steps), before)


def _step(change: JournalChange) -> HistoryStep:
    return HistoryStep(change.actor, change.cause, change.series, change.rev, change.rev, change.at, change.at)


def _key(change: JournalChange) -> object:
    """What changes of one step have in common: a cause, a series, or the moment at which the same was done."""
    if change.cause:
        return change.actor, change.cause
    if change.series is not None:
        return change.actor, change.series
    return change.actor, change.kind, change.action, change.at


def _is_later(step: HistoryStep, change: JournalChange) -> bool:
    """Whether a step is another one than that of an earlier change."""
    pause = LONG if change.cause else SHORT if change.action in step.newest else SHORTEST
    return abs(dates.from_text(step.began) - dates.from_text(change.at)) > pause


def _with_fields(work: UnitOfWork, steps: list[HistoryStep]) -> list[HistoryStep]:
    """With the fields that the newest update of each step is about."""
    updates = {
        change.rev: change
        for step in steps
        if (change := step.newest.get(journal.UPDATE)) is not None and change.kind in KIND_OF
    }
    kept = journal_rows.with_revs(work.session, [*updates])
    rules = journal_rows.rule_changes(work.session, steps[-1].first, steps[0].last) if steps else []
    for step in steps:
        change = step.newest.get(journal.UPDATE)
        if change is not None and change.rev in kept:
            step.fields = versions.changed_fields(work, KIND_OF[change.kind], kept[change.rev])
        if step.series is not None and any(id == step.series and _within(step, rev) for rev, id in rules):
            # Some dates went to the trash or came back with it, and others did not.
            others = {name: sides for name, sides in step.fields.items() if name != "status"}
            step.fields = {series_rules.RULE: ({}, {}), **others}
    return steps


def _within(step: HistoryStep, rev: int) -> bool:
    return step.first <= rev <= step.last


def series_names(work: UnitOfWork, ids: Sequence[int]) -> dict[int, str]:
    """The titles of those of some series that are there, for those who read everything."""
    require(may_edit_others(work.caller), work.caller)
    return {id: found.template.event.name for id, found in series.find_many(work.session, ids).items()}
