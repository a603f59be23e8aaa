"""The trash: events, venues and organizers that were deleted, to be restored or deleted for good."""

from functools import partial
from typing import Any, NamedTuple

from kalends.calendar.overview import ALL_TIME
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_query, read_update
from kalends.contract.kinds import EVENT, POSTS, Kind
from kalends.contract.statuses import DRAFT, TRASH
from kalends.languages import N_
from kalends.pages import times
from kalends.pages.admin.navigation import may_write
from kalends.server.admin.forms import Form, number_in
from kalends.server.admin.screen import FormScreen, Visit
from kalends.store.rows.records import Event, Post
from kalends.values import dates, zones

PATH = "/admin/trash"
PER_PAGE = 50
ACTIONS = ("restore", "delete", "empty")
KIND_NAMES = {"event": N_("Event"), "venue": N_("Venue"), "organizer": N_("Organizer")}
KINDS = {kind.name: kind for kind in POSTS}

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
        items, total = [], 0
        for kind in POSTS:
            count, found = trashed(visit, kind)
            total += count
            items += [item(visit, kind, post) for post in found]
        visit.render("admin/trash.html", items=items, total=total)

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        action = form.text("action")
        if action not in ACTIONS:
            visit.go(PATH)
            return
        chosen = all_trashed(visit) if action == "empty" else [key(text) for text in form.all("item")]
        if action != "empty" and not chosen:
            visit.go(PATH, N_("Nothing is selected."), kind="problem")
            return
        done = 0
        for kind, id in chosen:
            if kind is None:
                continue
            try:
                done += restore(visit, kind, id) if action == "restore" else delete(visit, kind, id)
            except ApiError as error:
                if error.error_type.status not in (403, 404, 410):
                    raise
        visit.go(PATH, RESTORED if action == "restore" else DELETED, count=done)


def trashed(visit: Visit, kind: Kind) -> tuple[int, list[Post]]:
    sent = {"status": TRASH, "per_page": str(PER_PAGE)}
    if kind is EVENT:
        sent |= {"show_hidden": "true", **ALL_TIME}
        sent |= {"orderby": "modified", "order": "desc"}
        page, shown = visit.calendar.list_events(visit.caller, read_query(kind.filters, sent))
        return page.total, [event for event, _ in shown]
    page, found = visit.calendar.list_venues_or_organizers(visit.caller, kind, read_query(kind.filters, sent))
    return page.total, [post for post, _ in found]


def all_trashed(visit: Visit) -> list[tuple[Kind | None, int]]:
    """What the page shows; a longer trash is emptied page by page."""
    return [(kind, post.id) for kind in POSTS for post in trashed(visit, kind)[1]]


# Both only what is in the trash: a form that was open for long may name a record that was restored since.


def restore(visit: Visit, kind: Kind, id: int) -> bool:
    post = visit.calendar.read_post(visit.caller, kind, id)[0]
    if post.status != TRASH:
        return False
    reading = read_update(kind.fields, {"status": post.trashed_from or DRAFT})
    visit.calendar.update_post(visit.caller, kind, id, reading, visit.base_url)
    return True


def delete(visit: Visit, kind: Kind, id: int) -> bool:
    if visit.calendar.read_post(visit.caller, kind, id)[0].status != TRASH:
        return False
    visit.calendar.delete_post(visit.caller, kind, id, force=True)
    return True


def key(text: str) -> tuple[Kind | None, int]:
    kind, _, id = text.partition("-")
    return KINDS.get(kind), number_in(id) or 0


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
