"""Pages of changes as webhooks send them, and places in the journal as clients name them."""

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.changes import json, places
from kalends.calendar.changes.pages import Wanted
from kalends.calendar.changes.places import Place
from kalends.calendar.fragments.rendering import currency
from kalends.calendar.listing import Listing
from kalends.calendar.webhooks.delivering import MOST, ChangesPage, PageOf, caller_of
from kalends.contract.operations.model import NAMESPACE
from kalends.contract.webhooks import RECORDS
from kalends.present.addresses import Addresses
from kalends.present.render_context import RenderContext
from kalends.settings import Settings
from kalends.store.rows.webhooks import Webhook


def of(calendar: Listing) -> PageOf:
    """Reads the changes after one, up to another or the last, as a webhook sees them."""

    def page_of(webhook: Webhook, since: int, to: int | None) -> ChangesPage:
        kinds = frozenset(webhook.kinds.split(","))
        wanted = Wanted(kinds=kinds, limit=MOST, has_records=webhook.include == RECORDS)
        context = _context(calendar.settings)
        page, epoch = calendar.read_changes(caller_of(webhook), Place(since), wanted, context, to)
        return ChangesPage(json.page(page, epoch), len(page.entries), page.next.rev, page.more)

    return page_of


def token_of(calendar: Listing, rev: int) -> str:
    return Place(rev).token(calendar.revision().epoch)


def place_of(calendar: Listing, token: str) -> int:
    """The change that a token names. Raises ApiError if it is garbled, or not known any more."""
    calendar.read_changes(ANONYMOUS, token, Wanted(limit=1))
    return places.read(token, calendar.revision().epoch).known


def _context(settings: Settings) -> RenderContext:
    """Links begin with the address of the site, since there is no request that they could begin with."""
    api = settings.base_url + settings.api_root
    addresses = Addresses(settings.base_url, api, f"{api}/{NAMESPACE}")
    return RenderContext(addresses, settings.timezone, currency(settings))
