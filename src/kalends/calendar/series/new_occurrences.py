"""When a series takes place, and its occurrences as events that are not stored yet."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from itertools import islice, takewhile

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.posts.apply_fields import DAY_END, DAY_START
from kalends.contract.statuses import FUTURE, PUBLISH
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import events as stored_events
from kalends.store.rows.records import Event, Series, defined_in, value_of
from kalends.store.rows.series import COMPLETE
from kalends.values import dates, names, recurrence, zones
from kalends.values.recurrence import Recurrence, RecurrenceError

MOST = 1000  # dates of a series that are not over
MOST_OVER = 500  # dates that are over when a rule comes: the last ones are made
MOST_TEXT = 3_000_000  # characters that the dates of a series have together: its text times its dates
AT_ONCE = 100  # new dates of one transaction
TEXT_AT_ONCE = 200_000  # characters of these dates together
DENSE = 10  # times as many dates as are looked for, in as many days: then fewer days are looked at
SHORTEST_SPAN = timedelta(days=1)
LAST_YEARS = 9998  # from here on, an occurrence may end after the last year


def recurrence_of(series: Series) -> Recurrence:
    return recurrence.from_text(series.recurrence)


def is_endless(rule: Recurrence) -> bool:
    return rule.rule is not None and rule.rule.is_endless


def text_of(event: Event) -> int:
    """The characters that are stored anew for each date."""
    written = (event.name, *event.texts, str(event.tickets))
    return sum(map(len, written)) + sum(len(str(value_of(event, key))) for key in defined_in(event))


def at_once(template: Event) -> int:
    """How many new dates one transaction makes, so that other writers do not wait long."""
    return max(1, min(AT_ONCE, TEXT_AT_ONCE // text_of(template)))


@dataclass(frozen=True, slots=True)
class OccurrencesPlan:
    """The dates that a series is to have: the last ones that are over, and those to come, all of its rule or those up
    to `end` of one without an end. Dates that were held stay besides, as long as the rule gives them."""

    over: list[datetime]  # in order, and so are
    ahead: list[datetime]  # those that are not over
    end: str  # what the series notes as `filled_to` when it has them


def plan(work: UnitOfWork, rule: Recurrence, template: Event, filled_to: str = "", known: int = 0) -> OccurrencesPlan:
    """The one bound of all series. A rule without an end has its dates for some months ahead, but at least as far as
    it was filled before, and at most `MOST` that are not over, fewer with a long text; no such rule is refused for
    their number. One with an end has at most so many, or as many as it has (`known`). Raises RecurrenceError."""
    by_text = max(1, MOST_TEXT // text_of(template))
    allowed = min(MOST, by_text)
    check_rule(rule, template, max(MOST, known))
    now = first_ahead(work.now, template)
    over = last_over(rule, template, now)
    if not is_endless(rule):
        ahead = list(islice(_walk(rule, template, now), max(MOST, known) + 1))
        if len(ahead) > (most := max(MOST, known)):
            raise recurrence.too_many(most)
        if len(over) + len(ahead) > (most := max(by_text, known)):
            raise _too_long(most)
        return OccurrencesPlan(over, ahead, COMPLETE)
    until = dates.text(_horizon(work, template))
    if filled_to != COMPLETE:
        until = max(until, filled_to)
    within = takewhile(lambda start: dates.text(start) <= until, _walk(rule, template, now))
    ahead = list(islice(within, allowed + 1))
    if len(ahead) > allowed:
        return OccurrencesPlan(over, ahead[:allowed], dates.text(ahead[allowed - 1]))
    if not ahead and not over:  # a series has at least one date
        ahead = list(islice(_walk(rule, template, now), 1))
    return OccurrencesPlan(over, ahead, until)


def last_over(rule: Recurrence, template: Event, end: datetime) -> list[datetime]:
    """The last local starts that a rule gives before a time, in order, fewer with a long text. The rule is not
    computed from its beginning, which may be a century ago: some days are looked at, then more before them."""
    most = max(1, min(MOST_OVER, MOST_TEXT // text_of(template)))
    first, found = dates.from_text(template.start_local), list[datetime]()
    span = timedelta(days=most)
    while end > first and len(found) < most:
        since = first if end - first <= span else end - span
        some = list(islice(takewhile(end.__gt__, _walk(rule, template, since)), DENSE * most))
        if len(some) == DENSE * most and span > SHORTEST_SPAN:  # many times a day
            span /= DENSE
            continue
        found = [*some, *found]
        end, span = since, span * min(4, 1.2 * (most - len(found)) / len(some)) if some else span * 4
    return found[-most:]


def _too_long(most: int) -> RecurrenceError:
    sentence = N_("{part} gives more than {maximum} dates, and an event with so long a text can have no more.")
    return RecurrenceError("rule", sentence, maximum=most)


def up_to(rule: Recurrence, template: Event, end: str) -> set[str]:
    """The local starts that a rule gives up to a time. Raises RecurrenceError."""
    return set(takewhile(end.__ge__, map(dates.text, _walk(rule, template))))


def check_rule(rule: Recurrence, template: Event, most: int = MOST) -> None:
    """Whether a series can go on with the rule that it has. Raises RecurrenceError."""
    first = dates.from_text(template.start_local)
    recurrence.check(_without_first_exception(rule, template), first, template.timezone, most)


def check_new(rule: Recurrence, template: Event) -> None:
    """Whether a new series can have this rule. Raises RecurrenceError."""
    recurrence.check(rule, dates.from_text(template.start_local), template.timezone, MOST)
    check_number(rule, template)


def check_number(rule: Recurrence, template: Event, known: int = 0) -> None:
    """Refuses a rule with an end that gives too many dates. `known`: how many a series has already. Raises
    RecurrenceError."""
    most = max(MOST, known)
    if not is_endless(rule) and next(islice(_walk(rule, template), most, None), None) is not None:
        raise recurrence.too_many(most)


def first_ahead(now: datetime, template: Event) -> datetime:
    """The local start from which on dates are not over."""
    try:
        return zones.to_local(now, template.timezone) - _length(template)
    except OverflowError:  # it lasts for thousands of years
        return recurrence.EVER


def _horizon(work: UnitOfWork, template: Event) -> datetime:
    """Up to when a series without an end has its dates. The last is that of all years."""
    first = dates.from_text(template.start_local)
    try:
        # The clock in UTC: a few hours do not count.
        return dates.months_later(max(work.now, first), work.settings.recurrence_months)
    except dates.NotADate:
        return dates.from_text(COMPLETE)


def _walk(rule: Recurrence, template: Event, since: datetime = recurrence.EVER) -> Iterator[datetime]:
    """The local starts that a rule gives from a time on, up to the last that has an end in the year 9999."""
    first, zone, length = dates.from_text(template.start_local), template.timezone, _length(template)
    # The first one may have been cancelled since, which a rule cannot say of itself.
    is_cancelled = first in rule.localized(first, zone).exceptions
    for start in recurrence.walk(_without_first_exception(rule, template), first, zone, since):
        if start.year >= LAST_YEARS and not _has_end(start, length, zone):
            return
        if not (is_cancelled and start == first):
            yield start


def _without_first_exception(rule: Recurrence, template: Event) -> Recurrence:
    first = dates.from_text(template.start_local)
    exceptions = rule.localized(first, template.timezone).exceptions
    return replace(rule, exceptions=tuple(when for when in exceptions if when != first))


def _has_end(start: datetime, length: timedelta, zone: str) -> bool:
    try:
        zones.to_utc(zones.settle(start + length, zone), zone)
    except (OverflowError, zones.OutOfRange):
        return False
    return True


def _length(template: Event) -> timedelta:
    return dates.from_text(template.end_local) - dates.from_text(template.start_local)


def starts_among(rule: Recurrence, template: Event, among: Collection[str]) -> set[str]:
    """Those of some local times at which a rule has an occurrence."""
    if not among:
        return set()
    last, first = max(among), dates.from_text(template.start_local)
    since = dates.from_text(min(among))
    walked: Iterator[str] = map(dates.text, recurrence.walk(rule, first, template.timezone, since))
    up_to_last: Iterator[str] = takewhile(last.__ge__, walked)
    found = set(among).intersection(up_to_last)
    if first in rule.exceptions:
        found.discard(template.start_local)
    return found


def occurrence(work: UnitOfWork, series: Series, start: datetime) -> Event:
    """A new occurrence, without an id and a slug."""
    event = msgspec.structs.replace(
        series.template.event,
        series=series.id,
        original_start=dates.text(start),
        modified_utc=work.now_text,
        own_fields=[],
    )
    if event.status == FUTURE and event.date_utc <= work.now_text:
        event.status = PUBLISH
    set_times(event, series.template.event)
    return event


def set_times(event: Event, template: Event) -> None:
    """Sets the times of an occurrence, except those that are its own: what the local clock shows repeats. Where the
    clocks skip the start, the end moves ahead with it."""
    start = _set_edge(event, "start", dates.from_text(event.original_start), DAY_START)
    if event.all_day or "start_local" in event.own_fields:
        start = dates.from_text(event.original_start)
    _set_edge(event, "end", start + _length(template), DAY_END)


def _set_edge(event: Event, which: str, wanted: datetime, edge: time) -> datetime:
    """Sets the start or the end of an occurrence; its local time."""
    if f"{which}_local" in event.own_fields and not event.all_day:
        local, utc = (dates.from_text(getattr(event, f"{which}_{clock}")) for clock in ("local", "utc"))
        local, utc = zones.renewed(local, utc, event.timezone)
    else:
        if f"{which}_local" in event.own_fields:
            wanted = dates.from_text(getattr(event, f"{which}_local"))
        local = zones.settle(datetime.combine(wanted.date(), edge) if event.all_day else wanted, event.timezone)
        utc = zones.to_utc(local, event.timezone)
    setattr(event, f"{which}_local", dates.text(local))
    setattr(event, f"{which}_utc", dates.text(utc))
    return local


def length_of(event: Event) -> timedelta:
    """How long an event lasts on its clock; exactly, where that shows a time twice and UTC says which is meant."""
    start, end = dates.from_text(event.start_local), dates.from_text(event.end_local)
    exact = dates.from_text(event.start_utc), dates.from_text(event.end_utc)
    is_plain = (zones.to_utc(start, event.timezone), zones.to_utc(end, event.timezone)) == exact
    return end - start if is_plain else exact[1] - exact[0]


def links_of_template(work: UnitOfWork, found: Series) -> dict[str, list[int]]:
    """What new occurrences are linked to: those records of the template that are still there."""
    links = found.template.links
    return {kind: stored_events.existing(work.session, kind, ids) for kind, ids in links.items() if ids}


def moved(text: str, by: timedelta) -> str:
    return dates.text(dates.from_text(text) + by)


def name_all(session: Session, events: Sequence[Event], stem: str, others: Sequence[Event] = ()) -> None:
    """Gives occurrences their slugs: `yoga-2026-11-17`, and `yoga-2026-11-17-2` if that is taken, be it by one of
    `others`, which need not be stored yet."""
    wanted = [dated(stem, event.original_start) for event in events]
    taken = stored_events.used_slugs(session, [names.slug_key(slug) for slug in wanted]) if wanted else set()
    taken.update(names.slug_key(event.slug) for event in others)
    for event, slug in zip(events, wanted, strict=True):
        event.slug = _free(session, slug, taken)
        taken.add(names.slug_key(event.slug))


def dated(stem: str, start: str) -> str:
    """The slug of an occurrence. The stem gives way where the two together are too long."""
    return names.with_ending(stem, f"-{start[:10]}")


def stem_of(slug: str, start: str) -> str:
    """What the slugs of all occurrences begin with, by that of one of them: what it says of the day is left out."""
    return slug.removesuffix(f"-{start[:10]}")


def _free(session: Session, slug: str, used: Collection[str]) -> str:
    number, found = 1, slug
    while names.slug_key(found) in used or (
        number > 1 and stored_events.used_slugs(session, [names.slug_key(found)])
    ):
        number += 1
        found = names.numbered(slug, number)
    return found
