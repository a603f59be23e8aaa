"""Blocks that features have on pages of the core: the page of an event, the calendar with its form of filters, the
editor, and the public form for events."""

from typing import Any, NamedTuple

from kalends import hooks

# Where the template of the page has room for blocks, and at the end of every public page, for programs that read it.
INSIDE, END = "inside", "end"


class Block(NamedTuple):
    """A block of a page. Its template sees what the template of the page sees, and itself as `block`."""

    template: str
    content: Any
    place: str = INSIDE


def blocks_of(page: object, place: str = INSIDE) -> list[Block]:
    """Those of a page at a place, in the order of the features."""
    return [block for blocks in hooks.page_blocks for block in blocks(page) if block.place == place]
