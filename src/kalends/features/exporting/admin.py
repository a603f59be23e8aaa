"""Export in the admin: the whole calendar as a file, and any list of its table as a file or on paper."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from markupsafe import Markup

from kalends.admin import events
from kalends.admin.event_changes import PATH
from kalends.admin.navigation import EVENTS, SETTINGS
from kalends.admin.request import LISTED, AdminRequest
from kalends.admin.screen import Screen
from kalends.calendar.access import UnitOfWork
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.contract.kinds import EVENT, Kind
from kalends.features.exporting import archive, csv_export, ics_export, json_export, listed, paper
from kalends.features.exporting.listed import ExportPeriod, ExportRequest
from kalends.features.exporting.selection import ExportSelection
from kalends.http.messages import long_responses
from kalends.http.messages.long_responses import WrittenFile, written
from kalends.languages import N_
from kalends.present.addresses import Addresses
from kalends.site.layout.frame import with_query
from kalends.site.pages.templates import render
from kalends.store.rows.records import Media
from kalends.values import dates

LIST_PATH = "/admin/events/export"
BACKWARDS = N_("The last day is before the first.")
# What a list can be made into, by the end of its address, and what its button says.
FORMS = {"print": N_("Page to print"), "csv": N_("Table (CSV)"), "ics": N_("Calendar file (iCalendar)")}


def show_export(request: AdminRequest, form: str) -> None:
    """The calendar as a file."""
    selection = ExportSelection(request.calendar, request.caller, {})
    address = partial(_address_of, request.context.addresses)
    forms: dict[str, tuple[str, Callable[[], WrittenFile]]] = {
        "csv": ("text/csv; charset=UTF-8", lambda: written(csv_export.write(selection, address))),
        "ics": ("text/calendar; charset=UTF-8", lambda: written(ics_export.write(selection, request.base_url))),
        "json": ("application/json", lambda: written(json_export.write(selection, address))),
        "zip": ("application/zip", lambda: zipped(selection)),
    }
    if form not in forms:
        raise ApiError(NO_ROUTE)
    send(request, form, *forms[form])


def send(request: AdminRequest, form: str, content_type: str, make: Callable[[], WrittenFile]) -> None:
    """A file of today."""
    request.is_answered = True
    request.resp.content_type = content_type
    day = dates.text(request.calendar.clock())[:10]
    request.resp.set_header("Content-Disposition", f'attachment; filename="kalends-{day}.{form}"')
    long_responses.send(request.req, request.resp, make().open())


def _address_of(addresses: Addresses, image: Media) -> str:
    return addresses.media(image.file)


def zipped(selection: ExportSelection) -> WrittenFile:
    """The archive with the images."""
    file = tempfile.TemporaryFile()  # noqa: SIM115
    archive.write(selection, file)
    return WrittenFile(file)


@dataclass(frozen=True, slots=True)
class ListExportPage:
    """Which days of a list are wanted, and as what."""

    template: ClassVar[str] = "features/exporting/list_export.html"
    FORMS: ClassVar[Mapping[str, str]] = FORMS

    asked: ExportRequest
    kept: Sequence[tuple[str, str]]  # the filters of the table
    path: str
    back: str


def record_blocks(
    work: UnitOfWork, request: AdminRequest, position: str, kind: Kind, ids: Sequence[int]
) -> Mapping[int, Markup]:
    """Below the table of events the way to take its list along."""
    if position != LISTED or kind is not EVENT:
        return {}
    query = [(name, value) for name, value in events.asked_here(request).items() if name != "page"]
    address = request.root_path + with_query(LIST_PATH, query)
    link = Markup(  # noqa: S704 - a template, which escapes
        render("features/exporting/list_link.html", request.language, address=address)
    )
    return dict.fromkeys(ids, link)


def show_list_export(request: AdminRequest) -> None:
    """The form that chooses the days and what the list becomes. As in the table, a search that finds nothing to come
    is one of all dates."""
    query = events.asked_in(f"?{request.req.query_string}")
    wanted = listed.asked(request, query)
    if wanted.filters.search.strip() and not query.keys() & {"first", "last", "when"}:
        wanted = wanted if listed.finds_something(request, wanted) else replace(wanted, period=ExportPeriod())
    kept = wanted.filters.query(when="", page="", size="")
    request.answer(ListExportPage(wanted, kept, request.root_path + LIST_PATH, back_of(request, wanted)))


def back_of(request: AdminRequest, wanted: ExportRequest) -> str:
    return request.root_path + with_query(PATH, wanted.filters.query())


def show_list(request: AdminRequest, form: str) -> None:
    """The list itself."""
    if form not in FORMS:
        raise ApiError(NO_ROUTE)
    wanted = listed.asked(request, events.asked_in(f"?{request.req.query_string}"))
    if wanted.is_backwards:
        request.form.refuse("last", BACKWARDS)
        show_list_export(request)
        return
    try:
        found = listed.selection(request, wanted)
        found.opened()
    except ApiError:  # an address that was typed by hand: the table without its filters
        request.go(PATH)
        return
    if form == "csv":
        address = partial(_address_of, request.context.addresses)
        send(request, form, "text/csv; charset=UTF-8", lambda: written(csv_export.write(found, address)))
    elif form == "ics":
        send(
            request, form, "text/calendar; charset=UTF-8", lambda: written(ics_export.write(found, request.base_url))
        )
    else:
        back = back_of(request, wanted)
        request.answer(
            paper.sheet(found, wanted.period, wanted.columns, request.settings, request.language, back),
            title=request.say(EVENT.plural_label),
        )


SCREENS: dict[str, Screen] = {
    "/admin/export/{form}": Screen(SETTINGS, show_export),
    LIST_PATH: Screen(EVENTS, show_list_export, title=N_("Export or print this list")),
    f"{LIST_PATH}/{{form}}": Screen(EVENTS, show_list, title=N_("Export or print this list")),
}
