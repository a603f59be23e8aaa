"""Export in the admin: the whole calendar as a file."""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial

from kalends.admin.navigation import SETTINGS
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.features.exporting import archive, csv_export, ics_export, json_export
from kalends.features.exporting.selection import Selection
from kalends.http.messages.responses import begun
from kalends.present.addresses import Addresses
from kalends.store.rows.records import Media
from kalends.values import dates


def show_export(request: AdminRequest, form: str) -> None:
    """The calendar as a file."""
    selection = Selection(request.calendar, request.caller, {})
    address = partial(_address_of, request.context.addresses)
    written: dict[str, tuple[str, Callable[[], Iterator[bytes]]]] = {
        "csv": ("text/csv; charset=UTF-8", lambda: csv_export.write(selection, address)),
        "ics": ("text/calendar; charset=UTF-8", lambda: ics_export.write(selection, request.base_url)),
        "json": ("application/json", lambda: json_export.write(selection, address)),
        "zip": ("application/zip", lambda: zipped(selection)),
    }
    if form not in written:
        raise ApiError(NO_ROUTE)
    request.resp.content_type, pieces = written[form]
    day = dates.text(request.calendar.clock())[:10]
    request.resp.set_header("Content-Disposition", f'attachment; filename="kalends-{day}.{form}"')
    request.resp.stream = begun(request.req, pieces())


def _address_of(addresses: Addresses, image: Media) -> str:
    return addresses.media(image.file)


def zipped(selection: Selection) -> Iterator[bytes]:
    """The archive with the images, through a file: it may be larger than the memory."""
    with tempfile.TemporaryFile() as file:
        archive.write(selection, file)
        file.seek(0)
        while piece := file.read(1 << 16):
            yield piece


SCREENS: dict[str, Screen] = {
    "/admin/export/{form}": Screen(SETTINGS, show_export),
}
