"""A public page as an object: what its template shows are its attributes."""

from dataclasses import dataclass, field
from typing import ClassVar, Self

from kalends.calendar.access import UnitOfWork
from kalends.site.layout.frame import Frame
from kalends.site.layout.head_metadata import Head
from kalends.site.pages.page_blocks import END, INSIDE, Block, blocks_of
from kalends.site.pages.templates import render


@dataclass(frozen=True)
class PublicPage:
    """What layout.html needs of every page. A page is a subclass, and its template calls it `page`."""

    template: ClassVar[str]
    frame: Frame
    all_blocks: list[Block] = field(init=False, default_factory=list)  # what features have on it

    def with_blocks(self, work: UnitOfWork) -> Self:
        """The page with what features have on it, in the transaction in which it was read."""
        self.all_blocks.extend(blocks_of(work, self))
        return self

    @property
    def head(self) -> Head | None:
        """Its metadata, where there is something to find or to share."""
        return None

    @property
    def map_host(self) -> str:
        """Where the tiles of its maps come from; empty without a map."""
        return ""

    @property
    def blocks(self) -> list[Block]:
        """What features have on it, where its template has room for them."""
        return [block for block in self.all_blocks if block.place == INSIDE]

    @property
    def ending(self) -> list[Block]:
        """What features have at its end."""
        return [block for block in self.all_blocks if block.place == END]

    def html(self) -> bytes:
        return render(self.template, self.frame.language, page=self, frame=self.frame).encode()


@dataclass(frozen=True)
class ErrorPage(PublicPage):
    """An error that people see in a browser. Status 0 is the page that is kept for reading offline."""

    template: ClassVar[str] = "site/pages/error.html"
    status: int
    seconds: object = 0  # to wait
    is_selection: bool = False  # a filter of the address has an unknown value
    sentence: str = ""  # why, where the status does not say enough


@dataclass(frozen=True, slots=True)
class Paging:
    """Links to the pages of a list before and after this one. `query`: what their addresses have besides a number."""

    frame: Frame
    number: int
    pages: int
    query: tuple[tuple[str, str], ...] = ()

    @property
    def before_href(self) -> str:
        return self._at(self.number - 1) if self.number > 1 else ""

    @property
    def after_href(self) -> str:
        return self._at(self.number + 1) if self.number < self.pages else ""

    def _at(self, number: int) -> str:
        return self.frame.at(self.frame.path, [*self.query, *numbered(number)])


def numbered(page: int) -> list[tuple[str, str]]:
    """The number of a page in its address; the first has none."""
    return [("page", str(page))] if page > 1 else []
