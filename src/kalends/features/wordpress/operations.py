"""What the calendar does for clients of WordPress only: their lists, protected events as lists show them, users.

Rights and checks are those of the other lists. What differs is WordPress': events that are over are not listed unless
`slug` or `include` names them, only what is published is listed unless `status` says otherwise, and unknown ids are
found nowhere instead of being an error. Everything else that they write or read is an operation of `calendar/`.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from kalends.calendar.access import ANONYMOUS, UnitOfWork, may_ask_for_any_status, may_manage_users, visibility_of
from kalends.calendar.images.image_store import can_see_image
from kalends.calendar.lists import filter_checks, pages
from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.queries import after, moment_utc, term_query
from kalends.calendar.lists.typed_values import ids, number, strings, text
from kalends.calendar.posts import old_slugs
from kalends.calendar.posts import posts as post_operations
from kalends.calendar.posts.posts import BundledPost, bundle_post, bundle_posts
from kalends.calendar.posts.terms import Counted
from kalends.contract.errors import PASSWORD_PROTECTED, ApiError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import CATEGORY, EVENT, TAG, TERMS, Kind
from kalends.contract.statuses import LIVE_STATUSES, PUBLISH
from kalends.features.wordpress.errors import NO_SEARCH_TERM, NO_SUCH_PAGE
from kalends.features.wordpress.filters import (
    DEFAULT_PER_PAGE,
    MOST_PER_PAGE,
    SAME_ORDERS,
    SAME_POST_ORDERS,
    TermChoice,
)
from kalends.features.wordpress.site_data import ANY
from kalends.store.query import lists
from kalends.store.query.list_query import MEDIA, ImageFilters, ListQuery, Window
from kalends.store.query.lists import GIVEN_ORDER
from kalends.store.rows import media, terms, users
from kalends.store.rows.records import Media, Term, User
from kalends.values import dates, names

IMAGE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"})
TERM_FILTERS = {"tribe_events_cat": CATEGORY, "tags": TAG}


def find_posts(
    work: UnitOfWork, kind: Kind, reading: Reading, *, only_editable: bool = False, with_past: bool = False
) -> tuple[Page, list[BundledPost]]:
    """Events, venues or organizers; `only_editable` those that the caller may change, `with_past` those that are over
    too."""
    values, problems = reading.values, reading.problems
    query = _query(work, kind.name, reading)
    modified_after, modified_before = (
        _moment(work, values, name, problems) for name in ("modified_after", "modified_before")
    )
    include = included(work, kind, values)
    # Events that are over only where they are named.
    is_timeless = kind is not EVENT or with_past or include is not None
    query = replace(
        query,
        window=Window() if is_timeless else Window(end_from=after(work.now), utc=True),
        statuses=_statuses(work, values, problems),
        search=filter_checks.search(values, problems),
        include=include,
        modified_after=modified_after,
        modified_before=modified_before,
        only_editable=only_editable,
    )
    if kind is EVENT:
        linked, below = _linked(work, values, "")
        not_linked, parents = _linked(work, values, "_exclude")[0], ids(values, "parent")
        query = replace(query, linked=linked, directly=not below, not_linked=not_linked, parents=parents)
    page = _ordered_page(work, reading, query, valid_until="" if is_timeless else None)
    return page, bundle_posts(work, pages.posts_of(work, kind, page))


def find_terms(work: UnitOfWork, kind: Kind, reading: Reading) -> tuple[Page, list[Counted]]:
    """Categories or tags. Past the end there are none, which is no error."""
    values, problems = reading.values, reading.problems
    event = filter_checks.readable_event(work, work.visibility, "post", values, Problems())
    problems.raise_any()
    of_event = filter_checks.visible_links(work, work.visibility, kind, event)
    if event is None and "post" in values:
        of_event = []
    if "slug" in values:
        named = old_slugs.ids_of_slugs(work, kind, strings(values, "slug") or [])
        of_event = named if of_event is None else [id for id in named if id in of_event]
    order = SAME_ORDERS.get(wanted := str(values.get("orderby", "name")), wanted)
    query = term_query(work, kind, values, of_event, order, hide_empty=bool(values.get("hide_empty")))
    page = _page(work, values, query)
    return page, pages.terms_of(work, kind, page)


def find_images(work: UnitOfWork, reading: Reading, *, only_editable: bool) -> tuple[Page, list[Media]]:
    """Images that the caller may see; `only_editable` those that the caller may change."""
    values = reading.values
    query = _query(work, MEDIA, reading)
    mime_type, slugs = text(values, "mime_type"), strings(values, "slug")
    is_known_type = mime_type is None or mime_type in IMAGE_TYPES  # another text may be none for a database
    is_asked = is_known_type and values.get("media_type", "image") == "image" and not number(values, "parent")
    query = replace(
        query,
        include=query.include if is_asked else (),
        only_editable=only_editable,
        images=ImageFilters(
            user=work.caller.user,
            file_part=text(values, "search"),
            slugs=None if slugs is None else [names.slugify(slug) for slug in slugs],
            mime_type=mime_type if is_known_type else None,
        ),
    )
    page = _ordered_page(work, reading, query)
    records = media.find_many(work.session, page.ids)
    return page, [records[id] for id in page.ids]


def _query(work: UnitOfWork, kind: str, reading: Reading) -> ListQuery:
    """What lists of posts and of images have in common."""
    values = reading.values
    published_after, published_before = (
        _moment(work, values, name, reading.problems) for name in ("after", "before")
    )
    order = str(values.get("orderby", "date"))
    return ListQuery(
        kind=kind,
        visibility=work.visibility,
        include=ids(values, "include"),
        exclude=ids(values, "exclude") or (),
        authors=ids(values, "author"),
        not_authors=ids(values, "author_exclude") or (),
        published_after=published_after,
        published_before=published_before,
        order=SAME_POST_ORDERS.get(order, order),
        descending=values.get("order", "desc") == "desc",
    )


def page_bounds(values: Values, most: int = MOST_PER_PAGE) -> tuple[int, int, int]:
    """The number of a page, its size and its offset."""
    size = min(number(values, "per_page") or DEFAULT_PER_PAGE, most)
    page, offset = number(values, "page") or 1, number(values, "offset")
    return page, size, (page - 1) * size if offset is None else offset


def _ordered_page(work: UnitOfWork, reading: Reading, query: ListQuery, valid_until: str | None = "") -> Page:
    """A page that has to exist, of a list that may be in the order in which `include` names its records."""
    values, order = reading.values, reading.values.get("orderby")
    reading.problems.raise_any()
    if order == "relevance" and "search" not in values:
        raise ApiError(NO_SEARCH_TERM)
    if order in ("include", "include_slugs") and query.include is not None:
        query = replace(query, order=GIVEN_ORDER, descending=False)
    page = _page(work, values, query, valid_until)
    if "offset" not in values and page.number > 1 and (page.number - 1) * page.size >= page.total > 0:
        raise ApiError(NO_SUCH_PAGE)
    return page


def _page(work: UnitOfWork, values: Values, query: ListQuery, valid_until: str | None = "") -> Page:
    number, size, offset = page_bounds(values, work.settings.max_per_page)
    found = lists.find_page(work.session, query, size, offset)
    return Page(found.ids, found.total, number, size, valid_until=valid_until)


def _moment(work: UnitOfWork, values: Values, name: str, problems: Problems) -> str | None:
    moment = moment_utc(work, values, name, problems)
    return None if moment is None else dates.text(moment)


def _statuses(work: UnitOfWork, values: Values, problems: Problems) -> list[str]:
    """What is published, unless a caller with the right asks for other statuses."""
    filter_checks.check_statuses(work, values, problems, code="rest_forbidden_status")
    asked = strings(values, "status") or [PUBLISH]
    if ANY in asked:
        return list(LIVE_STATUSES) if may_ask_for_any_status(work.caller) else [PUBLISH]
    return asked


def included(work: UnitOfWork, kind: Kind, values: Values) -> list[int] | None:
    """The ids that `include` and `slug` name; None without them."""
    include = ids(values, "include")
    if "slug" not in values:
        return include
    named = old_slugs.ids_of_slugs(work, kind, strings(values, "slug") or [])
    return named if include is None else [id for id in named if id in include]


def _linked(work: UnitOfWork, values: Values, suffix: str) -> tuple[dict[str, Sequence[int]], bool]:
    """The terms that events must have, or must not have, and whether those below count too."""
    linked: dict[str, Sequence[int]] = {}
    with_children = False
    for name, kind in TERM_FILTERS.items():
        choice = values.get(name + suffix)
        if isinstance(choice, TermChoice):
            linked[kind.name] = old_slugs.current_ids(work, kind, choice.ids)
            with_children = with_children or choice.with_children
    return linked, with_children


def read_post(work: UnitOfWork, kind: Kind, id: int) -> BundledPost:
    """One record. A protected event is shown as lists show it, masked."""
    try:
        return bundle_post(work, post_operations.read(work, kind, id))
    except ApiError as api_error:
        if api_error.error_type is not PASSWORD_PROTECTED:
            raise
        return bundle_post(work, post_operations.find(work, kind, id))


def drop_unknown(work: UnitOfWork, values: Values) -> None:
    """As in WordPress, terms and images that the caller does not find are left out of a write."""
    for kind in TERMS:
        asked = values.get(kind.plural)
        if isinstance(asked, list):
            known = terms.find_many(work.session, kind.name, asked)
            values[kind.plural] = [id for id in asked if id in known]
    image = values.get("image")
    if "image" in values and not (isinstance(image, int) and _sees_image(work, image)):
        values["image"] = None


def listed_users(work: UnitOfWork) -> list[User]:
    """The users of a list: those with published records; administrators find all."""
    if may_manage_users(work.caller):
        return users.all_users(work.session)
    return users.authors(work.session, visibility_of(ANONYMOUS, due=work.session.due))


def visible_users(work: UnitOfWork) -> list[User]:
    """The users that a caller may read: those of the list, and the caller."""
    found, caller = listed_users(work), work.caller
    if not caller.is_anonymous and all(user.id != caller.user for user in found):
        own = users.find_user(work.session, caller.user)
        found += [own] if own is not None else []
    return found


def parents_of(work: UnitOfWork, found: Sequence[Term]) -> dict[int, Term]:
    """The parents of some categories, for what embeds them."""
    return terms.find_many(work.session, CATEGORY.name, {term.parent for term in found if term.parent})


def _sees_image(work: UnitOfWork, id: int) -> bool:
    known = media.find(work.session, id)
    return known is not None and can_see_image(work.session, work.visibility, work.caller.user, known)
