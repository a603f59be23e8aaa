"""Good files of every format that is imported, and ways to damage them."""

import io
import json
import random
import zipfile
from collections.abc import Iterator

from tests.features.importing import calendars, wxr_files

from kalends.features.exporting import archive
from kalends.features.importing.sources import csv_header

# What formats have rules about, whichever they are.
ODD = (
    *(b"\0", b"\r", b"\n", b'"', b"'", b"\\", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x1b", b"PK\x03\x04"),
    *(b"<", b">", b"&", b"]]>", b"&#0;", b"&#x110000;", b"<!DOCTYPE a>", b"<a>" * 60),
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b";",
        b":",
        b"=",
        b"/",
        b"-1",
        b"1e999",
        b"null",
        b"true",
        b"9" * 25,
        b"[" * 3000,
    ),
    *(b"BEGIN:VEVENT\r\n", b"END:VEVENT\r\n", b"RRULE:FREQ=DAILY\r\n"),
)


def damaged(good: bytes, number: int, seed: int) -> Iterator[bytes]:
    """So many damaged copies of a file: bytes flipped, cut, repeated, and put in that mean something to a parser."""
    dice = random.Random(seed)
    for _ in range(number):
        found = bytearray(good)
        for _ in range(dice.choice((1, 1, 1, 2, 5))):
            _damage(found, dice)
        yield bytes(found)


def _damage(found: bytearray, dice: random.Random) -> None:
    start = dice.randrange(len(found) + 1)
    end = min(len(found), start + dice.choice((1, 1, 3, 20, 300)))
    match dice.randrange(6):
        case 0 if start < len(found):
            found[start] ^= 1 << dice.randrange(8)
        case 1 if start < len(found):
            found[start] = dice.randrange(256)
        case 2:
            del found[start:]
        case 3:
            del found[start:end]
        case 4:
            found[start:start] = found[start:end] * dice.choice((1, 2, 50))
        case _:
            found[start:start] = dice.choice(ODD)


def good_files() -> dict[str, bytes]:
    """A file of each format, by its name."""
    document = _document()
    return {
        "table.csv": csv_header.TEMPLATE.encode(),
        "wide.csv": csv_header.TEMPLATE.encode("utf-16"),
        "google.ics": calendars.crlf(calendars.GOOGLE),
        "outlook.ics": calendars.crlf(calendars.OUTLOOK),
        "apple.ics": calendars.crlf(calendars.APPLE),
        "site.xml": _site(),
        "calendar.json": document,
        "formatted.json": json.dumps(json.loads(document), indent=1).encode(),
        "calendar.zip": zipped(document),
    }


def zipped(document: bytes, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive as an export writes it."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as written:
        written.writestr(archive.DOCUMENT, document)
        written.writestr(f"{archive.IMAGES}poster.png", b"\x89PNG")
    return target.getvalue()


def _site() -> bytes:
    items = wxr_files.item(7, "tribe_venue", "Hall", _VenueCity="Lyon")
    items += wxr_files.event(8, "Fair", "2027-05-01 10:00:00", "<p>All day</p>", _EventVenueID="7", _EventCost="5")
    return (wxr_files.HEAD + wxr_files.TERMS + items + wxr_files.FOOT).encode()


def _document() -> bytes:
    times = {"start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 12:00:00", "timezone": "Europe/Paris"}
    records = [
        {"kind": "category", "id": "town/1", "parent": None, "name": "Music", "slug": "music", "description": ""},
        {"kind": "venue", "id": "town/2", "author": "ada", "venue": "Hall", "geo_lat": 45.7, "geo_lng": 4.8},
        {"kind": "event", "id": "town/3", "title": "Fair", **times, "image": "media/poster.png", "venue": ["town/2"]},
        {"kind": "event", "id": "town/4", "title": "Choir", **times, "categories": ["town/1"], "cost": "5 €"}
        | {"recurrence": "RRULE:FREQ=WEEKLY;COUNT=3", "original_start": "2027-05-01 10:00:00"},
        {"kind": "event", "id": "town/5", "title": "Choir", **times, "occurrence_of": "town/4"}
        | {"original_start": "2027-05-08 10:00:00", "password": {"salt": "00", "digest": "00"}},
        {"kind": "redirect", "of": "event", "slug": "old-fair", "to": "town/3"},
    ]
    lines = ",\n".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in records)
    return f'{{"format":"kalends","version":1,"records":[\n{lines}\n],"count":{len(records)}}}\n'.encode()
