"""Blocks that features have on pages of the core: the page of an event, the calendar with its form of filters, the
editor, and the public form for events."""

from typing import Any, NamedTuple

from kalends import hooks


class Block(NamedTuple):
    """A block of a page. Its template sees what the template of the page sees, and itself as `block`."""

    template: str
    content: Any


def blocks_of(page: object) -> list[Block]:
    """Those of a page, in the order of the features."""
    return [block for blocks in hooks.page_blocks for block in blocks(page)]
