"""Lists as clients of WordPress ask for them: their filters as the queries of the store.

Rights and checks are those of the other lists. What differs is WordPress': events that are over are not listed unless
`slug` or `include` names them, only what is published is listed unless `status` says otherwise, and unknown ids are
found nowhere instead of being an error.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from kalends.calendar.access import may_ask_for_any_status
from kalends.calendar.lists import filters, pages
from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.queries import term_query
from kalends.calendar.lists.typed_values import ids, number, strings, text
from kalends.calendar.lists.window import after, moment_utc
from kalends.calendar.posts.shown import Shown, show_all
from kalends.calendar.posts.terms import Counted
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import ApiError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import CATEGORY, EVENT, TAG, Kind
from kalends.contract.statuses import LIVE_STATUSES, PUBLISH
from kalends.store.query import lists
from kalends.store.query.list_query import MEDIA, ImageFilters, ListQuery
from kalends.store.query.lists import GIVEN_ORDER
from kalends.store.query.window import Window
from kalends.store.rows import media, posts
from kalends.store.rows.records import Media
from kalends.values import dates, names
from kalends.wordpress.errors import NO_SEARCH_TERM, NO_SUCH_PAGE
from kalends.wordpress.filters import DEFAULT_PER_PAGE, MOST_PER_PAGE, SAME_ORDERS, SAME_POST_ORDERS, TermChoice
from kalends.wordpress.site_data import ANY

IMAGE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"})
TERM_FILTERS = {"tribe_events_cat": CATEGORY, "tags": TAG}


def find_posts(
    work: UnitOfWork, kind: Kind, reading: Reading, *, only_editable: bool = False, with_past: bool = False
) -> tuple[Page, list[Shown]]:
    """Events, venues or organizers; `only_editable` those that the caller may change, `with_past` those that are over
    too."""
    values, problems = reading.values, reading.problems
    published_after, published_before, modified_after, modified_before = (
        _moment(work, values, name, problems) for name in ("after", "before", "modified_after", "modified_before")
    )
    statuses = _statuses(work, values, problems)
    search = filters.search(values, problems)
    problems.raise_any()
    _check_order(values)
    include = _included(work, kind, values)
    is_timeless = kind is not EVENT or with_past or include is not None
    linked, below = _linked(values, "")
    query = ListQuery(
        kind=kind.name,
        visibility=work.visibility,
        # Events that are over only where they are named.
        window=Window() if is_timeless else Window(end_from=after(work.now), utc=True),
        statuses=statuses,
        search=search,
        include=include,
        exclude=ids(values, "exclude") or (),
        authors=ids(values, "author"),
        not_authors=ids(values, "author_exclude") or (),
        published_after=published_after,
        published_before=published_before,
        modified_after=modified_after,
        modified_before=modified_before,
        only_editable=only_editable,
        order=_post_order(values),
        descending=values.get("order", "desc") == "desc",
    )
    if kind is EVENT:
        query = replace(
            query,
            linked=linked,
            directly=not below,
            not_linked=_linked(values, "_exclude")[0],
            parents=ids(values, "parent"),
        )
    page = _page(work, values, _in_given_order(values, query), valid_until="" if is_timeless else None)
    return page, show_all(work, pages.posts_of(work, kind, page))


def find_terms(work: UnitOfWork, kind: Kind, reading: Reading) -> tuple[Page, list[Counted]]:
    """Categories or tags. Past the end there are none, which is no error."""
    values, problems = reading.values, reading.problems
    event = filters.readable_event(work, work.visibility, "post", values, Problems())
    problems.raise_any()
    of_event = filters.visible_links(work, work.visibility, kind, event)
    if event is None and "post" in values:
        of_event = []
    if "slug" in values:
        named = posts.ids_of_slugs(work.session, kind.name, strings(values, "slug") or [])
        of_event = named if of_event is None else [id for id in named if id in of_event]
    order = SAME_ORDERS.get(wanted := str(values.get("orderby", "name")), wanted)
    query = term_query(work, kind, values, of_event, order, hide_empty=bool(values.get("hide_empty")))
    page = _page(work, values, query, must_exist=False)
    return page, pages.terms_of(work, kind, page)


def find_images(work: UnitOfWork, reading: Reading, *, only_own: bool) -> tuple[Page, list[Media]]:
    """Images that the caller may see; `only_own` those that the caller may change."""
    values, problems = reading.values, reading.problems
    created = {name: _moment(work, values, name, problems) for name in ("after", "before")}
    problems.raise_any()
    _check_order(values)
    mime_type = text(values, "mime_type")
    slugs = strings(values, "slug")
    is_known_type = mime_type is None or mime_type in IMAGE_TYPES  # another text may be none for a database
    is_asked = is_known_type and values.get("media_type", "image") == "image" and not number(values, "parent")
    query = ListQuery(
        kind=MEDIA,
        visibility=work.visibility,
        include=ids(values, "include") if is_asked else (),
        exclude=ids(values, "exclude") or (),
        authors=ids(values, "author"),
        not_authors=ids(values, "author_exclude") or (),
        published_after=created["after"],
        published_before=created["before"],
        only_editable=only_own,
        order=_post_order(values),
        descending=values.get("order", "desc") == "desc",
        images=ImageFilters(
            user=work.caller.user,
            file_part=text(values, "search"),
            slugs=None if slugs is None else [names.slugify(slug) for slug in slugs],
            mime_type=mime_type if is_known_type else None,
        ),
    )
    page = _page(work, values, _in_given_order(values, query))
    records = media.find_many(work.session, page.ids)
    return page, [records[id] for id in page.ids]


def page_bounds(values: Values, most: int = MOST_PER_PAGE) -> tuple[int, int, int]:
    """The number of a page, its size and its offset."""
    size = min(number(values, "per_page") or DEFAULT_PER_PAGE, most)
    page, offset = number(values, "page") or 1, number(values, "offset")
    return page, size, (page - 1) * size if offset is None else offset


def _page(
    work: UnitOfWork, values: Values, query: ListQuery, *, must_exist: bool = True, valid_until: str | None = ""
) -> Page:
    number, size, offset = page_bounds(values, work.settings.max_per_page)
    found = lists.find_page(work.session, query, size, offset)
    page = Page(found.ids, found.total, number, size, valid_until=valid_until)
    return _checked_page(values, page) if must_exist else page


def _checked_page(values: Values, page: Page) -> Page:
    if "offset" not in values and page.number > 1 and (page.number - 1) * page.size >= page.total > 0:
        raise ApiError(NO_SUCH_PAGE)
    return page


def _moment(work: UnitOfWork, values: Values, name: str, problems: Problems) -> str | None:
    moment = moment_utc(work, values, name, problems)
    return None if moment is None else dates.text(moment)


def _statuses(work: UnitOfWork, values: Values, problems: Problems) -> list[str]:
    """What is published, unless a caller with the right asks for other statuses."""
    filters.check_statuses(work, values, problems, code="rest_forbidden_status")
    asked = strings(values, "status") or [PUBLISH]
    if ANY in asked:
        return list(LIVE_STATUSES) if may_ask_for_any_status(work.caller) else [PUBLISH]
    return asked


def _included(work: UnitOfWork, kind: Kind, values: Values) -> list[int] | None:
    """The ids that `include` and `slug` name; None without them."""
    include = ids(values, "include")
    if "slug" not in values:
        return include
    named = posts.ids_of_slugs(work.session, kind.name, strings(values, "slug") or [])
    return named if include is None else [id for id in named if id in include]


def _linked(values: Values, suffix: str) -> tuple[dict[str, Sequence[int]], bool]:
    """The terms that events must have, or must not have, and whether those below count too."""
    linked: dict[str, Sequence[int]] = {}
    with_children = False
    for name, kind in TERM_FILTERS.items():
        choice = values.get(name + suffix)
        if isinstance(choice, TermChoice):
            linked[kind.name] = choice.ids
            with_children = with_children or choice.with_children
    return linked, with_children


def _post_order(values: Values) -> str:
    wanted = str(values.get("orderby", "date"))
    return SAME_POST_ORDERS.get(wanted, wanted)


def _in_given_order(values: Values, query: ListQuery) -> ListQuery:
    """The query in the order in which `include` names its records, if that is asked for."""
    is_given = values.get("orderby") in ("include", "include_slugs") and query.include is not None
    return replace(query, order=GIVEN_ORDER, descending=False) if is_given else query


def _check_order(values: Values) -> None:
    if values.get("orderby") == "relevance" and "search" not in values:
        raise ApiError(NO_SEARCH_TERM)
