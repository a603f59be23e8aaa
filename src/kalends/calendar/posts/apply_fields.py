"""Applies the fields of a request to a record: plain fields of every kind, then those with rules of their own: the
publication date and the status, and when an event takes place."""

from datetime import datetime, time, timedelta

from kalends import hooks
from kalends.calendar.access import Caller, UnitOfWork, may_publish
from kalends.calendar.accounts import event_passwords
from kalends.calendar.posts import defined_values
from kalends.contract.errors import EMPTY, MISSING_PARAM, OUT_OF_BOUNDS, WRONG_FORMAT, ApiError, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.kinds import POSTS, Kind
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH, TRASH
from kalends.languages import N_
from kalends.store.rows import events
from kalends.store.rows.records import Companion, Event, Post, Venue
from kalends.values import dates, zones
from kalends.values.dates import is_undated

# The columns of the fields that are simply assigned.
PLAIN = {
    kind: {field.name: field.stored for field in kind.fields if field.stored and not field.is_ruled} for kind in POSTS
}
COORDINATES = ("geo_lat", "geo_lng")
NEEDS_PUBLISHING = (PUBLISH, FUTURE, PRIVATE)
DAY_START = time(0, 0, 0)
DAY_END = time(23, 59, 59)


def apply(work: UnitOfWork, kind: Kind, post: Post, values: Values, problems: Problems) -> None:
    """Changes the fields that were sent and nothing else."""
    columns = PLAIN[kind]
    for name in columns.keys() & values.keys():
        setattr(post, columns[name], values[name])
    image = values.get("image")
    if isinstance(image, str):
        post.image = work.fetched[image].id
    elif "image" in values:
        post.image = image if isinstance(image, int) else None
    _date_post(work, post, values, problems)
    wanted = values.get("status")
    move_status(work, post, None if wanted is None else str(wanted))
    if isinstance(post, Event):
        _apply_event(work, post, values, problems)
    elif isinstance(post, Venue):
        _check_coordinates(values, problems)
    for apply_fields in hooks.apply_fields:
        apply_fields(work, post, values, problems)


def _apply_event(work: UnitOfWork, event: Event, values: Values, problems: Problems) -> None:
    if is_undated(event.start_local, event.end_local) and "start_date" not in values:
        values = {name: value for name, value in values.items() if name != "all_day"}  # days would be dates
    _schedule(work, event, values, problems)
    if is_undated(event.start_local, event.end_local) and event.status in NEEDS_PUBLISHING:
        event.status = DRAFT  # until it has dates
    if "post_password" in values:
        password = str(values["post_password"])
        event.password = event_passwords.digest(work.session, password) if password else None
    elif isinstance(
        digest := values.get("password"), bytes
    ):  # of a copy or an import, which does not know the password
        event.password = digest
    if "tickets" in values:
        tickets = values["tickets"]
        try:
            event.tickets = [_ticket(work, event, sent) for sent in tickets] if isinstance(tickets, list) else []
        except dates.NotADate:
            problems.add("tickets", FieldError(WRONG_FORMAT, N_("has a time that is out of the range of dates.")))
        event.ticketed = bool(event.tickets)
    defined_values.apply(work, event, values, problems)
    if values.get("post_parent") and _is_above(work, event, event.post_parent):
        problems.add("post_parent", FieldError(OUT_OF_BOUNDS, N_("cannot be the event itself or one below it.")))


def _ticket(work: UnitOfWork, event: Event, sent: dict[str, object]) -> dict[str, object]:
    """A ticket with its times on the event's clock."""
    return {
        name: dates.text(value.local(event.timezone, work.now)) if isinstance(value, dates.Moment) else value
        for name, value in sent.items()
    }


def _is_above(work: UnitOfWork, event: Event, parent: int) -> bool:
    """Whether following the parents from here comes back to the event."""
    return event.id in (parent, *events.ancestors(work.session, parent))


def _check_coordinates(values: Values, problems: Problems) -> None:
    """Coordinates come together or not at all."""
    sent = [name for name in COORDINATES if name in values]
    filled = [name for name in sent if values[name] is not None]
    if len(sent) == 1 or len(filled) == 1:
        [missing] = set(COORDINATES) - set(filled or sent)
        problems.add(missing, FieldError(EMPTY, N_("must be sent together with the other coordinate.")))


def check_required(work: UnitOfWork, values: Values) -> None:
    """A new event, unless it is a draft, needs a value of each defined field that is required."""
    missing = defined_values.missing(work.settings, values)
    if missing and (values.get("status") or default_status(work.caller)) != DRAFT:
        raise ApiError(MISSING_PARAM, {"params": missing}, names=", ".join(missing))


