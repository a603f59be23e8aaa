"""When an event takes place: its zone, its start and end on the local clock and in UTC, all-day events."""

from datetime import datetime, time

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import OUT_OF_BOUNDS, WRONG_FORMAT, FieldError, Problems
from kalends.contract.fields import Values
from kalends.languages import N_
from kalends.store.rows.records import Event
from kalends.values import dates, zones

DAY_START = time(0, 0, 0)
DAY_END = time(23, 59, 59)


def schedule(work: UnitOfWork, event: Event, values: Values, problems: Problems) -> None:
    """Applies what was sent of `timezone`, `all_day`, `start_date` and `end_date`."""
    zone = event.timezone
    if "timezone" in values or not event.start_local:
        event.timezone = str(values.get("timezone") or work.settings.timezone)
    if "all_day" in values:
        event.all_day = bool(values["all_day"])
    moved = zone != event.timezone
    for name, edge in (("start_date", DAY_START), ("end_date", DAY_END)):
        try:
            _place(work, event, name, values.get(name), edge, moved=moved)
        except (dates.NotADate, zones.OutOfRange):
            problems.add(name, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
            return
    if event.end_utc < event.start_utc:
        problems.add("end_date", FieldError(OUT_OF_BOUNDS, N_("cannot be before start_date.")))


def _place(work: UnitOfWork, event: Event, name: str, moment: object, edge: time, *, moved: bool) -> None:
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
