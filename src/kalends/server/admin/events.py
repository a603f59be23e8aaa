"""The table of events: tabs by status, filters, pages, and one action for several events, with undo."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from kalends.calendar.access import may_create, may_edit_others, may_publish, visibility_of
from kalends.calendar.accounts import users
from kalends.calendar.editing.bulk import Chosen
from kalends.calendar.editing.overview import ALL_TIME, EXISTING
from kalends.contract.errors import ApiError
from kalends.contract.events import EVENT_FILTERS
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import CATEGORY, TAG
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH
from kalends.languages import N_
from kalends.pages.admin import event_table
from kalends.pages.admin.lists import Pages
from kalends.pages.admin.navigation import may_write
from kalends.pages.admin.outcomes import in_words
from kalends.pages.layout import Pairs, with_query
from kalends.server.admin.event_changes import PATH, back_to, change_of, undo_of
from kalends.server.admin.legacy import AdminRequest, FormScreen
from kalends.server.forms import GENERAL, Form, number_in
from kalends.values import dates, zones

PER_PAGE = 25
COUNT_TO = 500  # what is searched for, or has an author, is counted event by event
TABS = ("", PUBLISH, FUTURE, DRAFT, PENDING, PRIVATE)
PERIODS = ("upcoming", "past", "all")
ORDERS = ("start_date", "title", "modified")
EACH_DATE = "each"
KEPT = ("status", "when", "search", "categories", "venue", "author", "orderby", "order", "series", "dates")


class Events(FormScreen):
    """All events that a person can edit."""

    entry = "events"
    title = N_("Events")
    right = staticmethod(may_write)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        self.render(visit, {name: visit.param(name) for name in KEPT}, visit.page_number, None)

    def render(self, visit: AdminRequest, chosen: Mapping[str, str], number: int, form: Form | None) -> None:
        """`form`: what was selected, of an action that was refused."""
        sent = filters(visit, chosen) | {"page": str(number), "per_page": str(PER_PAGE)}
        try:
            counts = self.counts(visit, chosen)
            page, rows = visit.calendar.list_rows(
                visit.caller,
                read_query(EVENT_FILTERS, sent),
                standing_for(visit, chosen),
                COUNT_TO if counts is None else 0,
                each_date=shows_each_date(chosen),
            )
        except ApiError:  # an address that was typed by hand: the table without its filters
            visit.go(PATH)
            return
        is_exact = page.is_exact or counts is not None
        total = page.total if page.is_exact else page.total - 1
        if counts is not None:
            total = counts.get(chosen["status"], total)
        order = filters(visit, chosen)
        venues = visit.calendar.choices(visit.caller, wanted=["venue"])["venue"]
        visit.render(
            "admin/events.html",
            status=400 if form else 200,
            form=form,
            table=event_table.table(rows, visibility_of(visit.caller), visit.language, visit.calendar.clock()),
            chosen=chosen,
            tab_links=self.tabs(visit, chosen, counts),
            period_names=event_table.period_names(dates.day_in(chosen["when"]), visit.language),
            order={"by": order["orderby"], "descending": order["order"] == "desc"},
            dates_of=lambda row: visit.frame.at(PATH, query(chosen, series=str(row.id), when=_wide(chosen["when"]))),
            each_date=visit.frame.at(PATH, query(chosen, dates=EACH_DATE)),
            once=visit.frame.at(PATH, query(chosen, dates="", series="")),
            shows_each=shows_each_date(chosen),
            sorted_by={key: query(chosen, **_turned(order, key)) for key in ("title", "start_date")},
            here=with_query(PATH, query(chosen, page=str(number))),
            pages=Pages(visit.root_path + PATH, number, total, PER_PAGE, query(chosen), "" if is_exact else "+"),
            total=total,
            more="" if is_exact else "+",
            categories=visit.calendar.category_choices(visit.caller),
            venues=[(venue.id, venue.name) for venue in venues],
            authors=authors(visit),
            actions=self.actions(visit),
        )

    def counts(self, visit: AdminRequest, chosen: Mapping[str, str]) -> Mapping[str, int] | None:
        """The number of rows of each status. A search and an author are not counted, nor are very many events of a
        venue or a category beside series: each of them would have to be read once more."""
        if chosen["search"] or chosen["author"]:
            return None
        reading = read_query(EVENT_FILTERS, filters(visit, {**chosen, "status": ""}))
        return visit.calendar.status_counts(visit.caller, reading, TABS[1:], each_date=shows_each_date(chosen))

    def tabs(
        self, visit: AdminRequest, chosen: Mapping[str, str], counts: Mapping[str, int] | None
    ) -> list[tuple[str, str, int | None, bool]]:
        """One for each status that occurs: address, label, count, whether it is current."""
        shown = [
            tab for tab in TABS if counts is None or counts.get(tab) or tab in ("", chosen["status"], PUBLISH, DRAFT)
        ]
        return [
            (
                visit.frame.at(PATH, query(chosen, status=tab)),
                visit.say(event_table.TAB_NAMES[tab]),
                None if counts is None else counts.get(tab, 0),
                tab == chosen["status"],
            )
            for tab in shown
        ]

    def actions(self, visit: AdminRequest) -> dict[str, str]:
        """What the person may do with several events, by name."""
        caller = visit.caller
        rights = {
            "publish": may_publish(caller),
            "draft": True,
            "feature": may_publish(caller),
            "unfeature": may_publish(caller),
            "hide": may_publish(caller),
            "unhide": may_publish(caller),
            "category": may_create(caller, CATEGORY),
            "tag": may_create(caller, TAG),
            "trash": True,
        }
        return {name: visit.say(event_table.ACTION_NAMES[name]) for name, has in rights.items() if has}

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        action, back = form.text("action"), back_to(form.text("back"))
        chosen = [*rows_in(form, "event"), *rows_in(form, "series")]
        change = change_of(action, form)
        if change is None or not chosen:
            form.refuse(GENERAL, N_("Choose events and an action."))
            self.refuse(visit, form, back)
            return
        try:
            listed = standing_for(visit, chosen_in(back))
            outcome = visit.calendar.change_events(visit.caller, chosen, change, listed)
        except ApiError as error:
            form.take(error)
            self.refuse(visit, form, back)
            return
        visit.go(
            back,
            "{text}",
            undo_of(outcome.previous, back) if outcome.previous else None,
            kind="done" if outcome.changed else "problem",
            text=in_words(action, outcome, visit.language),
        )

    def refuse(self, visit: AdminRequest, form: Form, back: str) -> None:
        """The same page of the table, with what was selected."""
        number = number_in(dict(parse_qsl(urlsplit(back).query)).get("page", "")) or 1
        self.render(visit, chosen_in(back), number, form)


def chosen_in(address: str) -> dict[str, str]:
    """The filters in the address of the table."""
    asked = dict(parse_qsl(urlsplit(address).query))
    return {name: asked.get(name, "") for name in KEPT}


def rows_in(form: Form, name: str) -> list[Chosen]:
    """The selected rows of events or of series, each with the version that the table showed."""
    return [Chosen(id, number_in(form.text(f"rev-{id}")), name == "series") for id in form.numbers(name)]


def shows_each_date(chosen: Mapping[str, str]) -> bool:
    """Whether each date of a series has a row: of one series, on one day, or if a person wants that."""
    return bool(chosen["series"]) or chosen["dates"] == EACH_DATE or dates.day_in(chosen["when"]) is not None


def standing_for(visit: AdminRequest, chosen: Mapping[str, str]) -> Reading:
    """The list whose dates the row of a series stands for: in the table of what is to come, those that are over
    belong to it, too."""
    return read_query(EVENT_FILTERS, filters(visit, {**chosen, "when": _wide(chosen["when"])}))


def _wide(when: str) -> str:
    return when if when == "past" or dates.day_in(when) else "all"


def filters(visit: AdminRequest, chosen: Mapping[str, str]) -> dict[str, str]:
    """The filters of the interface for what was chosen in the table."""
    sent = {name: chosen[name] for name in ("search", "categories", "venue", "author", "series") if chosen.get(name)}
    sent |= {"status": chosen["status"] or EXISTING, "show_hidden": "true"}
    if not may_edit_others(visit.caller):
        sent["author"] = str(visit.caller.user)
    now = dates.text(zones.to_local(visit.calendar.clock(), visit.settings.timezone))
    when = chosen["when"] if chosen["when"] in PERIODS or dates.day_in(chosen["when"]) else "upcoming"
    if day := dates.day_in(when):
        sent |= {"start_date": str(day), "starts_before": str(day)}
    elif when == "upcoming":
        sent |= {"ends_after": now, "strict_dates": "true"}
    elif when == "past":
        sent |= {"ends_before": now, "strict_dates": "true"}
    else:
        sent |= ALL_TIME
    order = chosen["orderby"] if chosen["orderby"] in ORDERS else "start_date"
    descending = chosen["order"] == "desc" if chosen["order"] else when == "past" or order == "modified"
    return sent | {"orderby": order, "order": "desc" if descending else "asc"}


def query(chosen: Mapping[str, str], **changed: str) -> Pairs:
    """The query string of the table with something changed."""
    return [
        (name, value) for name, value in {**chosen, **changed}.items() if value and (name, value) != ("page", "1")
    ]


def _turned(order: Mapping[str, str], key: str) -> dict[str, str]:
    """The order after a click on the head of a column: by it, or the other way round."""
    descending = order["orderby"] == key and order["order"] == "asc"
    return {"orderby": key, "order": "desc" if descending else "asc"}


def authors(visit: AdminRequest) -> list[tuple[int, str]]:
    """Whose events an editor can ask for."""
    if not may_edit_others(visit.caller):
        return []
    return [*visit.calendar.read(visit.caller, users.names_of_people, with_services=False).items()]
