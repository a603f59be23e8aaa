"""The history of the site: what was done lately, by whom, in words, with the way to the record."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import ClassVar, NamedTuple

from kalends.admin.navigation import EARLIER, NavigationEntry
from kalends.admin.record_names import NAMES, PLURALS, address
from kalends.admin.request import AdminRequest
from kalends.calendar.access import may_edit_others
from kalends.calendar.posts import labels
from kalends.contract.kinds import EVENT, KIND_OF, Kind
from kalends.contract.kinds.defined_fields import field_by_name
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PUBLISH, TRASH
from kalends.features.history import series_rules, site_changes
from kalends.features.history.site_changes import HistoryStep, WantedSteps
from kalends.languages import N_
from kalends.site.forms.form import number_in
from kalends.site.layout.frame import Pairs
from kalends.store.rows import journal
from kalends.values import dates, zones

ENTRY = NavigationEntry("history", N_("History"), "/admin/history", may_edit_others)
NAVIGATION = {EARLIER: (ENTRY,)}
FEW = 3  # records that are named
MOST_FIELDS = 6
CANCELLED = "cancelled"

ADDED, CHANGED, DELETED = N_("added"), N_("changed"), N_("deleted for good")
CHANGED_FIELDS = N_("changed: {fields}")
# What a change of the status is, by what it was and became; "" is anything. The first one counts.
STATUS_CHANGES = {
    (PENDING, DRAFT): N_("sent back from review"),
    ("", TRASH): N_("moved to the trash"),
    (TRASH, ""): N_("restored from the trash"),
    ("", PUBLISH): N_("published"),
    ("", FUTURE): N_("scheduled"),
    ("", PENDING): N_("sent to review"),
    (PUBLISH, ""): N_("no longer public"),
}
# What was done, where one thing caused all changes.
CAUSES = {
    "merge": N_("“{other}” was merged into it"),
    "unmerge": N_("“{other}” was taken out of it again"),
    "import": N_("imported from “{label}”"),
    "unimport": N_("the import of “{label}” was undone"),
    "restore": N_("an earlier version was restored"),
}
COUNTS = {
    journal.CREATE: N_("added: {count}"),
    journal.UPDATE: N_("changed: {count}"),
    journal.DELETE: N_("deleted: {count}"),
}
FOLLOWED = N_("events: {count}")
MERGES = ("merge", "unmerge")


class HistoryRow(NamedTuple):
    when: str
    who: str
    names: Sequence[tuple[str, str]]  # of records, each with the path of its page or nothing
    more: int  # further records
    dates: int  # of a series
    done: str
    each: Pairs  # the query that shows its changes one by one


@dataclass(frozen=True, slots=True)
class SiteHistory:
    template: ClassVar[str] = "features/history/history.html"

    rows: Sequence[HistoryRow]
    people: Sequence[tuple[str, str]]
    kinds: Sequence[tuple[str, str]]
    who: str
    kind: str
    day: str
    query: Pairs
    before: int | None


def show_site(request: AdminRequest) -> None:
    """What changed lately, anywhere."""
    wanted = _wanted(request)
    page = request.read(site_changes.changes, wanted, request.number("before"))
    names = names_of(request, [one for step in page.steps for one in _named(step)])
    titles = request.read(site_changes.series_names, [step.series for step in page.steps if step.series])
    kind = wanted.kind
    who, day = ("" if wanted.actor is None else str(wanted.actor)), request.param("day") if wanted.since else ""
    query = [(name, value) for name, value in (("who", who), ("kind", kind), ("day", day)) if value]
    if wanted.revs:
        query += [("revs", "-".join(map(str, wanted.revs)))]
    request.answer(
        SiteHistory(
            [_row(request, step, names, titles) for step in page.steps],
            [(str(id), name) for id, name in sorted(request.people.items(), key=lambda one: one[1].casefold())],
            [(name, request.say(label)) for name, label in NAMES.items()],
            who,
            kind,
            day,
            query,
            page.before,
        )
    )


def _wanted(request: AdminRequest) -> WantedSteps:
    kind, day, since, until = request.param("kind"), request.param("day"), "", ""
    try:
        first = datetime.combine(date.fromisoformat(day), time())
        zone = request.settings.timezone
        since, until = (dates.text(zones.to_utc(one, zone)) for one in (first, first + timedelta(days=1)))
    except (ValueError, OverflowError):  # it is not asked for, or no day
        pass
    first_rev, _, last = request.param("revs").partition("-")
    revs = number_in(first_rev), number_in(last)
    return WantedSteps(
        actor=request.number("who"),
        kind=kind if kind in NAMES else "",
        since=since,
        until=until,
        revs=None if revs[0] is None or revs[1] is None else (revs[0], revs[1]),
    )


def _row(
    request: AdminRequest, step: HistoryStep, names: Mapping[tuple[str, int], str], titles: Mapping[int, str]
) -> HistoryRow:
    when, who = request.frame.day_and_time(step.at), request.who(step.actor)
    records = _records(step)
    each = [("revs", f"{step.first}-{step.last}")] if len(records) > 1 else []
    cause, *words = step.cause.split("/", 3)
    if cause in MERGES and len(words) == 3:
        kind, old, new = words[0], int(words[1]), int(words[2])
        name = names.get((kind, old)) or f"#{old}"
        followed = len({id for (_, of), ids in step.ids.items() if of == EVENT.name for id in ids})
        done = [
            request.say(CAUSES[cause], other=name),
            *([request.say(FOLLOWED, count=followed)] if followed else []),
        ]
        stays = names.get((kind, new)) or request.say(NAMES[kind])
        return HistoryRow(when, who, [(stays, address(kind, new))], 0, 0, ", ".join(done), each)
    if cause in CAUSES and cause != "restore":
        label = step.cause.split("/", 2)[2]
        done = [request.say(CAUSES[cause], label=label)] if label else []
        counts = {action: len(_records(step, action)) for action in COUNTS}
        counts[journal.UPDATE] = len(set(_records(step, journal.UPDATE)) - set(_records(step, journal.CREATE)))
        done += [request.say(COUNTS[action], count=count) for action, count in counts.items() if count]
    else:
        done = [request.say(CAUSES[cause])] if cause in CAUSES else []
        done += _done(request, step)
    if step.series is not None:
        first = min(records, default=(EVENT.name, 0))
        title = titles.get(step.series) or names.get(first) or request.say(EVENT.label)
        path = address(*first) if first in names else ""
        return HistoryRow(when, who, [(title, path)], 0, len(records), ", ".join(done), each)
    shown = [
        (names.get(one) or request.say(NAMES.get(one[0], one[0])), address(*one) if one in names else "")
        for one in records[:FEW]
    ]
    shown = list(dict.fromkeys(shown))
    return HistoryRow(when, who, shown, len(records) - min(FEW, len(records)), 0, ", ".join(done), each)


def _done(request: AdminRequest, step: HistoryStep) -> list[str]:
    """What was done with the records of a step: added, changed in which way, deleted."""
    done = [request.say(ADDED)] if journal.CREATE in step.newest else []
    is_new = journal.CREATE in step.newest and series_rules.RULE not in step.fields
    new = {*_records(step, journal.CREATE)} if is_new else set()
    changed = {*_records(step, journal.UPDATE)}
    if (change := step.newest.get(journal.UPDATE)) is not None and not (is_new and changed <= new):
        done += _changed(request, KIND_OF.get(change.kind, EVENT), step.fields)
    return [*done, *([request.say(DELETED)] if journal.DELETE in step.newest else [])]


def _changed(request: AdminRequest, kind: Kind, fields: Mapping[str, tuple[object, object]]) -> list[str]:
    done, others = list[str](), dict(fields)
    if "status" in others:
        was, now = (str(side) for side in others["status"])
        known = (say for (before, after), say in STATUS_CHANGES.items() if before in ("", was) and after in ("", now))
        if sentence := next(known, ""):
            done.append(request.say(sentence))
            del others["status"]
    if CANCELLED in others.get("event_status", ()):
        is_now = others.pop("event_status")[1] == CANCELLED
        done.append(request.say(N_("cancelled") if is_now else N_("no longer cancelled")))
    if others:
        named = [
            request.say(N_("Repeats"))
            if name == series_rules.RULE
            else field_by_name(kind, name, request.settings).label_in(request.language)
            for name in others
        ]
        named = list(dict.fromkeys(named))
        text = ", ".join([*named[:MOST_FIELDS], *(["…"] if len(named) > MOST_FIELDS else [])])
        done.append(request.say(CHANGED_FIELDS, fields=text))
    return done or [request.say(CHANGED)]


def _records(step: HistoryStep, action: str = "") -> list[tuple[str, int]]:
    """The records of a step, or those to which something was done."""
    found = ((kind, id) for (of, kind), ids in step.ids.items() if action in ("", of) for id in ids)
    return list(dict.fromkeys(found))


def _named(step: HistoryStep) -> list[tuple[str, int]]:
    """The records whose names are needed."""
    cause, *words = step.cause.split("/", 3)
    if cause in MERGES and len(words) == 3:
        return [(words[0], int(words[1])), (words[0], int(words[2]))]
    return [min(records)] if step.series is not None and (records := _records(step)) else _records(step)[:FEW]


def names_of(request: AdminRequest, records: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """The names of those records that exist and that the person can read, by kind and id."""
    wanted: dict[str, list[int]] = {}
    for kind, id in records:
        wanted.setdefault(kind, []).append(id)
    return {
        (kind, int(id)): name
        for kind, ids in wanted.items()
        if kind in PLURALS
        for id, name in request.calendar.read(request.caller, labels.names_of, kind, ids).items()
    }
