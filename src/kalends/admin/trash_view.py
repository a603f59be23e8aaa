"""The trash as rows to show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin.list_pages import Pages
from kalends.admin.record_names import NAMES
from kalends.contract.kinds import Kind
from kalends.site import times
from kalends.store.rows.records import Event, Post


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
