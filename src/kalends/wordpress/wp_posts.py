"""Events, venues and organizers as `wp/v2` has them: `tribe_events`, `tribe_venue`, `tribe_organizer`."""

from typing import Any

import falcon

from kalends.calendar.access import may_create, may_edit, may_publish, require
from kalends.calendar.posts.apply_fields import NEEDS_PUBLISHING
from kalends.calendar.service import Shown
from kalends.contract.errors import MISSING_PARAM, ApiError
from kalends.contract.fields import Reading, read_query, read_update
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.statuses import DRAFT
from kalends.server.api.resources import stored_id
from kalends.server.cache.kept_responses import FOREVER
from kalends.server.http import bodies
from kalends.server.http.parameters import Sent, from_query
from kalends.server.request_context import client_address, context_of
from kalends.server.service import Service
from kalends.values import dates
from kalends.values.undated import NO_DATE
from kalends.wordpress import operations as wordpress
from kalends.wordpress import responses as wp_answers
from kalends.wordpress import wp_json
from kalends.wordpress import wp_operations as wp
from kalends.wordpress.embedding import Embedding
from kalends.wordpress.error_translation import as_wordpress, refuse
from kalends.wordpress.errors import CANNOT_PUBLISH, EMPTY_CONTENT, OF_POSTS, POST_EXISTS
from kalends.wordpress.model import EDIT, core_reading
from kalends.wordpress.resource import CompatResource
from kalends.wordpress.wp_fields import POST_FIELDS, sent_fields
from kalends.wordpress.wp_links import TYPES, WpAddresses

TEXTS = ("title", "content", "excerpt")


class PostResource(CompatResource):
    """What the handlers of a kind of post have in common."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service)
        self.kind = kind
        self.mapped = POST_FIELDS[kind]

    def represent(self, req: falcon.Request, shown: Shown, context: str) -> wp_json.Json:
        editable = may_edit(context_of(req).caller, shown[0])
        return wp_json.post(*shown, self.service.render_context(req), context, editable=editable)

    def send_written(self, req: falcon.Request, resp: falcon.Response, shown: Shown, *, is_new: bool = False) -> None:
        at = WpAddresses(context_of(req).addresses.base_url)
        location = at.record(TYPES[self.kind].route, shown[0].id) if is_new else ""
        wp_answers.send_written(req, resp, self.represent(req, shown, EDIT), location=location)

    def core_values(self, req: falcon.Request, sent: Sent) -> Reading:
        """What was sent, as the core's fields."""
        fields = [one.field for one in self.mapped]
        reading = core_reading(self.mapped, read_update(fields, sent_fields(self.mapped, sent)))
        reading.problems.raise_any()
        if reading.values.get("date") is not None:  # as in WordPress, it counts when the other is there too
            reading.values.pop("date_utc", None)
        caller = context_of(req).caller
        if reading.values.get("status") in NEEDS_PUBLISHING and not may_publish(caller):
            raise ApiError(CANNOT_PUBLISH)
        wordpress.drop_unknown(self.service.calendar, caller, reading.values)
        return reading


