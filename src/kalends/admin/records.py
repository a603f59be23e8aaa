"""Venues, organizers, categories and tags: lists with counts, forms, and two records made into one."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kalends.admin import pictures, setting_fields
from kalends.admin import records_view as view
from kalends.admin.list_pages import Narrowed
from kalends.admin.navigation import Entry
from kalends.admin.records_view import Item
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen, form_with_picture
from kalends.calendar.access import may_edit, may_edit_others
from kalends.calendar.editing.dashboard import EXISTING
from kalends.calendar.lists.counts import described as described_records
from kalends.calendar.lists.counts import every_name
from kalends.calendar.lists.counts import of_events as event_counts
from kalends.calendar.lists.pages import list_posts, list_terms
from kalends.calendar.posts import labels, merging
from kalends.calendar.posts.terms import create_counted, delete_counted, read_counted, update_counted
from kalends.calendar.single_records import create_post, delete_post, read_post, update_post
from kalends.contract.errors import FORBIDDEN, ApiError
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import CATEGORY, VENUE, Kind
from kalends.features.history import conflicts
from kalends.languages import N_
from kalends.site.forms.form import Form
from kalends.values import colours

PER_PAGE = 25
ADDED = N_("“{name}” was added.")
SAVED = N_("“{name}” was saved.")
TRASHED = N_("“{name}” is in the trash.")
DELETED = N_("“{name}” was deleted.")
MERGED = N_("Merged into “{name}”. Events that followed: {count}.")
# What a form says beside the fields of a record.
LABELS = {
    "image_alt": N_("Alternative text"),
    "image_focus": N_("Focus point"),
    "into": N_("The record that stays"),
}


def screens_of(kind: Kind, entry: Entry) -> dict[str, Screen]:
    """The screens of a kind, by their addresses."""
    shown, path = partial(show, kind=kind), entry.path
    editor = Screen(entry, shown, partial(save, kind=kind), view.TEXTS[kind.name].new, largest=form_with_picture)
    return {
        path: Screen(entry, partial(show_all, kind=kind)),
        f"{path}/new": editor,
        f"{path}/{{id:digits}}": editor,
        f"{path}/{{id:digits}}/delete": Screen(entry, act=partial(delete, kind=kind)),
        f"{path}/{{id:digits}}/merge": Screen(entry, shown, partial(merge, kind=kind)),
    }


def show_all(request: AdminRequest, kind: Kind) -> None:
    """All records of a kind, with the number of their events."""
    narrowed = request.narrowed
    if kind is CATEGORY and not any(narrowed):
        total, items = tree(request)
    else:
        total, items = (terms if kind.is_term else posts)(request, kind, narrowed)
    pages = request.pages(f"/admin/{kind.plural}", total, PER_PAGE, narrowed.query)
    request.answer(view.RecordList(kind, items, narrowed, pages))


def posts(request: AdminRequest, kind: Kind, narrowed: Narrowed) -> tuple[int, list[Item]]:
    """A page of venues or organizers."""
    unused = {"has_events": "false"} if narrowed.unused else {}
    reading = read_query(kind.filters, sent_for(request, narrowed, status=EXISTING, **unused))
    reading.values["orderby"] = "title"  # the interface has no parameter for it
    page, shown = request.calendar.read(request.caller, list_posts, kind, reading)
    counts = request.calendar.read(request.caller, event_counts, kind, [post.id for post, _ in shown])
    return page.total, [view.item(kind, post, counts.get(post.id, 0)) for post, _ in shown]


def terms(request: AdminRequest, kind: Kind, narrowed: Narrowed) -> tuple[int, list[Item]]:
    """A page of categories or tags."""
    order = {"orderby": "count", "order": "asc"} if narrowed.unused else {}
    reading = read_query(kind.filters, sent_for(request, narrowed, hide_empty="false", **order))
    page, counted = request.calendar.read(request.caller, list_terms, kind, reading)
    items = [view.item(kind, term, count) for term, count in counted if not narrowed.unused or not count]
    # Those without events come first: where the page has another one, they are over.
    return page.total if len(items) == PER_PAGE else (request.page_number - 1) * PER_PAGE + len(items), items


def sent_for(request: AdminRequest, narrowed: Narrowed, **more: str) -> dict[str, str]:
    """The parameters of the interface for a page of a list."""
    sent = {"page": str(request.page_number), "per_page": str(PER_PAGE)} | more
    return sent | ({"search": narrowed.search} if narrowed.search else {})


def tree(request: AdminRequest) -> tuple[int, list[Item]]:
    """Categories as a tree, all on one page."""
    found = request.calendar.read(request.caller, labels.category_tree)
    counts = request.calendar.read(request.caller, event_counts, CATEGORY, [branch.term.id for branch in found])
    return len(found), [view.branch(branch, counts.get(branch.term.id, 0)) for branch in found]


def show(request: AdminRequest, kind: Kind, id: int | None = None) -> None:
    """The form of a record: new, or stored."""
    record = None if id is None else read(request, kind, id)
    others = others_than(request, kind, id) if id is not None or kind is CATEGORY else []
    shown = view.shown(kind, record) if record is not None else suggested(request, kind, len(others))
    choices = choices_of(request, shown, others) if conflicts.is_in(request.form) else {}
    page = view.RecordPage(
        kind=kind,
        id=id,
        shown=shown,
        picture=None if kind.is_term else pictures.chosen(request, shown.get("image", "")),
        others=others,
        may_merge=may_edit_others(request.caller),
        targets=merge_targets(request, kind, id) if id is not None and may_edit_others(request.caller) else [],
        count=request.calendar.read(request.caller, event_counts, kind, [id]).get(id, 0) if id is not None else 0,
        edited=conflicts.edited(
            request.form,
            view.controls(kind, choices, request.language),
            shown,
            version="" if record is None else None,
            **{name: request.say(label) for name, label in LABELS.items()},
        ),
    )
    request.answer(page, title=record.name if record is not None else "")


def read(request: AdminRequest, kind: Kind, id: int) -> Any:
    """A record that the person may edit."""
    if kind.is_term:
        return request.calendar.read(request.caller, read_counted, kind, id)[0]
    post = read_post(request.calendar, request.caller, kind, id)[0]
    if not may_edit(request.caller, post):
        raise ApiError(FORBIDDEN)
    return post


def others_than(request: AdminRequest, kind: Kind, id: int | None) -> list[tuple[int, str]]:
    """The records that this one can be merged into, or stand below."""
    calendar = request.calendar
    found = (
        calendar.read(request.caller, labels.category_choices)
        if kind is CATEGORY
        else calendar.read(request.caller, every_name, kind)
    )
    return [(other, name) for other, name in found if other != id]


def merge_targets(request: AdminRequest, kind: Kind, id: int) -> list[tuple[int, str]]:
    """The records that this one can be merged into, each with its address and the number of its events: names alone
    may be the same."""
    found = request.calendar.read(request.caller, described_records, kind)
    return [(one.id, view.described(one, request.language)) for one in found if one.id != id]


def suggested(request: AdminRequest, kind: Kind, others: int) -> dict[str, str]:
    """What the form of a new record begins with."""
    if kind is VENUE:
        return {"country": setting_fields.country_name(request.settings.country, request.settings.language)}
    return {"color": colours.of_number(others)} if kind is CATEGORY else {}  # a browser has no empty colour


def choices_of(
    request: AdminRequest, shown: Mapping[str, str], others: list[tuple[int, str]]
) -> dict[str, Mapping[str, str]]:
    """The names of what is stored and of what was chosen, for two people to compare."""
    named = pictures.names(request, [shown.get("image", ""), request.form.text("image")])
    return {
        "parent": {"0": request.say(view.TOP_LEVEL)} | {str(one): name for one, name in others},
        "image": {"": "", **named},
    }


def save(request: AdminRequest, form: Form, kind: Kind, id: int | None = None) -> None:
    sent = view.sent_by(kind, form.values)
    if not kind.is_term:
        sent |= pictures.sent_with(request, form)
    if form.errors:
        form.check(kind.fields, sent, create=id is None)
        return
    saved = None
    with conflicts.noticed(request, form, kind.name, id or 0):
        saved = form.submit(kind.fields, writer(request, form, kind, id), create=id is None, sent=sent)
    if saved is None:
        return
    if not kind.is_term:
        pictures.describe(request, form, saved.image)
    request.go(f"/admin/{kind.plural}", ADDED if id is None else SAVED, name=saved.name)


def writer(request: AdminRequest, form: Form, kind: Kind, id: int | None) -> Callable[[Reading], Any]:
    """What stores the fields of a record."""
    calendar, caller, base_url = request.calendar, request.caller, request.base_url
    unchanged: Callable[[Any], None] = conflicts.unchanged(form, lambda found: view.shown(kind, found[0]))
    if id is None and kind.is_term:
        return lambda reading: calendar.write(caller, create_counted, kind, reading)[0]
    if id is None:
        return lambda reading: create_post(calendar, caller, kind, reading, base_url)[0]
    if kind.is_term:
        return lambda reading: calendar.write(caller, update_counted, kind, id, reading, unchanged)[0]
    return lambda reading: update_post(calendar, caller, kind, id, reading, base_url, unchanged)[0]


def delete(request: AdminRequest, form: Form, kind: Kind, id: int) -> None:
    """A venue or organizer goes to the trash; a category or tag is deleted."""
    if kind.is_term:
        name = request.calendar.write(request.caller, delete_counted, kind, id)[0].name
    else:
        name = request.calendar.write(request.caller, delete_post, kind, id, force=False)[0].name
    request.go(f"/admin/{kind.plural}", DELETED if kind.is_term else TRASHED, name=name)


def merge(request: AdminRequest, form: Form, kind: Kind, id: int) -> None:
    """Makes one record of two. The form is a part of the page of the record."""
    into = next(iter(form.numbers("into")), None)
    if into is None:
        form.refuse("into", N_("Choose the record that stays."))
        return
    with form.refusals():
        count = merging.merge_in_parts(request.calendar, request.caller, kind, id, into)
        name = read(request, kind, into).name
        request.go(f"/admin/{kind.plural}/{into}", MERGED, name=name, count=count)
