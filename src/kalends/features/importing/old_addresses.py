"""Where addresses of another calendar lead: `?p=ID` of a site whose records were imported."""

from kalends.calendar.access import ANONYMOUS, Caller, UnitOfWork
from kalends.calendar.service import Calendar
from kalends.contract.kinds import POSTS
from kalends.contract.statuses import TRASH
from kalends.features.importing import rows as imports
from kalends.store.rows import posts
from kalends.store.rows.records import Event


def page_of(
    calendar: Calendar, id: int, caller: Caller = ANONYMOUS, kind_name: str | None = None
) -> tuple[str, str] | None:
    """The kind and the slug of the record that has this number here, or that had it where it comes from; None if
    there is none that the caller may read. An event that lists do not show is not found by its old number.
    `kind_name`: only records of this kind."""
    kinds = [kind.name for kind in POSTS if kind_name in (None, kind.name)]
    with calendar.reading(caller) as work:
        old = [found for found in imports.of_old_id(work.session, id) if found[0] in kinds]
        for kind, candidate in [*((kind, id) for kind in kinds), *old]:
            post = posts.find(work.session, kind, candidate)
            if post is None or post.status == TRASH or not work.visibility.can_read(post):
                continue
            if candidate == id or not (isinstance(post, Event) and post.hide_from_listings):
                return kind, post.slug
    return None


def former_ids(work: UnitOfWork, id: int) -> list[tuple[str, int]]:
    return imports.of_old_id(work.session, id)
