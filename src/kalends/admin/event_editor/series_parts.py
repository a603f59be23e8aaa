"""What the editor tells of a change of several dates, and the way back from one that has made two series of one."""

from collections.abc import Sequence

from kalends.admin.event_changes import UNDONE
from kalends.admin.frame import Undo
from kalends.admin.outcomes import NOTHING
from kalends.admin.request import AdminRequest
from kalends.calendar.posts.linked_records import Shown
from kalends.calendar.series import operations, rejoining
from kalends.calendar.series.rejoining import Split
from kalends.calendar.series.single_dates import of_event as series_dates
from kalends.contract.recurrences import SCOPES
from kalends.languages import N_
from kalends.site.forms.form import Form, number_in
from kalends.store.rows.records import Event, Series

CHANGED = N_("Dates changed: {count}.")


def told(request: AdminRequest, event: Event, known: Sequence[Series], scope: str) -> str:
    """How many dates a change is about. `known`: the series as it was before."""
    if not known or event.series is None or scope == SCOPES[0]:
        return ""
    found = request.calendar.read(request.caller, series_dates, event.id)
    return request.say(CHANGED, count=sum(not date.is_skipped for date in found))


def undo(request: AdminRequest, known: Sequence[Series], saved: Shown) -> Undo | None:
    """What brings a series back of which a change has made two; not for very many dates, which change in steps."""
    event, later = saved[0], saved[1].series
    if not known or later is None or later.id == known[0].id:
        return None
    stored = request.calendar.read(request.caller, operations.find_series, later.id)
    if stored is None or stored.rev != later.rev:
        return None
    split = Split(later.id, later.rev, known[0].rev, known[0].recurrence)
    return Undo(f"/admin/events/{event.id}/rejoin", {name: [str(value)] for name, value in split._asdict().items()})


def rejoin(request: AdminRequest, form: Form, id: int) -> None:
    """Takes a split of a series back."""
    later, rev, before = (number_in(form.text(name)) or 0 for name in ("later", "rev", "before"))
    count = request.calendar.write(
        request.caller, rejoining.rejoin, Split(later, rev, before, form.text("recurrence"))
    )
    request.go(f"/admin/events/{id}", UNDONE if count else NOTHING, kind="done" if count else "problem")
