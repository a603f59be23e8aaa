"""A page of changes as JSON: the body of a response, and what a webhook sends."""

import msgspec

from kalends.features.changes.pages import ChangePage


def page(found: ChangePage, epoch: str) -> bytes:
    """`{"changes": […], "next": TOKEN, "more": true}`. Records are copied once, as they are."""
    return msgspec.json.encode({"changes": found.entries, "next": found.next.token(epoch), "more": found.more})
