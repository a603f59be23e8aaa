"""The table of events: tabs by status, filters, pages, and one action for several events, with undo."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from kalends.admin import event_table
from kalends.admin.event_changes import ACTIONS, PATH, back_to, undo_of
from kalends.admin.event_table_filters import TableFilters
from kalends.admin.list_pages import Pages
from kalends.admin.outcomes import in_words
from kalends.admin.request import LAST_PAGE, AdminRequest
from kalends.calendar.access import may_edit_others, visibility_of
from kalends.calendar.accounts import users
from kalends.calendar.editing import bulk
from kalends.calendar.editing.bulk import Chosen
from kalends.calendar.lists import filter_choices, series_rows
from kalends.calendar.lists.counts import by_status as status_counts
from kalends.calendar.posts import labels
from kalends.contract.errors import ApiError
from kalends.contract.event_filters import EVENT_FILTERS
from kalends.contract.fields import Reading, read_query
from kalends.languages import N_
from kalends.site.forms.event_form import PICKED
from kalends.site.forms.form import GENERAL, Form, number_in
from kalends.values import dates

PER_PAGE = 25
COUNT_TO = 500  # what is searched for, or has an author, is counted event by event


def show(request: AdminRequest) -> None:
    """All events that a person can edit. After a refused action, the page of the table that it came from."""
    here = f"{PATH}?{request.req.query_string}"
    asked = asked_in(back_to(request.form.text("back")) if request.form.values else here)
    try:
        page = page_of(request, TableFilters.read(asked), min(number_in(asked.get("page", "")) or 1, LAST_PAGE))
    except ApiError:  # an address that was typed by hand: the table without its filters
        request.go(PATH)
    else:
        request.answer(page)


def asked_in(address: str) -> dict[str, str]:
    """The parameters in an address of the table."""
    return dict(parse_qsl(urlsplit(address).query))


def page_of(request: AdminRequest, filters: TableFilters, number: int) -> event_table.EventsPage:
    calendar, caller, language = request.calendar, request.caller, request.language
    counts = counts_of(request, filters)
    sent = filters.sent(caller, request.now) | {"page": str(number), "per_page": str(PER_PAGE)}
    found, rows = calendar.read(
        caller,
        series_rows.find_rows,
        read_query(EVENT_FILTERS, sent),
        standing_for(request, filters),
        COUNT_TO if counts is None else 0,
        each_date=filters.shows_each_date,
    )
    total = found.total if found.is_exact else found.total - 1
    total = total if counts is None else counts.get(filters.status, total)
    more = "" if found.is_exact or counts is not None else "+"
    visibility, now = visibility_of(caller), dates.text(calendar.clock())
    choices = calendar.read(caller, filter_choices.choices, wanted=PICKED)
    return event_table.EventsPage(
        rows=[event_table.row_of(row, visibility, language, now) for row in rows],
        filters=filters,
        counts=counts,
        pages=Pages(request.root_path + PATH, number, total, PER_PAGE, filters.query(), more),
        categories=calendar.read(caller, labels.category_choices),
        linked={name: [(one.id, one.name) for one in found] for name, found in choices.items()},
        authors=authors(request),
        actions=[(name, request.say(action.label)) for name, action in ACTIONS.items() if action.right(caller)],
        language=language,
    )


def counts_of(request: AdminRequest, filters: TableFilters) -> Mapping[str, int] | None:
    """The number of rows of each status. A search and an author are not counted, nor are very many events of a venue
    or a category beside series: each of them would have to be read once more."""
    if filters.search or filters.author:
        return None
    reading = read_query(EVENT_FILTERS, replace(filters, status="").sent(request.caller, request.now))
    statuses = [tab for tab in event_table.TABS if tab]
    return request.calendar.read(request.caller, status_counts, reading, statuses, each_date=filters.shows_each_date)


def standing_for(request: AdminRequest, filters: TableFilters) -> Reading:
    """The list whose dates the row of a series stands for."""
    return read_query(EVENT_FILTERS, filters.with_past.sent(request.caller, request.now))


def authors(request: AdminRequest) -> list[tuple[int, str]]:
    """Whose events an editor can ask for."""
    if not may_edit_others(request.caller):
        return []
    return [*request.read(users.names_of_people, with_services=False).items()]


def act(request: AdminRequest, form: Form) -> None:
    """Does the same with the chosen rows."""
    back, action = back_to(form.text("back")), ACTIONS.get(form.text("action"))
    chosen = [*rows_in(form, "event"), *rows_in(form, "series")]
    change = action.change(form) if action else None
    if action is None or change is None or not chosen:
        form.refuse(GENERAL, N_("Choose events and an action."))
        return
    with form.refusals():
        listed = standing_for(request, TableFilters.read(asked_in(back)))
        outcome = bulk.change_events(request.calendar, request.caller, chosen, change, listed)
        request.go(
            back,
            "{text}",
            undo_of(outcome.previous, back) if outcome.previous else None,
            kind="done" if outcome.changed else "problem",
            text=in_words(action.done, outcome, request.language),
        )


def rows_in(form: Form, name: str) -> list[Chosen]:
    """The selected rows of events or of series, each with the version that the table showed."""
    return [Chosen(id, number_in(form.text(f"rev-{id}")), name == "series") for id in form.numbers(name)]