def default_status(caller: Caller) -> str:
    return PUBLISH if may_publish(caller) else DRAFT


def _date_post(work: UnitOfWork, post: Post, values: Values, problems: Problems) -> None:
    """Sets the publication date; `date_utc` counts when both are sent."""
    for name, zone in (("date_utc", "UTC"), ("date", work.settings.timezone)):
        moment = values.get(name)
        if isinstance(moment, dates.Moment):
            try:
                utc = moment.utc(zone, work.now)
                zones.to_local(utc, work.settings.timezone)  # as it will be shown
                if zones.on_clock(utc, zone) != moment.local(zone, work.now):
                    raise zones.OutOfRange("It has no UTC that can be written.")
                post.date_utc = dates.text(utc)
            except (dates.NotADate, zones.OutOfRange):
                problems.add(name, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
            return


def move_status(work: UnitOfWork, post: Post, wanted: str | None) -> None:
    """Gives a post the status that was asked for, as far as the caller and the date allow."""
    status = post.status if wanted is None else wanted
    if isinstance(post, Companion) and wanted not in (None, TRASH, post.trashed_from or None):
        # A status that is named stands. Who cannot publish asks for it, and gets it with the event.
        post.waiting = wanted in (PUBLISH, FUTURE, PENDING) and not may_publish(work.caller)
    if wanted in NEEDS_PUBLISHING and not may_publish(work.caller):
        status = PENDING
    if status in (PUBLISH, FUTURE):
        status = FUTURE if post.date_utc > work.now_text else PUBLISH
    if status == TRASH and post.status != TRASH:
        post.trashed_from = post.status
    elif status != TRASH:
        post.trashed_from = ""
    post.status = status


def _schedule(work: UnitOfWork, event: Event, values: Values, problems: Problems) -> None:
    """Applies what was sent of `timezone`, `all_day`, `start_date` and `end_date`."""
    zone = event.timezone
    if "timezone" in values or not event.start_local:
        event.timezone = str(values.get("timezone") or work.settings.timezone)
    if "all_day" in values:
        event.all_day = bool(values["all_day"])
    moved = zone != event.timezone
    for name, edge in (("start_date", DAY_START), ("end_date", DAY_END)):
        try:
            _set_edge(work, event, name, values.get(name), edge, moved=moved)
        except (dates.NotADate, zones.OutOfRange):
            problems.add(name, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
            return
    _keep_length(event, *(_skipped(work, event, values.get(name)) for name in ("start_date", "end_date")))
    if event.end_utc < event.start_utc:
        problems.add("end_date", FieldError(OUT_OF_BOUNDS, N_("cannot be before start_date.")))


def _skipped(work: UnitOfWork, event: Event, sent: object) -> timedelta:
    """How far a date that was sent has moved ahead, because the clocks skip it."""
    return sent.skipped(event.timezone, work.now) if isinstance(sent, dates.Moment) else timedelta(0)


def _keep_length(event: Event, start_moved: timedelta, end_moved: timedelta) -> None:
    """Where the clocks skip the start only, and it comes to lie at the end or after it, the end moves ahead too."""
    start, end = dates.from_text(event.start_local), dates.from_text(event.end_local)
    if start - start_moved < end - end_moved and event.end_utc <= event.start_utc and not event.all_day:
        later = zones.settle(end + start_moved - end_moved, event.timezone)
        event.end_local, event.end_utc = dates.text(later), dates.text(zones.to_utc(later, event.timezone))


def _set_edge(work: UnitOfWork, event: Event, name: str, moment: object, edge: time, *, moved: bool) -> None:
    """Sets one end of the event. Without a new date the wall clock stays, whatever the zone."""
    which = name.removesuffix("_date")
    if isinstance(moment, dates.Moment):
        local = moment.local(event.timezone, work.now)
        utc = moment.utc(event.timezone, work.now)
    else:
        local = dates.from_text(getattr(event, f"{which}_local"))
        utc = dates.from_text(getattr(event, f"{which}_utc"))
        if moved:
            local = zones.settle(local, event.timezone)
            utc = zones.to_utc(local, event.timezone)
    if event.all_day and local.time() != edge:
        local = zones.settle(datetime.combine(local.date(), edge), event.timezone)
        utc = zones.to_utc(local, event.timezone)
    setattr(event, f"{which}_local", dates.text(local))
    setattr(event, f"{which}_utc", dates.text(utc))
