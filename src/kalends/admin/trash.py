"""The trash: events, venues and organizers that were deleted, to be restored or deleted for good."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from kalends.admin.list_pages import Pages
from kalends.admin.outcomes import in_words
from kalends.admin.record_names import NAMES
from kalends.admin.request import AdminRequest
from kalends.calendar.editing.trash import (
    TrashChoice,
    TrashedSeries,
    delete_from_trash,
    empty_trash,
    restore_from_trash,
)
from kalends.calendar.editing.trash import page as trash_page
from kalends.contract.kinds import EVENT, KINDS, Kind
from kalends.languages import N_
from kalends.site import times
from kalends.site.forms.form import Form, number_in
from kalends.store.query.editable_records import SERIES, Trashed
from kalends.store.rows.records import Event, Post

PATH = "/admin/trash"
POST_NAMES = {kind.name for kind in KINDS if not kind.is_term}
PER_PAGE = 50
SHOWN = 60  # dates of a series
DONE = {"restore": N_("Restored: {count}."), "delete": N_("Deleted for good: {count}.")}


class TrashRow(NamedTuple):
    """A row: a record, or a series with those of its dates that are in the trash."""

    key: str
    rev: int
    name: str
    kind: str
    when: str
    deleted: str
    dates: Sequence["TrashRow"] = ()
    more: int = 0  # further dates


@dataclass(frozen=True, slots=True)
class TrashPage:
    template: ClassVar[str] = "admin/trash.html"

    items: Sequence["TrashRow"]
    pages: Pages


def show_trash(request: AdminRequest) -> None:
    total, number, found = request.calendar.read(request.caller, trash_page, request.page_number, PER_PAGE)
    pages = Pages(request.root_path + PATH, number, total, PER_PAGE)
    request.answer(TrashPage([_item(request, row) for row in found], pages))


def _item(request: AdminRequest, row: tuple[Kind, Post] | TrashedSeries) -> TrashRow:
    frame, language = request.frame, request.language
    if not isinstance(row, TrashedSeries):
        kind, post = row
        when = times.moment(post.start_local, language) if isinstance(post, Event) else ""
        name = request.say(NAMES[kind.name])
        return TrashRow(
            f"{kind.name}-{post.id}", post.rev, post.name, name, when, frame.day_and_time(post.modified_utc)
        )
    found, dates = row.series, row.dates
    first, last = (times.day_of(date.start_local) for date in (dates[0], dates[-1]))
    listed = [
        TrashRow(f"{EVENT.name}-{date.id}", date.rev, date.name, "", times.moment(date.start_local, language), "")
        for date in dates[:SHOWN]
    ]
    return TrashRow(
        f"{SERIES}-{found.id}",
        found.rev,
        dates[0].name,
        request.say(
            N_("Series, {count} dates") if row.is_whole else N_("{count} dates of a series"), count=len(dates)
        ),
        times.days_between(first, last, language),
        frame.day_and_time(max(date.modified_utc for date in dates)),
        listed,
        len(dates) - len(listed),
    )


def act(request: AdminRequest, form: Form) -> None:
    action, back = form.text("action"), Pages(PATH, 1, 0, PER_PAGE).at(request.page_number)
    chosen = [
        TrashChoice(key, number_in(form.text(f"rev-{text}")))
        for text in form.all("item")
        if (key := key_in(text)) is not None
    ]
    if action == "empty":
        request.go(PATH, DONE["delete"], count=empty_trash(request.calendar, request.caller))
    elif action not in DONE:
        request.go(back)
    elif not chosen:
        request.go(back, N_("Nothing is selected."), kind="problem")
    else:
        act = delete_from_trash if action == "delete" else restore_from_trash
        outcome = act(request.calendar, request.caller, chosen)
        kind = "done" if outcome.changed else "problem"
        request.go(back, "{text}", kind=kind, text=in_words(DONE[action], outcome, request.language))


def key_in(text: str) -> Trashed | None:
    kind, _, id = text.partition("-")
    return Trashed(kind, number_in(id) or 0) if kind in (*POST_NAMES, SERIES) else None
