"""Venues, organizers, categories and tags: lists with counts, forms, and two records made into one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.calendar.access import may_edit, may_edit_others
from kalends.calendar.editing.overview import EXISTING
from kalends.contract.errors import FORBIDDEN, ApiError
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import CATEGORY, ORGANIZER, TAG, VENUE, Kind
from kalends.languages import N_
from kalends.pages.admin import conflict, record_forms, setting_fields
from kalends.pages.admin.conflict import Difference
from kalends.pages.admin.navigation import may_edit_all
from kalends.pages.layout import Pairs
from kalends.server.admin import conflicts, pictures
from kalends.server.admin.legacy import AdminRequest, FormScreen, FormWithPicture, LegacyScreen
from kalends.server.forms import Form
from kalends.values import colours

PER_PAGE = 25
ADDED = N_("“{name}” was added.")
SAVED = N_("“{name}” was saved.")
TRASHED = N_("“{name}” is in the trash.")
DELETED = N_("“{name}” was deleted.")
MERGED = N_("Merged into “{name}”. Events that followed: {count}.")


@dataclass(frozen=True, slots=True)
class Item:
    """A row of a list."""

    id: int
    name: str
    detail: str
    count: int
    depth: int = 0
    color: str = ""  # of a category


class RecordList(LegacyScreen):
    """All records of a kind, with the number of their events."""

    kind: ClassVar[Kind]

    def show(self, visit: AdminRequest, **params: Any) -> None:
        number = visit.page_number
        search, unused = visit.param("search")[:200], visit.param("unused")
        total, items = self.items(visit, search, number, unused=bool(unused))
        query: Pairs = [(name, value) for name, value in (("search", search), ("unused", unused)) if value]
        path = f"/admin/{self.kind.plural}"
        visit.render(
            "admin/records.html",
            kind=self.kind,
            texts=record_forms.TEXTS[self.kind.name],
            items=items,
            total=total,
            search=search,
            unused=unused,
            number=number,
            count=max(1, -(-total // PER_PAGE)),
            page_at=lambda other: visit.frame.at(path, [*query, ("page", str(other))]),
        )

    def items(self, visit: AdminRequest, search: str, number: int, *, unused: bool) -> tuple[int, list[Item]]:
        raise NotImplementedError


class PostList(RecordList):
    """Venues or organizers."""

    def items(self, visit: AdminRequest, search: str, number: int, *, unused: bool) -> tuple[int, list[Item]]:
        sent = {"page": str(number), "per_page": str(PER_PAGE), "status": EXISTING}
        sent |= {"search": search} if search else {}
        sent |= {"has_events": "false"} if unused else {}
        reading = read_query(self.kind.filters, sent)
        reading.values["orderby"] = "title"  # the interface has no parameter for it
        page, shown = visit.calendar.list_venues_or_organizers(visit.caller, self.kind, reading)
        counts = visit.calendar.event_counts(visit.caller, self.kind, [post.id for post, _ in shown])
        details = record_forms.DETAIL[self.kind.name]
        return page.total, [
            Item(post.id, post.name, str(getattr(post, details, "")), counts.get(post.id, 0)) for post, _ in shown
        ]


class Venues(PostList):
    entry = "venues"
    title = N_("Venues")
    right = staticmethod(may_edit_all(VENUE))
    kind = VENUE


class Organizers(PostList):
    entry = "organizers"
    title = N_("Organizers")
    right = staticmethod(may_edit_all(ORGANIZER))
    kind = ORGANIZER


class TermList(RecordList):
    """Tags, page by page."""

    def items(self, visit: AdminRequest, search: str, number: int, *, unused: bool) -> tuple[int, list[Item]]:
        sent = {"page": str(number), "per_page": str(PER_PAGE), "hide_empty": "false"}
        sent |= {"search": search} if search else {}
        if unused:
            sent |= {"orderby": "count", "order": "asc"}
        page, counted = visit.calendar.list_terms(visit.caller, self.kind, read_query(self.kind.filters, sent))
        found = [Item(term.id, term.name, term.slug, count) for term, count in counted if not unused or not count]
        # Those without events come first: where the page has another one, they are over.
        return page.total if len(found) == PER_PAGE else (number - 1) * PER_PAGE + len(found), found


class Tags(TermList):
    entry = "tags"
    title = N_("Tags")
    right = staticmethod(may_edit_all(TAG))
    kind = TAG


class Categories(TermList):
    """Categories as a tree, all on one page."""

    entry = "categories"
    title = N_("Categories")
    right = staticmethod(may_edit_all(CATEGORY))
    kind = CATEGORY

    def items(self, visit: AdminRequest, search: str, number: int, *, unused: bool) -> tuple[int, list[Item]]:
        if search or unused:
            return super().items(visit, search, number, unused=unused)
        tree = visit.calendar.category_tree(visit.caller)
        counts = visit.calendar.event_counts(visit.caller, CATEGORY, [branch.term.id for branch in tree])
        items = [
            Item(
                branch.term.id,
                branch.term.name,
                branch.term.slug,
                counts.get(branch.term.id, 0),
                branch.depth,
                branch.term.color or colours.of_number(branch.term.id),
            )
            for branch in tree
        ]
        return len(items), items


class RecordEditor(FormWithPicture):
    """The form of a record: new, or stored."""

    kind: ClassVar[Kind]

    def show(self, visit: AdminRequest, **params: Any) -> None:
        self.render(visit, params.get("id"), None)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        id: int | None = params.get("id")
        sent = record_forms.sent_by(self.kind, form.values)
        if not self.kind.is_term:
            pictures.check_description(form)
            if (image := pictures.uploaded(visit, form)) is not None:
                sent["image"] = image
                form.values["image"] = [str(image)]  # it stays chosen when something else is refused
        if form.text("do") == "remove_picture":
            sent["image"] = ""
        if form.errors:
            form.check(self.kind.fields, sent, create=id is None)
        if form.errors or (saved := self.save(visit, form, id, sent)) is None:
            self.render(visit, id, form)
            return
        if not self.kind.is_term:
            pictures.describe(visit, form, saved.image)
        path = f"/admin/{self.kind.plural}"
        visit.go(path, ADDED if id is None else SAVED, name=saved.name)

    def save(self, visit: AdminRequest, form: Form, id: int | None, sent: Mapping[str, object]) -> Any:
        calendar, caller, kind = visit.calendar, visit.caller, self.kind
        unchanged: Callable[[Any], None] = conflicts.unchanged(form, lambda found: self.version(found[0]))

        def write(reading: Reading) -> Any:
            if id is None:
                if kind.is_term:
                    return calendar.create_term(caller, kind, reading)[0]
                return calendar.create_post(caller, kind, reading, visit.base_url)[0]
            if kind.is_term:
                return calendar.update_term(caller, kind, id, reading, unchanged)[0]
            return calendar.update_post(caller, kind, id, reading, visit.base_url, unchanged)[0]

        saved = None
        with conflicts.noticed(visit, form, kind.name, id or 0):
            saved = form.submit(kind.fields, write, create=id is None, sent=sent)
        return saved

    def version(self, record: Any) -> str:
        """What the form shows of a record, as one word."""
        return conflicts.version_of(record_forms.shown(self.kind, record))

    def differences(
        self, visit: AdminRequest, id: int | None, form: Form, shown: Mapping[str, str]
    ) -> Sequence[Difference]:
        parents = {"0": visit.say(record_forms.TOP_LEVEL)} | {str(one): name for one, name in self.others(visit, id)}
        named = {"": "", **pictures.names(visit, [shown.get("image", ""), form.text("image")])}
        controls = record_forms.compared(self.kind, parents, named, visit.language)
        return conflict.of_controls(controls, shown, form.values, visit.language)

    def render(self, visit: AdminRequest, id: int | None, form: Form | None) -> None:
        record = self.read(visit, id)
        shown = record_forms.shown(self.kind, record)
        if self.kind is VENUE and record is None:
            shown["country"] = setting_fields.country_name(visit.settings.country, visit.settings.language)
        if self.kind is CATEGORY and record is None:  # a browser has no empty colour
            shown["color"] = colours.of_number(len(self.others(visit, None)))
        image = (form.text("image") if form else "") or shown.get("image", "")
        visit.render(
            "admin/record.html",
            status=conflicts.status_of(form),
            title=record.name if record is not None else visit.say(record_forms.TEXTS[self.kind.name].new),
            form=form,
            version=self.version(record) if record is not None else "",
            conflict=self.differences(visit, id, form, shown) if form and conflicts.is_in(form) else None,
            kind=self.kind,
            id=id,
            shown=shown,
            fields=record_forms.FIELDS[self.kind.name],
            labels={**record_forms.labels(self.kind, visit.language), "into": visit.say(N_("The record that stays"))},
            top_level=record_forms.TOP_LEVEL,
            picture=pictures.read(visit, image) if not self.kind.is_term else None,
            count=visit.calendar.event_counts(visit.caller, self.kind, [id]).get(id, 0) if id is not None else 0,
            may_merge=id is not None and may_edit_others(visit.caller),
            others=self.others(visit, id) if id is not None or self.kind is CATEGORY else [],
        )

    def read(self, visit: AdminRequest, id: int | None) -> Any:
        if id is None:
            return None
        if self.kind.is_term:
            return visit.calendar.read_term(visit.caller, self.kind, id)[0]
        post = visit.calendar.read_post(visit.caller, self.kind, id)[0]
        if not may_edit(visit.caller, post):
            raise ApiError(FORBIDDEN)
        return post

    def others(self, visit: AdminRequest, id: int | None) -> list[tuple[int, str]]:
        """The records that this one can be merged into, or stand below."""
        if self.kind is CATEGORY:
            found: Sequence[tuple[int, str]] = visit.calendar.category_choices(visit.caller)
        else:
            found = visit.calendar.every_name(visit.caller, self.kind)
        return [(other, name) for other, name in found if other != id]


class VenueEditor(RecordEditor):
    entry, title, right, kind = "venues", N_("New venue"), staticmethod(may_edit_all(VENUE)), VENUE


class OrganizerEditor(RecordEditor):
    entry, title, right, kind = "organizers", N_("New organizer"), staticmethod(may_edit_all(ORGANIZER)), ORGANIZER


class CategoryEditor(RecordEditor):
    entry, title, right, kind = "categories", N_("New category"), staticmethod(may_edit_all(CATEGORY)), CATEGORY


class TagEditor(RecordEditor):
    entry, title, right, kind = "tags", N_("New tag"), staticmethod(may_edit_all(TAG)), TAG


class DeleteRecord(FormScreen):
    """A venue or organizer goes to the trash; a category or tag is deleted."""

    kind: ClassVar[Kind]

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        if self.kind.is_term:
            name = visit.calendar.delete_term(visit.caller, self.kind, params["id"])[0].name
        else:
            name = visit.calendar.delete_post(visit.caller, self.kind, params["id"], force=False)[0].name
        visit.go(f"/admin/{self.kind.plural}", DELETED if self.kind.is_term else TRASHED, name=name)


class MergeRecord(RecordEditor):
    """Makes one record of two. The form is a part of the page of the record."""

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        id, into = params["id"], next(iter(form.numbers("into")), None)
        if into is None:
            form.refuse("into", N_("Choose the record that stays."))
        else:
            try:
                count = visit.calendar.merge(visit.caller, self.kind, id, into)
            except ApiError as error:
                form.take(error)
            else:
                path = f"/admin/{self.kind.plural}/{into}"
                visit.go(path, MERGED, name=self.read(visit, into).name, count=count)
                return
        self.render(visit, id, form)


def screens_of(
    kind: Kind, list_screen: type[LegacyScreen], editor: type[RecordEditor]
) -> dict[str, type[LegacyScreen]]:
    """The addresses of a kind."""
    shared = {"kind": kind, "entry": editor.entry, "right": staticmethod(editor.right)}
    path = f"/admin/{kind.plural}"
    return {
        path: list_screen,
        f"{path}/new": editor,
        f"{path}/{{id:digits}}": editor,
        f"{path}/{{id:digits}}/delete": type(f"Delete{kind.name.title()}", (DeleteRecord,), shared),
        f"{path}/{{id:digits}}/merge": type(f"Merge{kind.name.title()}", (MergeRecord,), shared),
    }


SCREENS = (
    screens_of(VENUE, Venues, VenueEditor)
    | screens_of(ORGANIZER, Organizers, OrganizerEditor)
    | screens_of(CATEGORY, Categories, CategoryEditor)
    | screens_of(TAG, Tags, TagEditor)
)
