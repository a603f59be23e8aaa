"""Users as `wp/v2` has them: those with published records, and the caller."""

import falcon

from kalends.calendar.access import may_manage_users
from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.typed_values import ids, number, strings, text
from kalends.contract.errors import ApiError
from kalends.contract.fields import Values
from kalends.server.api.resources import stored_id
from kalends.server.request_context import context_of
from kalends.store.rows.records import User as StoredUser
from kalends.values import names
from kalends.wordpress import operations as wordpress
from kalends.wordpress import responses as wp_answers
from kalends.wordpress import wp_filters, wp_json
from kalends.wordpress import wp_operations as wp
from kalends.wordpress.embedding import user_json
from kalends.wordpress.error_translation import refuse
from kalends.wordpress.errors import NO_USER, NOT_LOGGED_IN
from kalends.wordpress.model import EDIT
from kalends.wordpress.resource import CompatResource


class UserResource(CompatResource):
    """What the handlers of users have in common."""

    def represent(self, req: falcon.Request, user: StoredUser, context: str) -> wp_json.Json:
        return user_json(self.service, user, context_of(req).addresses.base_url, context)


class Users(UserResource):
    """The users that the caller may know."""

    address = wp.USERS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller, reading = context_of(req).caller, wp_answers.query_reading(req, wp_filters.USER_FILTERS)
        context = wp_answers.context(reading)
        if context == EDIT and not may_manage_users(caller):
            raise refuse("context", caller)
        reading.problems.raise_any()
        found = _chosen(wordpress.listed_users(self.service.calendar, caller), reading.values)
        size = number(reading.values, "per_page") or wp_filters.DEFAULT_PER_PAGE
        page = number(reading.values, "page") or 1
        offset = number(reading.values, "offset")
        first = (page - 1) * size if offset is None else offset
        items = [self.represent(req, user, context) for user in found[first : first + size]]
        # Not kept: a user may be renamed, which is no public change.
        wp_answers.send_list(self.service, req, resp, Page([], len(found), page, size, valid_until=None), items)

    on_head = on_get


class Me(UserResource):
    """The caller."""

    address = wp.ME

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller, reading = context_of(req).caller, wp_answers.query_reading(req, (wp_filters.CONTEXT,))
        if caller.is_anonymous:
            raise ApiError(NOT_LOGGED_IN)
        reading.problems.raise_any()
        known = wordpress.visible_users(self.service.calendar, caller)
        user = next((user for user in known if user.id == caller.user), None)
        if user is None:
            raise ApiError(NOT_LOGGED_IN)
        wp_answers.send_read(self.service, req, resp, self.represent(req, user, wp_answers.context(reading)))

    on_head = on_get


class User(UserResource):
    """One user. Callers who cannot list all users do not learn which ids exist."""

    address = wp.USER

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, reading = context_of(req).caller, wp_answers.query_reading(req, (wp_filters.CONTEXT,))
        reading.problems.raise_any()
        context = wp_answers.context(reading)
        known = wordpress.visible_users(self.service.calendar, caller)
        user = next((user for user in known if user.id == stored_id(id)), None)
        if user is None and may_manage_users(caller):
            raise ApiError(NO_USER)
        if user is None or (context == EDIT and not (may_manage_users(caller) or user.id == caller.user)):
            raise refuse("view_user", caller)
        wp_answers.send_read(self.service, req, resp, self.represent(req, user, context))

    on_head = on_get


def _chosen(users: list[StoredUser], values: Values) -> list[StoredUser]:
    """The users that the filters let through, in order."""
    include, exclude, slugs = ids(values, "include"), ids(values, "exclude") or [], strings(values, "slug")
    search = names.fold(text(values, "search") or "")
    found = [
        user
        for user in users
        if (include is None or user.id in include)
        and user.id not in exclude
        and (slugs is None or names.slugify(user.name) in slugs)
        and search in names.fold(user.name)
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
