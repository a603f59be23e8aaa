"""The trash: events, venues and organizers that were deleted, to be restored or deleted for good."""

from functools import partial
from typing import Any, NamedTuple

from kalends.contract.errors import ApiError
from kalends.contract.fields import read_update
from kalends.contract.kinds import KIND_OF, Kind
from kalends.contract.statuses import DRAFT, TRASH
from kalends.languages import N_
from kalends.pages import times
from kalends.pages.admin.navigation import may_write
from kalends.server.admin.forms import Form, number_in
from kalends.server.admin.screen import FormScreen, Visit
from kalends.store.query.trash import Trashed
from kalends.store.rows.records import Event, Post
from kalends.values import dates, zones

PATH = "/admin/trash"
PER_PAGE = 50
ACTIONS = ("restore", "delete")
KIND_NAMES = {"event": N_("Event"), "venue": N_("Venue"), "organizer": N_("Organizer")}

RESTORED = N_("Restored: {count}.")
DELETED = N_("Deleted for good: {count}.")


class Item(NamedTuple):
    """A record in the trash."""

    key: str  # kind and id, as the form sends them
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
        chosen = [key for text in form.all("item") if (key := key_in(text)) is not None]
        if action == "empty":
            visit.go(PATH, DELETED, count=visit.calendar.empty_trash(visit.caller))
        elif action not in ACTIONS:
            visit.go(back)
        elif not chosen:
            visit.go(back, N_("Nothing is selected."), kind="problem")
        elif action == "delete":
            visit.go(back, DELETED, count=visit.calendar.delete_from_trash(visit.caller, chosen))
        else:
            visit.go(back, RESTORED, count=sum(restore(visit, key) for key in chosen))


def page_path(number: int) -> str:
    return f"{PATH}?page={number}" if number > 1 else PATH


def restore(visit: Visit, key: Trashed) -> bool:
    """Only from the trash: a form that was open for long may name a record that was restored since."""
    kind = KIND_OF[key.kind]
    try:
        post = visit.calendar.read_post(visit.caller, kind, key.id)[0]
        if post.status != TRASH:
            return False
        reading = read_update(kind.fields, {"status": post.trashed_from or DRAFT})
        visit.calendar.update_post(visit.caller, kind, key.id, reading, visit.base_url)
    except ApiError as error:
        if error.error_type.status not in (403, 404, 410):
            raise
        return False
    return True


def key_in(text: str) -> Trashed | None:
    kind, _, id = text.partition("-")
    return Trashed(kind, number_in(id) or 0) if kind in KIND_NAMES else None


def item(visit: Visit, kind: Kind, post: Post) -> Item:
    moment = partial(times.moment, language=visit.language)
    deleted = zones.to_local(dates.from_text(post.modified_utc), visit.settings.timezone)
    return Item(
        key=f"{kind.name}-{post.id}",
        name=post.name,
        kind=visit.say(KIND_NAMES[kind.name]),
        when=moment(post.start_local) if isinstance(post, Event) else "",
        deleted=moment(dates.text(deleted)),
    )
