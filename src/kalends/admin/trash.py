"""The trash: events, venues and organizers that were deleted, to be restored or deleted for good."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin.list_pages import Pages
from kalends.admin.outcomes import in_words
from kalends.admin.record_names import NAMES
from kalends.admin.request import AdminRequest
from kalends.calendar.editing.trash import Listed, delete_from_trash, empty_trash, restore_from_trash
from kalends.calendar.editing.trash import page as trash_page
from kalends.contract.kinds import KINDS, Kind
from kalends.languages import N_
from kalends.site import times
from kalends.site.forms.form import Form, number_in
from kalends.store.query.editable_records import Trashed
from kalends.store.rows.records import Event, Post

PATH = "/admin/trash"
POST_NAMES = {kind.name for kind in KINDS if not kind.is_term}
PER_PAGE = 50
DONE = {"restore": N_("Restored: {count}."), "delete": N_("Deleted for good: {count}.")}


@dataclass(frozen=True, slots=True)
class TrashPage:
    template: ClassVar[str] = "admin/trash.html"

    items: Sequence[tuple[Kind, Post]]
    pages: Pages
    language: str

    def kind_name(self, kind: Kind) -> str:
        return NAMES[kind.name]

    def when(self, post: Post) -> str:
        return times.moment(post.start_local, self.language) if isinstance(post, Event) else ""


def show_trash(request: AdminRequest) -> None:
    total, number, found = request.calendar.read(request.caller, trash_page, request.page_number, PER_PAGE)
    pages = Pages(request.root_path + PATH, number, total, PER_PAGE)
    request.answer(TrashPage(found, pages, request.language))


def act(request: AdminRequest, form: Form) -> None:
    action, back = form.text("action"), Pages(PATH, 1, 0, PER_PAGE).at(request.page_number)
    chosen = [
        Listed(key, number_in(form.text(f"rev-{text}")))
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
    return Trashed(kind, number_in(id) or 0) if kind in POST_NAMES else None
