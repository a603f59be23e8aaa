"""Categories and tags as `wp/v2` has them: `tribe_events_cat` and `tags`."""

import falcon

from kalends.calendar.access import may_create, require
from kalends.calendar.posts.terms import Counted
from kalends.contract.errors import MISSING_PARAM, ApiError
from kalends.contract.fields import Reading, read_query, read_update
from kalends.contract.kinds import TAG, Kind
from kalends.server.api.resources import stored_id
from kalends.server.cache.kept_responses import FOREVER
from kalends.server.http import bodies
from kalends.server.http.parameters import Sent, from_query
from kalends.server.request_context import context_of
from kalends.server.service import Service
from kalends.wordpress import operations as wordpress
from kalends.wordpress import responses as wp_answers
from kalends.wordpress import wp_json
from kalends.wordpress import wp_operations as wp
from kalends.wordpress.embedding import Embedding
from kalends.wordpress.error_translation import as_wordpress, refuse
from kalends.wordpress.errors import NO_TRASH, NOT_HIERARCHICAL, OF_TERMS
from kalends.wordpress.model import EDIT, core_reading
from kalends.wordpress.resource import CompatResource
from kalends.wordpress.wp_fields import TERM_FIELDS
from kalends.wordpress.wp_links import TAXONOMIES, WpAddresses


class TermResource(CompatResource):
    """What the handlers of categories and tags have in common."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service)
        self.kind = kind
        self.mapped = TERM_FIELDS[kind]

    def represent(self, req: falcon.Request, counted: Counted, context: str) -> wp_json.Json:
        editable = may_create(context_of(req).caller, self.kind)
        return wp_json.term(self.kind, *counted, self.service.render_context(req), context, editable=editable)

    def check_context(self, req: falcon.Request, context: str) -> None:
        caller = context_of(req).caller
        if context == EDIT and not may_create(caller, self.kind):
            raise refuse("context", caller)

    def embedded(
        self, req: falcon.Request, reading: Reading, found: list[Counted], context: str
    ) -> list[wp_json.Json]:
        embedding = Embedding(
            self.service, context_of(req).caller, self.service.render_context(req), wp_answers.embeds(req, reading)
        )
        items = [self.represent(req, counted, context) for counted in found]
        return embedding.into_terms(items, self.kind, [term for term, _ in found])

    def core_values(self, sent: Sent) -> Reading:
        if self.kind is TAG and sent.get("parent") not in (None, "", 0, "0"):
            raise ApiError(NOT_HIERARCHICAL)
        return core_reading(self.mapped, read_update([one.field for one in self.mapped], sent))


class Terms(TermResource):
    """All categories, or all tags."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service, kind)
        self.address = wp.TERMS[kind][0]

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = wp_answers.query_reading(req, wp.FILTERS[self.kind])
        context = wp_answers.context(reading)
        self.check_context(req, context)
        page, found = wordpress.list_terms(self.service.calendar, context_of(req).caller, self.kind, reading)
        wp_answers.send_list(self.service, req, resp, page, self.embedded(req, reading, found, context))

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        with as_wordpress(OF_TERMS, "create", caller, self.mapped):
            require(may_create(caller, self.kind), caller)
            sent = bodies.read(req, self.service.settings.max_body)
            if sent.get("name") is None:
                raise ApiError(MISSING_PARAM, {"params": ["name"]}, names="name")
            reading = self.core_values({name: value for name, value in sent.items() if value is not None})
            counted = self.service.calendar.create_term(caller, self.kind, reading)
        at = WpAddresses(context_of(req).addresses.base_url)
        location = at.record(TAXONOMIES[self.kind].route, counted[0].id)
        wp_answers.send_written(req, resp, self.represent(req, counted, EDIT), location=location)


class Term(TermResource):
    """One category or tag."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service, kind)
        self.address = wp.TERMS[kind][1]

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, reading = (
            context_of(req).caller,
            wp_answers.query_reading(req, self.address.operations[0].parameters[1:]),
        )
        reading.problems.raise_any()
        context = wp_answers.context(reading)
        self.check_context(req, context)
        with as_wordpress(OF_TERMS, "read", caller):
            counted = self.service.calendar.read_term(caller, self.kind, stored_id(id))
        wp_answers.keep(req, FOREVER)
        [json] = self.embedded(req, reading, [counted], context)
        wp_answers.send_read(self.service, req, resp, json)

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller = context_of(req).caller
        with as_wordpress(OF_TERMS, "update", caller, self.mapped):
            require(may_create(caller, self.kind), caller)
            reading = self.core_values(bodies.read(req, self.service.settings.max_body))
            counted = self.service.calendar.update_term(caller, self.kind, stored_id(id), reading)
        wp_answers.send_written(req, resp, self.represent(req, counted, EDIT))

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller = context_of(req).caller
        with as_wordpress(OF_TERMS, "delete", caller):
            require(may_create(caller, self.kind), caller)
            reading = read_query((wp.FORCE,), from_query(req.query_string))
            reading.problems.raise_any()
            if not reading.values.get("force"):
                self.service.calendar.read_term(caller, self.kind, stored_id(id))
                raise ApiError(NO_TRASH)
            counted = self.service.calendar.delete_term(caller, self.kind, stored_id(id))
        wp_answers.send_deleted(req, resp, self.represent(req, counted, EDIT))
