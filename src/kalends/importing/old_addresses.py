"""Where addresses of another calendar lead: `?p=ID` of a site whose records were imported."""

from kalends.calendar.access import ANONYMOUS, Caller
from kalends.calendar.service import Calendar
from kalends.contract.kinds import POSTS
from kalends.contract.statuses import TRASH
from kalends.store.rows import imports, posts


def page_of(calendar: Calendar, id: int, caller: Caller = ANONYMOUS) -> tuple[str, str] | None:
    """The kind and the slug of the record that had this number where it comes from, or that has it here; None if
    there is none that the caller may read. The old number counts first: nothing here links to pages by their ids."""
    kinds = {kind.name for kind in POSTS}
    with calendar.reading(caller) as work:
        candidates = [found for found in imports.of_old_id(work.session, id) if found[0] in kinds]
        candidates += [(kind.name, id) for kind in POSTS]
        for kind, candidate in candidates:
            post = posts.find(work.session, kind, candidate)
            if post is not None and post.status != TRASH and work.visibility.can_read(post):
                return kind, post.slug
    return None
