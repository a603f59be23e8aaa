"""Blocks that features have on pages of the core: the page of an event, those of other records, the calendar with its
form of filters, the editor, and the public form for events."""

from typing import Any, NamedTuple

from kalends import hooks
from kalends.calendar.access import UnitOfWork

# Where the template of the page has room for blocks, and at the end of a public page, for programs that read it.
INSIDE, END = "inside", "end"


class Block(NamedTuple):
    """A block of a page. Its template sees what the template of the page sees, and itself as `block`."""

    template: str
    content: Any
    place: str = INSIDE


def blocks_of(work: UnitOfWork, page: object) -> list[Block]:
    """Those of a page, in the order of the features, in the transaction in which the page was read."""
    return [block for blocks in hooks.page_blocks for block in blocks(work, page)]
