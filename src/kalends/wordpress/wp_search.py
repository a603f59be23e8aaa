"""The search of `wp/v2`, in events or in categories and tags."""

from collections.abc import Callable

import falcon

from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.typed_values import number
from kalends.contract.errors import ApiError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import CATEGORY, EVENT, TAG, Kind
from kalends.server.request_context import context_of
from kalends.wordpress import operations as wordpress
from kalends.wordpress import responses as wp_answers
from kalends.wordpress import wp_filters
from kalends.wordpress import wp_operations as wp
from kalends.wordpress.errors import NO_SUCH_PAGE
from kalends.wordpress.resource import CompatResource
from kalends.wordpress.wp_json import Json
from kalends.wordpress.wp_links import TAXONOMIES, TYPES, WpAddresses, found_links

Find = Callable[[int, int], tuple[int, list[Json]]]  # from a size and an offset: the total, and what was found


class Search(CompatResource):
    """Finds what the caller may read."""

    address = wp.SEARCH

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = wp_answers.query_reading(req, wp_filters.SEARCH_FILTERS)
        reading.problems.raise_any()
        values = reading.values
        size, number_ = number(values, "per_page") or wp_filters.DEFAULT_PER_PAGE, number(values, "page") or 1
        offset, total, items = (number_ - 1) * size, 0, list[Json]()
        for find in self._sources(req, values):
            # The next source begins where the one before it ends.
            count, found = find(size - len(items), max(0, offset - total))
            total, items = total + count, items + found
        if number_ > 1 and offset >= total > 0:
            raise ApiError(NO_SUCH_PAGE)
        wp_answers.send_list(self.service, req, resp, Page([], total, number_, size, valid_until=None), items)

    on_head = on_get

    def _sources(self, req: falcon.Request, values: Values) -> list[Find]:
        subtype = values.get("subtype", "any")
        if values.get("type") == "term":
            kinds = [kind for kind in (CATEGORY, TAG) if subtype in ("any", TAXONOMIES[kind].slug)]
            return [lambda size, offset, kind=kind: self._terms(req, kind, values, size, offset) for kind in kinds]  # type: ignore[misc]
        if subtype not in ("any", TYPES[EVENT].slug):
            return []
        return [lambda size, offset: self._events(req, values, size, offset)]

    def _events(self, req: falcon.Request, values: Values, size: int, offset: int) -> tuple[int, list[Json]]:
        """Events; as in WordPress, those that are over too unless it is only events that are searched."""
        reading, caller = _paged(values, size, offset), context_of(req).caller
        page, found = wordpress.list_posts(
            self.service.calendar, caller, EVENT, reading, with_past=values.get("subtype", "any") == "any"
        )
        addresses, type_ = context_of(req).addresses, TYPES[EVENT]
        return page.total, [
            {
                "id": event.id,
                "title": event.name,
                "url": addresses.page(EVENT, event.slug),
                "type": "post",
                "subtype": type_.slug,
                "_links": found_links(WpAddresses(addresses.base_url), type_.route, event.id, f"types/{type_.slug}"),
            }
            for event, _ in found[:size]
        ]

    def _terms(
        self, req: falcon.Request, kind: Kind, values: Values, size: int, offset: int
    ) -> tuple[int, list[Json]]:
        page, found = wordpress.list_terms(
            self.service.calendar, context_of(req).caller, kind, _paged(values, size, offset)
        )
        addresses, taxonomy = context_of(req).addresses, TAXONOMIES[kind]
        return page.total, [
            {
                "id": term.id,
                "title": term.name,
                "url": addresses.page(kind, term.slug),
                "type": taxonomy.slug,
                "_links": found_links(
                    WpAddresses(addresses.base_url), taxonomy.route, term.id, f"taxonomies/{taxonomy.slug}"
                ),
            }
            for term, _ in found[:size]
        ]


def _paged(values: Values, size: int, offset: int) -> Reading:
    """The same search from an offset. A full page only asks for the total."""
    chosen: Values = {"per_page": max(size, 1), "offset": offset}
    return Reading(chosen | ({"search": values["search"]} if "search" in values else {}), Problems())
