"""Pages of changes as webhooks send them, and places in the journal as clients name them."""

import time
from collections.abc import Hashable
from dataclasses import replace

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.service import Calendar
from kalends.calendar.transactions import Transactions
from kalends.contract.operations.model import NAMESPACE
from kalends.features.changes import json, polling
from kalends.features.changes import positions as places
from kalends.features.changes.pages import WantedChanges
from kalends.features.changes.positions import Position
from kalends.features.webhooks.contract import EVERYTHING, RECORDS
from kalends.features.webhooks.delivering import MOST, ChangesPage, Deliveries, PageOf, caller_of
from kalends.features.webhooks.rows import Webhook
from kalends.present.addresses import Addresses, RenderContext
from kalends.settings import Settings

SHARED = 0.5  # seconds in which others send a page as well
MOST_SHARED = 8  # pages
LARGEST_SHARED = 1024 * 1024  # bytes


class SharedPages:
    """Pages of the last moments, by what they tell and where they begin. Webhooks that wait at the same place, as
    most do, send the same page: it is read and rendered once for all of them, in one snapshot."""

    def __init__(self) -> None:
        self._pages: dict[tuple[Hashable, int], tuple[float, ChangesPage]] = {}  # and until when they are used

    def get(self, scope: Hashable, since: int) -> ChangesPage | None:
        until, page = self._pages.get((scope, since), (0.0, None))
        return page if time.monotonic() < until else None

    def next_page(self, scope: Hashable, since: int) -> ChangesPage | None:
        """The first one that ends after this place. Who is elsewhere tells as much and no more, and is at the same
        place as the others from then on."""
        now = time.monotonic()
        found = [page for (other, _), (until, page) in self._pages.items() if other == scope and now < until]
        return min((page for page in found if page.end > since), key=lambda page: page.end, default=None)

    def put(self, scope: Hashable, since: int, page: ChangesPage) -> None:
        # One who finds nothing may have come for what has changed just now.
        if page.count and len(page.body) <= LARGEST_SHARED:
            now = time.monotonic()
            known = {other: kept for other, kept in self._pages.items() if kept[0] > now}
            self._pages = dict([*known.items()][-MOST_SHARED:])
            self._pages[scope, since] = now + SHARED, page


def of(calendar: Transactions) -> PageOf:
    """Reads the changes after one, up to another or the last, as a webhook sees them."""
    shared = SharedPages()

    def page_of(webhook: Webhook, since: int, to: int | None) -> ChangesPage:
        if to is not None:
            return read(webhook, since, to)
        view = (webhook.kinds, webhook.sees, webhook.include, calendar.revision().epoch)
        page = shared.get(view, since)
        if page is None:
            beside = shared.next_page(view, since)
            if beside is None:
                page = read(webhook, since, None)
            else:
                page = read(webhook, since, beside.end)
                page = replace(page, more=page.more or beside.more, at=beside.at)
            shared.put(view, since, page)
        return page

    def read(webhook: Webhook, since: int, to: int | None) -> ChangesPage:
        kinds = frozenset(webhook.kinds.split(","))
        has_records, show_hidden = webhook.include == RECORDS, webhook.sees == EVERYTHING
        wanted = WantedChanges(kinds=kinds, limit=MOST, has_records=has_records, show_hidden=show_hidden)
        context, now = _context(calendar.settings), calendar.clock()
        page, epoch = polling.read_changes(calendar, caller_of(webhook), Position(since), wanted, context, to)
        return ChangesPage(json.page(page, epoch), len(page.entries), page.next.rev, page.more, now)

    return page_of


def token_of(calendar: Transactions, rev: int) -> str:
    return Position(rev).token(calendar.revision().epoch)


def position_of(calendar: Transactions, token: str) -> int:
    """The change that a token names. Raises ApiError if it is garbled, or not known any more."""
    polling.read_changes(calendar, ANONYMOUS, token, WantedChanges(limit=1))
    return places.read(token, calendar.revision().epoch).known


def _context(settings: Settings) -> RenderContext:
    """Links begin with the address of the site, since there is no request that they could begin with."""
    api = settings.base_url + settings.api_root
    addresses = Addresses(settings.base_url, api, f"{api}/{NAMESPACE}")
    return RenderContext(addresses, settings.timezone, settings.currency)


def register_tasks(calendar: Calendar) -> None:
    deliveries = Deliveries(calendar, of(calendar))
    calendar.background.register(deliveries.kind())
    calendar.background.add_process_work(deliveries.closing())
