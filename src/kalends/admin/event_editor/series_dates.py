"""Single dates of a series in its editor: skipped, brought back and added, each with undo."""

from datetime import datetime

from kalends.admin.frame import Undo
from kalends.admin.outcomes import NOTHING
from kalends.admin.request import AdminRequest
from kalends.calendar.series.single_dates import set_date as set_series_date
from kalends.languages import N_
from kalends.site import times
from kalends.site.forms.form import FILL_IN, Form
from kalends.values import dates

SKIPPED, TAKEN, ADDED = (
    N_("Skipped: {date}."),
    N_("It takes place again: {date}."),
    N_("Added to the series: {date}."),
)
NO_DATE = N_("This is not a date.")


def act(request: AdminRequest, form: Form, id: int) -> None:
    """Skips, brings back or adds one date, as the button says."""
    back = f"/admin/events/{id}"
    wants_new = form.is_checked("add")
    skips = not wants_new and form.is_checked("skip")
    text = f"{form.text('day')} {form.text('time')}" if wants_new else form.text("skip") or form.text("take")
    start = _moment(text.strip())
    if start is None:
        request.go(back, NO_DATE if text.strip() else FILL_IN, kind="problem")
        return
    has_time = not wants_new or bool(form.text("time"))
    with form.refusals():
        changed = request.calendar.write(
            request.caller, set_series_date, id, start, takes_place=not skips, has_time=has_time
        )
        if not changed:
            request.go(back, NOTHING, kind="problem")
            return
        undo = Undo(f"{back}/dates", {"take" if skips else "skip": [changed]})
        sentence = SKIPPED if skips else ADDED if wants_new else TAKEN
        request.go(back, sentence, undo, date=times.day(start, request.language))
    if form.errors:
        request.go(back, "{text}", kind="problem", text=next(iter(form.errors.values())))


def _moment(text: str) -> datetime | None:
    """A day, or a day and a time of day with or without seconds."""
    day, _, time = text.partition(" ")
    found = dates.day_in(day)
    if found is None:
        return None
    try:
        return datetime.combine(found, datetime.strptime(f"{time or '00:00'}:00"[:8], "%H:%M:%S").time())
    except ValueError:
        return None
