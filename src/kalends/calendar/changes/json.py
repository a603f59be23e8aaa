"""A page of changes as JSON: the body of a response, and what a webhook sends."""

import msgspec

from kalends.calendar.changes.pages import Entry, Page

_encode = msgspec.json.encode


def page(found: Page, epoch: str) -> bytes:
    """`{"changes": […], "next": TOKEN, "more": true}`."""
    pieces: list[bytes] = []
    before = b'{"changes":['
    for entry in found.entries:
        encoded = _encode(_entry(entry))
        if entry.record is None:
            pieces += before, encoded
        else:  # as it is: a copy of each record would take longer than all the rest
            pieces += before, encoded[:-1], b',"record":', entry.record, b"}"
        before = b","
    if not found.entries:
        pieces.append(before)
    end = _encode({"next": found.next.token(epoch), "more": found.more})
    pieces += b"],", end[1:]
    return b"".join(pieces)


def _entry(entry: Entry) -> dict[str, object]:
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
    if entry.because is not None:
        kind, id = entry.because
        json["because"] = {"kind": kind, "id": id}
    return json
