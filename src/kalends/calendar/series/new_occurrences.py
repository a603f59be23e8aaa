"""When a series takes place, and its occurrences as events that are not stored yet."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from itertools import islice, takewhile

import msgspec

from kalends.calendar.posts.apply_fields import DAY_END, DAY_START
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.statuses import FUTURE, PUBLISH
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import event_batches
from kalends.store.rows.records import Event, Series
from kalends.store.rows.series import COMPLETE
from kalends.values import dates, moments, names, recurrence, zones
from kalends.values.recurrence import Recurrence, RecurrenceError

MOST = 1000  # occurrences of a series; of one that is kept filled, those that are not over
MOST_TEXT = 3_000_000  # characters that the dates of a series have together: its text times its dates
AT_ONCE = 100  # new dates of one transaction
TEXT_AT_ONCE = 200_000  # characters of these dates together
MOST_OVER = 50_000  # of a rule without an end that begins long ago: every day for more than a century
MOST_TEXT_OVER = 10_000_000  # characters that those together may be asked to have
LAST_YEARS = 9998  # from here on, an occurrence may end after the last year


def recurrence_of(series: Series) -> Recurrence:
    return recurrence.from_text(series.recurrence)


def is_endless(rule: Recurrence) -> bool:
    return rule.rule is not None and rule.rule.is_endless


def text_of(event: Event) -> int:
    """The characters that are stored anew for each date."""
    written = (event.name, *event.texts, str(event.tickets))
    return sum(map(len, written)) + sum(len(str(value)) for value in event.custom_fields.values())


def at_once(template: Event) -> int:
    """How many new dates one transaction makes, so that other writers do not wait long."""
    return max(1, min(AT_ONCE, TEXT_AT_ONCE // text_of(template)))


@dataclass(frozen=True, slots=True)
class Plan:
    """The dates that a series is to have: all of its rule, or those up to `end` of one without an end. Those that are
    over may be tens of thousands, so they are computed as far as somebody asks for them."""

    rule: Recurrence
    template: Event
    ahead: list[datetime]  # those that are not over, in order
    first_ahead: datetime
    end: str  # what the series notes as `filled_to` when it has them

    def over(self, after: str = "") -> Iterator[datetime]:
        """Those that are over, in order, from some time on."""
        since = dates.from_text(after) if after else recurrence.EVER
        return takewhile(self.first_ahead.__gt__, _walk(self.rule, self.template, since))

    def among(self, known: Collection[str]) -> set[str]:
        """Those of some local times that it has."""
        ahead = dates.text(self.first_ahead)
        last = max((text for text in known if text < ahead), default="")
        over = takewhile(last.__ge__, map(dates.text, self.over())) if last else ()
        return {*over, *map(dates.text, self.ahead)}.intersection(known)


def plan(
    work: UnitOfWork,
    rule: Recurrence,
    template: Event,
    filled_to: str = "",
    known: int = 0,
    *,
    is_asked: bool = False,
) -> Plan:
    """The one bound of all series. A rule without an end has its dates for some months ahead, but at least as far as
    it was filled before, and at most `MOST` that are not over, fewer with a long text; no such rule is refused for
    their number. One with an end has at most so many, or as many as it has (`known`). `is_asked`: a request brings a
    rule or changes it, and is refused where a long text would have very many dates that are over: each is a row with
    that text, and somebody could fill the disk with one request. Raises RecurrenceError."""
    allowed = max(1, min(MOST, MOST_TEXT // text_of(template)))
    most = max(allowed, known)
    check_rule(rule, template, max(MOST, known))
    now = first_ahead(work, template)
    if not is_endless(rule):
        found = list(islice(_walk(rule, template), most + 1))
        if len(found) > most:
            raise recurrence.too_many(most) if most >= MOST else _too_long(most)
        return Plan(rule, template, [start for start in found if start >= now], now, COMPLETE)
    until = dates.text(_horizon(work, template))
    if filled_to != COMPLETE:
        until = max(until, filled_to)
    within = takewhile(lambda start: dates.text(start) <= until, _walk(rule, template, now))
    ahead = list(islice(within, allowed + 1))
    planned = Plan(rule, template, ahead, now, until)
    if is_asked:
        _bound_over(planned, known)
    if len(ahead) > allowed:
        return replace(planned, ahead=ahead[:allowed], end=dates.text(ahead[allowed - 1]))
    if not ahead and next(planned.over(), None) is None:  # a series has at least one date
        return replace(planned, ahead=list(islice(_walk(rule, template, now), 1)))
    return planned


def _bound_over(plan: Plan, known: int) -> None:
    """Refuses more dates that are over than a series may have. Raises RecurrenceError."""
    by_text = max(known, MOST_TEXT_OVER // text_of(plan.template))
    most = min(MOST_OVER, by_text)
    rule, days = plan.rule.rule, (plan.first_ahead - dates.from_text(plan.template.start_local)).days + 2
    # Most often there are not so many days; dates are only counted where it depends on the rule.
    if rule is None or days * rule.times_of_a_day + len(plan.rule.dates) <= most:
        return
    if next(islice(plan.over(), most, None), None) is not None:
        raise recurrence.too_many(MOST_OVER) if by_text >= MOST_OVER else _too_long(by_text)


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


def check(rule: Recurrence, first: datetime, zone: str) -> None:
    """Whether a series that begins with this event can have this rule. Raises RecurrenceError."""
    recurrence.check(rule, first, zone, MOST)


def first_ahead(work: UnitOfWork, template: Event) -> datetime:
    """The local start from which on dates are not over."""
    try:
        return zones.to_local(work.now, template.timezone) - _length(template)
    except OverflowError:  # it lasts for thousands of years
        return recurrence.EVER


def _horizon(work: UnitOfWork, template: Event) -> datetime:
    """Up to when a series without an end has its dates. The last is that of all years."""
    first = dates.from_text(template.start_local)
    try:
        # The clock in UTC: a few hours do not count.
        return moments.months_later(max(work.now, first), work.settings.recurrence_months)
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


def given(rule: Recurrence, template: Event, among: Collection[str]) -> set[str]:
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
    place(event, series.template.event)
    return event


def place(event: Event, template: Event) -> None:
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
    return {kind: event_batches.existing(work.session, kind, ids) for kind, ids in links.items() if ids}


def moved(text: str, by: timedelta) -> str:
    return dates.text(dates.from_text(text) + by)


def name_all(session: Session, events: Sequence[Event], stem: str, others: Sequence[Event] = ()) -> None:
    """Gives occurrences their slugs: `yoga-2026-11-17`, and `yoga-2026-11-17-2` if that is taken, be it by one of
    `others`, which need not be stored yet."""
    wanted = [dated(stem, event.original_start) for event in events]
    taken = event_batches.taken_slugs(session, [names.slug_key(slug) for slug in wanted]) if wanted else set()
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


def _free(session: Session, slug: str, taken: Collection[str]) -> str:
    number, found = 1, slug
    while names.slug_key(found) in taken or (
        number > 1 and event_batches.taken_slugs(session, [names.slug_key(found)])
    ):
        number += 1
        found = names.numbered(slug, number)
    return found
