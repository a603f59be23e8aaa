"""What the namespaces have besides records: the site, users, the search, batches, and lists that are empty."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, cast

import falcon

from kalends.calendar.access import may_ask_for_any_status, may_manage_users
from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.typed_values import ids, strings, text
from kalends.contract.errors import FORBIDDEN, LOGIN_NEEDED, ApiError, ErrorType, Problems
from kalends.contract.fields import Reading, Values, read_create
from kalends.contract.kinds import EVENT, TERMS, Kind
from kalends.contract.operations import addresses
from kalends.contract.operations.model import COMPAT_NAMESPACE, COMPAT_ROOT, Address
from kalends.features.changes.addresses import ItemRequest
from kalends.features.changes.batches import Batch, BatchItem, ItemAnswer, send
from kalends.features.wordpress import operations
from kalends.features.wordpress.addresses.site_addresses import (
    ALL_VALID,
    BATCH,
    COMPAT,
    NAMESPACES,
    SEARCH,
    SETTINGS,
    TEC_DOCS,
    TEC_INTERFACE,
    TEC_ROOT,
    USERS,
)
from kalends.features.wordpress.errors import NO_SUCH_PAGE, NO_USER, NOT_IN_BATCHES, NOT_LOGGED_IN, refuse
from kalends.features.wordpress.filters import CONTEXT, DEFAULT_PER_PAGE, SEARCH_FILTERS, USER_FILTERS
from kalends.features.wordpress.handlers.embedding import Found, user_json
from kalends.features.wordpress.handlers.resources import (
    WordPressResource,
    context,
    keep,
    query_reading,
    route_of,
    send_list,
    send_read,
)
from kalends.features.wordpress.site import FOUND_TABLE, SETTINGS_TABLE, SiteTable
from kalends.features.wordpress.tables import EDIT, Json, Namespace, ResponseSource
from kalends.http.api.index import DescribedRoot
from kalends.http.api.resources import stored_id
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages import bodies, responses
from kalends.http.request_context import context_of
from kalends.http.service import Service
from kalends.present import description, openapi
from kalends.site.layout.frame import DOCS
from kalends.store.rows.records import User as StoredUser
from kalends.values import dates, names, zones

HALF_HOUR = timedelta(minutes=30)
INVALID = 400  # what a request of a batch answers that does not validate


class SiteIndex(DescribedRoot):
    """`/wp-json/`: the site, its namespaces and all their routes."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        settings, home, language = self.service.settings, context_of(req).addresses.base_url, context_of(req).language
        clock = self.service.calendar.clock()
        now = zones.to_local(clock, settings.timezone)
        root, ns = f"{home}{COMPAT_ROOT}", f"{home}{COMPAT_ROOT}/{COMPAT_NAMESPACE}"
        routes = {
            f"/{COMPAT_NAMESPACE}{address.pattern}": description.route(address, COMPAT_NAMESPACE, ns, {}, language)
            for address in addresses()
        }
        routes |= {address.pattern: route_of(address, root, language) for address in COMPAT.addresses}
        json: Json = {
            "name": settings.site_name,
            "description": settings.site_description,
            "url": home,
            "home": home,
            "gmt_offset": _hours(zones.offset(now, settings.timezone)),
            "timezone_string": settings.timezone,
            "page_for_posts": 0,
            "page_on_front": 0,
            "show_on_front": "posts",
            "namespaces": [COMPAT_NAMESPACE, *(namespace.name for namespace in NAMESPACES)],
            # Where a person finds how to get one.
            "authentication": {"application-passwords": {"endpoints": {"authorization": f"{home}{DOCS}"}}},
            "routes": routes,
            "site_logo": 0,
            "site_icon": 0,
            "site_icon_url": "",
            "_links": {"help": [{"href": f"{home}{DOCS}"}]},
        }
        # Clocks are changed at full hours or halves of them.
        keep(req, dates.text(clock.replace(minute=clock.minute // 30 * 30, second=0) + HALF_HOUR))
        send_read(req, resp, json)
        responses.in_language(resp, language)


def _hours(offset: timedelta) -> int | float:
    """-5, or 5.5, as PHP writes it."""
    hours = offset / timedelta(hours=1)
    return int(hours) if hours.is_integer() else hours


class NamespaceIndex(WordPressResource):
    """The routes of one namespace."""

    def __init__(self, service: Service, namespace: Namespace) -> None:
        super().__init__(service, namespace.addresses[0])
        self.namespace = namespace

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        root, language = f"{context_of(req).addresses.base_url}{COMPAT_ROOT}", context_of(req).language
        routes = {address.pattern: route_of(address, root, language) for address in self.namespace.addresses}
        json = {"namespace": self.namespace.name, "routes": routes, "_links": {"up": [{"href": f"{root}/"}]}}
        send_read(req, resp, json)
        responses.in_language(resp, language)


class SitePart(WordPressResource):
    """A table of the site: all its rows, or one by its name."""

    def __init__(self, service: Service, address: Address, part: SiteTable) -> None:
        super().__init__(service, address)
        self.part = part

    def on_get(self, req: falcon.Request, resp: falcon.Response, name: str | None = None) -> None:
        caller = context_of(req).caller
        reading = query_reading(req, self.address.operations[0].parameters, must_fit=True)
        sees_all = may_ask_for_any_status(caller)
        if context(reading) == EDIT and not sees_all:
            raise refuse("view", caller)
        type_ = str(reading.values.get("type", ""))
        render_context = context_of(req).render_context
        rows = {
            slug: self.part.table.json(ResponseSource(row, render_context, context(reading)))
            for slug, row in self.part.visible_rows(type_, sees_all=sees_all).items()
        }
        keep(req, FOREVER)
        if name is not None and name not in rows:
            raise ApiError(self.part.unknown)
        send_read(req, resp, rows if name is None else rows[name])


class WordPressSettings(WordPressResource):
    """The settings, for administrators; they are changed elsewhere."""

    address = SETTINGS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        if not may_manage_users(caller):
            raise ApiError(LOGIN_NEEDED if caller.is_anonymous else FORBIDDEN)
        source = ResponseSource(self.service.settings, context_of(req).render_context)
        send_read(req, resp, SETTINGS_TABLE.json(source))


class Empty(WordPressResource):
    """What WordPress has and a calendar has not: a list without records, and one of them, which is never there."""

    def __init__(self, service: Service, address: Address, unknown: ErrorType | None = None) -> None:
        super().__init__(service, address)
        self.unknown = unknown

    def on_get(self, req: falcon.Request, resp: falcon.Response, **where: Any) -> None:
        if self.unknown is not None:
            raise ApiError(self.unknown)
        query_reading(req, self.address.operations[0].parameters, must_fit=True)
        send_list(req, resp, Page([], 0, 1, DEFAULT_PER_PAGE), [])


class WordPressUsers(WordPressResource):
    """The users that the caller may know."""

    address = USERS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller, reading = context_of(req).caller, query_reading(req, USER_FILTERS)
        if context(reading) == EDIT and not may_manage_users(caller):
            raise refuse("context", caller)
        reading.problems.raise_any()
        found = _chosen(self.service.calendar.read(caller, operations.listed_users), reading.values)
        page, size, first = operations.page_bounds(reading.values)
        items = [user_json(req, user, context(reading)) for user in found[first : first + size]]
        # Not kept: a user may be renamed, which is no public change.
        send_list(req, resp, Page([], len(found), page, size, valid_until=None), items)


class WordPressUser(WordPressResource):
    """One user, or the caller. Callers who cannot list all users do not learn which ids exist."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int | None = None) -> None:
        caller, reading = context_of(req).caller, query_reading(req, (CONTEXT,))
        if id is None and caller.is_anonymous:
            raise ApiError(NOT_LOGGED_IN)
        reading.problems.raise_any()
        wanted = caller.user if id is None else stored_id(id)
        known = self.service.calendar.read(caller, operations.visible_users)
        user = next((user for user in known if user.id == wanted), None)
        if user is None and (id is None or may_manage_users(caller)):
            raise ApiError(NOT_LOGGED_IN if id is None else NO_USER)
        is_edited, is_own = context(reading) == EDIT, wanted == caller.user
        if user is None or (is_edited and not (may_manage_users(caller) or is_own)):
            raise refuse("view_user", caller)
        send_read(req, resp, user_json(req, user, context(reading)))


def _chosen(users: list[StoredUser], values: Values) -> list[StoredUser]:
    """The users that the filters let through, in order."""
    include, exclude, slugs = ids(values, "include"), ids(values, "exclude") or [], strings(values, "slug")
    search = names.searched(text(values, "search") or "")
    found = [
        user
        for user in users
        if (include is None or user.id in include)
        and user.id not in exclude
        and (slugs is None or names.slugify(user.name) in slugs)
        and search in names.searched(user.name)
    ]
    match values.get("orderby", "name"):
        case "id":
            found.sort(key=lambda user: user.id)
        case "registered_date":
            found.sort(key=lambda user: (user.created_utc, user.id))
        case "include" if include is not None:
            found.sort(key=lambda user: include.index(user.id))
        case _:
            found.sort(key=lambda user: (names.sort_key(user.name), user.id))
    return found[::-1] if values.get("order") == "desc" else found


class WordPressSearch(WordPressResource):
    """Finds what the caller may read, in events or in categories and tags."""

    address = SEARCH

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        values = query_reading(req, SEARCH_FILTERS, must_fit=True).values
        page, size, offset = operations.page_bounds(values)
        total, items = 0, list[Json]()
        search = {"search": values["search"]} if "search" in values else {}
        kinds = TERMS if values.get("type") == "term" else (EVENT,)
        subtype, render_context = values.get("subtype", "any"), context_of(req).render_context
        for kind in [kind for kind in kinds if subtype in ("any", kind.wp)]:
            # The next kind begins where the one before it ends. A full page only asks for the total.
            left = size - len(items)
            asked = {"per_page": max(left, 1), "offset": max(0, offset - total), **search}
            part, found = self._find(req, kind, Reading(asked, Problems()), with_past=subtype == "any")
            items += [
                FOUND_TABLE.json(ResponseSource(record, render_context, companion=kind)) for record, _ in found[:left]
            ]
            total += part.total
        if page > 1 and offset >= total > 0:
            raise ApiError(NO_SUCH_PAGE)
        send_list(req, resp, Page([], total, page, size, valid_until=None), items)

    def _find(
        self, req: falcon.Request, kind: Kind, reading: Reading, *, with_past: bool
    ) -> tuple[Page, Sequence[Found]]:
        """As in WordPress, events that are over too unless it is only events that are searched."""
        calendar, caller = self.service.calendar, context_of(req).caller
        if kind is EVENT:
            return calendar.read(caller, operations.find_posts, kind, reading, with_past=with_past)
        return calendar.read(caller, operations.find_terms, kind, reading)


class Docs(WordPressResource):
    """`tec/v1` as an OpenAPI document."""

    address = TEC_DOCS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        language, url = context_of(req).language, f"{context_of(req).addresses.base_url}{COMPAT_ROOT}{TEC_ROOT}"
        json = openapi.document(self.service.settings.site_name, url, language, TEC_INTERFACE)
        responses.send_read(req, resp, json)
        responses.in_language(resp, language)


class WordPressBatch(WordPressResource):
    """Takes a batch of requests to any namespace, in the form of WordPress. Each stands alone; with
    `require-all-validate` nothing is done unless all of them are valid."""

    address = BATCH
    is_batch = True

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = read_create(BATCH.operations[0].parameters, bodies.read(req, self.service.settings.max_body))
        reading.problems.raise_any()
        sent = cast("list[ItemRequest]", reading.values["requests"])
        batch = Batch(self.service, req)
        batch.count(len(sent))
        found = [batch.item(COMPAT_ROOT, one) for one in sent]
        items = [item for item in found if item is not None]
        if reading.values.get("validation") != ALL_VALID:
            send(req, resp, _in_order(batch, found, batch.run_each(items)))
            return
        answers = batch.run_together(items, INVALID, is_trial=len(items) < len(found))
        in_order = _in_order(batch, found, batch.answers)
        if answers is None:
            invalid = [answer if answer.status == INVALID else None for answer in in_order]
            send(req, resp, invalid, failed="validation")
        else:
            send(req, resp, in_order)


def _in_order(batch: Batch, found: Sequence[BatchItem | None], answers: Sequence[ItemAnswer]) -> list[ItemAnswer]:
    """The answers of the items, and errors where a request was none."""
    following = iter(answers)
    return [batch.error(ApiError(NOT_IN_BATCHES)) if item is None else next(following) for item in found]
