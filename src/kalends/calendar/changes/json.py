"""A page of changes as JSON: the body of a response, and what a webhook sends."""

import msgspec

from kalends.calendar.changes.pages import Entry, Page

_encode = msgspec.json.encode


def page(found: Page, epoch: str) -> bytes:
    """`{"changes": […], "next": TOKEN, "more": true}`."""
    changes = b",".join([_entry(entry) for entry in found.entries])
    end = _encode({"next": found.next.token(epoch), "more": found.more})
    return b'{"changes":[%b],%b' % (changes, end[1:])


def _entry(entry: Entry) -> bytes:
    found = entry.found
    json: dict[str, object] = {
        "rev": found.rev,
        "kind": found.kind,
        "id": found.id,
        "change": found.what,
        "at": found.at,
        "slug": found.slug,
        "source": found.source,
        "external_id": found.external_id,
    }
    if entry.record is not None:
        json["record"] = msgspec.Raw(entry.record)
    if entry.because is not None:
        kind, id = entry.because
        json["because"] = {"kind": kind, "id": id}
    return _encode(json)
