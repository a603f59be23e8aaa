"""The lists of what events are linked to, with the number of their events."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.admin.list_pages import Narrowed, Pages
from kalends.admin.request import AdminRequest
from kalends.calendar.access import may_merge
from kalends.calendar.editing.dashboard import EXISTING
from kalends.calendar.lists.counts import of_events as event_counts
from kalends.calendar.lists.pages import list_posts, list_terms
from kalends.calendar.posts import labels
from kalends.calendar.posts.labels import Branch
from kalends.contract.fields import read_query
from kalends.contract.kinds import CATEGORY, VENUE, Kind
from kalends.languages import N_
from kalends.values import colours

PER_PAGE = 25


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A row of a list."""

    record: Any
    count: int  # of its events
    detail: str
    depth: int = 0
    color: str = ""  # of a category


@dataclass(frozen=True, slots=True)
class RecordList:
    template: ClassVar[str] = "admin/records/records.html"

    kind: Kind
    items: Sequence[RecordRow]
    narrowed: Narrowed
    pages: Pages
    may_merge: bool

    @property
    def detail(self) -> str:
        """The head of the second column."""
        if self.kind is VENUE:
            return N_("Where")
        return N_("Address") if self.kind.detail == "slug" else self.kind.field(self.kind.detail).label


def show_records(request: AdminRequest, kind: Kind) -> None:
    """All records of a kind, with the number of their events."""
    narrowed = request.narrowed
    if kind is CATEGORY and not any(narrowed):
        total, items = tree(request)
    else:
        total, items = (terms if kind.is_term else posts)(request, kind, narrowed)
    pages = request.pages(f"/admin/{kind.plural}", total, PER_PAGE, narrowed.query)
    request.answer(RecordList(kind, items, narrowed, pages, may_merge(request.caller) and len(items) > 1))


def posts(request: AdminRequest, kind: Kind, narrowed: Narrowed) -> tuple[int, list[RecordRow]]:
    """A page of posts."""
    unused = {"has_events": "false"} if narrowed.unused else {}
    reading = read_query(kind.filters, sent_for(request, narrowed, status=EXISTING, **unused))
    reading.values["orderby"] = "title"  # the interface has no parameter for it
    page, shown = request.calendar.read(request.caller, list_posts, kind, reading)
    counts = request.calendar.read(request.caller, event_counts, kind, [post.id for post, _ in shown])
    return page.total, [item(kind, post, counts.get(post.id, 0)) for post, _ in shown]


def terms(request: AdminRequest, kind: Kind, narrowed: Narrowed) -> tuple[int, list[RecordRow]]:
    """A page of terms."""
    order = {"orderby": "count", "order": "asc"} if narrowed.unused else {}
    reading = read_query(kind.filters, sent_for(request, narrowed, hide_empty="false", **order))
    page, counted = request.calendar.read(request.caller, list_terms, kind, reading)
    items = [item(kind, term, count) for term, count in counted if not narrowed.unused or not count]
    # Those without events come first: where the page has another one, they are over.
    return page.total if len(items) == PER_PAGE else (request.page_number - 1) * PER_PAGE + len(items), items


def sent_for(request: AdminRequest, narrowed: Narrowed, **more: str) -> dict[str, str]:
    """The parameters of the interface for a page of a list."""
    sent = {"page": str(request.page_number), "per_page": str(PER_PAGE)} | more
    return sent | ({"search": narrowed.search} if narrowed.search else {})


def tree(request: AdminRequest) -> tuple[int, list[RecordRow]]:
    """Categories as a tree, all on one page."""
    found = request.calendar.read(request.caller, labels.category_tree)
    counts = request.calendar.read(request.caller, event_counts, CATEGORY, [branch.term.id for branch in found])
    return len(found), [item_of_branch(branch, counts.get(branch.term.id, 0)) for branch in found]


def item(kind: Kind, record: Any, count: int) -> RecordRow:
    if kind is VENUE:
        return RecordRow(record, count, record.place)
    return RecordRow(record, count, str(getattr(record, kind.field(kind.detail).stored)))


def item_of_branch(found: Branch, count: int) -> RecordRow:
    """A category in the tree of all."""
    return RecordRow(
        found.term, count, found.term.slug, found.depth, found.term.color or colours.of_number(found.term.id)
    )
