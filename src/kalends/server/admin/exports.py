"""Export in the admin: the whole calendar as a file."""

import tempfile
from collections.abc import Iterator
from typing import Any

from kalends.calendar.access import may_manage_users
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.exporting import archive, csv_export, ics_export, json_export
from kalends.exporting.selection import Selection
from kalends.server.admin.legacy import LegacyScreen, Visit
from kalends.server.http.streams import STREAMS
from kalends.store.rows.records import Media
from kalends.values import dates


class Export(LegacyScreen):
    """The calendar as a file."""

    right = staticmethod(may_manage_users)

    def show(self, visit: Visit, **params: Any) -> None:
        selection = Selection(visit.calendar, visit.caller, {})
        form: str = params["form"]
        resp, day = visit.resp, dates.text(visit.calendar.clock())[:10]
        pieces: Iterator[bytes]
        if form == "csv":
            resp.content_type, pieces = "text/csv; charset=UTF-8", csv_export.write(selection, address_of(visit))
        elif form == "ics":
            resp.content_type, pieces = "text/calendar; charset=UTF-8", ics_export.write(selection, visit.base_url)
        elif form == "json":
            resp.content_type, pieces = "application/json", json_export.write(selection, address_of(visit))
        elif form == "zip":
            resp.content_type, pieces = "application/zip", zipped(selection)
        else:
            raise ApiError(NO_ROUTE)
        resp.set_header("Content-Disposition", f'attachment; filename="kalends-{day}.{form}"')
        STREAMS.send(visit.req, resp, pieces)


def zipped(selection: Selection) -> Iterator[bytes]:
    """The archive with the images, through a file: it may be larger than the memory."""
    with tempfile.TemporaryFile() as file:
        archive.write(selection, file)
        file.seek(0)
        while piece := file.read(1 << 16):
            yield piece


def address_of(visit: Visit) -> Any:
    addresses = visit.context.addresses

    def name(image: Media) -> str | None:
        return addresses.media(image.file)

    return name
