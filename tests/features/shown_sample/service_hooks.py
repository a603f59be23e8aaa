"""What the feature answers when a running service calls it."""

from kalends.features.shown_sample import rows

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.site.pages.page_blocks import Block
from kalends.site.records.event_pages import EventPage


def page_blocks(work: UnitOfWork, page: object) -> list[Block]:
    if not isinstance(page, EventPage):
        return []
    event, bundle = page.bundled
    # The same count twice: as the page has read the event, and as its transaction reads the table now.
    counts = bundle.more.json.get("cheers", 0), rows.counts(work.session, "event", [event.id]).get(event.id, 0)
    return [Block("features/shown_sample/block.html", (page.title, counts))]


SERVICE_HOOKS = [hooks.page_blocks.by(page_blocks)]