class Posts(PostResource):
    """All records of a kind."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service, kind)
        self.address = wp.POSTS[kind][0]

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller, reading = context_of(req).caller, wp_answers.query_reading(req, wp.FILTERS[self.kind])
        context = wp_answers.context(reading)
        if context == EDIT and not may_create(caller, self.kind):
            raise refuse("context", caller)
        with as_wordpress(OF_POSTS, "read", caller):
            page, found = wordpress.list_posts(
                self.service.calendar, caller, self.kind, reading, only_editable=context == EDIT
            )
        embedding = Embedding(self.service, caller, self.service.render_context(req), wp_answers.embeds(req, reading))
        items = [embedding.into_post(self.represent(req, shown, context), self.kind, *shown) for shown in found]
        wp_answers.send_list(self.service, req, resp, page, items)

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        with as_wordpress(OF_POSTS, "create", caller, self.mapped):
            require(may_create(caller, self.kind), caller)
            sent = bodies.read(req, self.service.settings.max_body)
            reading = self.core_values(req, self._checked(sent))
            self._complete(reading)
            base_url = context_of(req).addresses.base_url
            shown = self.service.calendar.create_post(caller, self.kind, reading, base_url)
        self.send_written(req, resp, shown, is_new=True)

    def _checked(self, sent: Sent) -> Sent:
        """What a new record is made of; null is as if it was not sent."""
        if sent.get("id") not in (None, "", 0, "0"):
            raise ApiError(POST_EXISTS)
        if not any(_has_text(sent.get(name)) for name in TEXTS):
            raise ApiError(EMPTY_CONTENT)
        if not _has_text(sent.get("title")):
            raise ApiError(MISSING_PARAM, {"params": ["title"]}, names="title")
        return {name: value for name, value in sent.items() if value is not None}

    def _complete(self, reading: Reading) -> None:
        """A draft unless it says otherwise. An event without dates gets those that say so, and stays a draft."""
        values = reading.values
        values.setdefault("status", DRAFT)
        if self.kind is not EVENT:
            return
        missing = [name for name in ("start_date", "end_date") if values.get(name) is None]
        if len(missing) == 1:
            name = "meta._EventStartDate" if missing == ["start_date"] else "meta._EventEndDate"
            raise ApiError(MISSING_PARAM, {"params": [name]}, names=name)
        if missing:
            values |= {name: dates.read(NO_DATE) for name in missing} | {"all_day": False}


class Post(PostResource):
    """One record."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service, kind)
        self.address = wp.POSTS[kind][1]

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, reading = (
            context_of(req).caller,
            wp_answers.query_reading(req, self.address.operations[0].parameters[1:]),
        )
        reading.problems.raise_any()
        context, password = wp_answers.context(reading), str(reading.values.get("password") or "") or None
        address = client_address(req, self.service.settings) if password else ""
        with as_wordpress(OF_POSTS, "read", caller):
            shown = wordpress.read_post(self.service.calendar, caller, self.kind, stored_id(id), password, address)
        if context == EDIT and not may_edit(caller, shown[0]):
            raise refuse("context", caller)
        embedding = Embedding(self.service, caller, self.service.render_context(req), wp_answers.embeds(req, reading))
        json = embedding.into_post(self.represent(req, shown, context), self.kind, *shown)
        if password is None:
            wp_answers.keep(req, FOREVER)
        wp_answers.alternate(resp, json["link"])
        wp_answers.send_read(self.service, req, resp, json, secret=password is not None)

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller = context_of(req).caller
        with as_wordpress(OF_POSTS, "edit", caller, self.mapped):
            require(may_create(caller, self.kind), caller)
            reading = self.core_values(req, bodies.read(req, self.service.settings.max_body))
            base_url = context_of(req).addresses.base_url
            shown = self.service.calendar.update_post(caller, self.kind, stored_id(id), reading, base_url)
        self.send_written(req, resp, shown)

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, before = context_of(req).caller, list[wp_json.Json]()
        with as_wordpress(OF_POSTS, "delete", caller):
            require(may_create(caller, self.kind), caller)
            reading = read_query((wp.FORCE,), from_query(req.query_string))
            reading.problems.raise_any()
            force = bool(reading.values.get("force"))
            shown = self.service.calendar.delete_post(
                caller,
                self.kind,
                stored_id(id),
                force=force,
                precondition=lambda found: before.append(self.represent(req, found, EDIT)),
            )
        if force:
            wp_answers.send_deleted(req, resp, before[0])
        else:
            self.send_written(req, resp, shown)


def _has_text(value: Any) -> bool:
    if isinstance(value, dict):
        value = value.get("raw", value.get("rendered"))
    return value is not None and bool(str(value).strip())
