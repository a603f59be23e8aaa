"""The trash: events, venues and organizers that were deleted, to be restored or deleted for good."""

from functools import partial
from typing import Any, NamedTuple

from kalends.calendar.editing.trash import Listed
from kalends.contract.kinds import Kind
from kalends.languages import N_
from kalends.pages import times
from kalends.pages.admin.navigation import may_write
from kalends.pages.admin.outcomes import DONE, in_words
from kalends.server.admin.legacy import FormScreen, Visit
from kalends.server.forms import Form, number_in
from kalends.store.query.trash import Trashed
from kalends.store.rows.records import Event, Post
from kalends.values import dates, zones

PATH = "/admin/trash"
PER_PAGE = 50
ACTIONS = ("restore", "delete")
KIND_NAMES = {"event": N_("Event"), "venue": N_("Venue"), "organizer": N_("Organizer")}


class Item(NamedTuple):
    """A record in the trash."""

    key: str  # kind and id, as the form sends them
    rev: int  # the version that is shown
    name: str
    kind: str
    when: str
    deleted: str


class Trash(FormScreen):
    """What a person can restore."""

    entry = "trash"
    title = N_("Trash")
    right = staticmethod(may_write)

    def show(self, visit: Visit, **params: Any) -> None:
        total, number, found = visit.calendar.trash_page(visit.caller, visit.page_number, PER_PAGE)
        visit.render(
            "admin/trash.html",
            items=[item(visit, kind, post) for kind, post in found],
            total=total,
            here=page_path(number),
            number=number,
            count=max(1, -(-total // PER_PAGE)),
            page_at=lambda other: visit.root_path + page_path(other),
        )

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        action, back = form.text("action"), page_path(visit.page_number)
        chosen = [
            Listed(key, number_in(form.text(f"rev-{text}")))
            for text in form.all("item")
            if (key := key_in(text)) is not None
        ]
        if action == "empty":
            visit.go(PATH, DONE["delete"], count=visit.calendar.empty_trash(visit.caller))
        elif action not in ACTIONS:
            visit.go(back)
        elif not chosen:
            visit.go(back, N_("Nothing is selected."), kind="problem")
        else:
            take = visit.calendar.delete_from_trash if action == "delete" else visit.calendar.restore_from_trash
            outcome = take(visit.caller, chosen)
            kind = "done" if outcome.changed else "problem"
            visit.go(back, "{text}", kind=kind, text=in_words(action, outcome, visit.language))


def page_path(number: int) -> str:
    return f"{PATH}?page={number}" if number > 1 else PATH


def key_in(text: str) -> Trashed | None:
    kind, _, id = text.partition("-")
    return Trashed(kind, number_in(id) or 0) if kind in KIND_NAMES else None


def item(visit: Visit, kind: Kind, post: Post) -> Item:
    moment = partial(times.moment, language=visit.language)
    deleted = zones.to_local(dates.from_text(post.modified_utc), visit.settings.timezone)
    return Item(
        key=f"{kind.name}-{post.id}",
        rev=post.rev,
        name=post.name,
        kind=visit.say(KIND_NAMES[kind.name]),
        when=moment(post.start_local) if isinstance(post, Event) else "",
        deleted=moment(dates.text(deleted)),
    )
