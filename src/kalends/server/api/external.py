"""Creates or updates a record by its id at the source that it comes from."""

import falcon

from kalends.calendar.access import may_create, require
from kalends.calendar.service import Shown
from kalends.contract.common import EXTERNAL
from kalends.contract.errors import EMPTY, INVALID_PARAM, PRECONDITION_FAILED, TAKEN, ApiError, FieldError
from kalends.contract.fields import read, read_create, read_update
from kalends.languages import N_
from kalends.present import json as representation
from kalends.server.api.resources import KindResource, check_match
from kalends.server.http import bodies, responses
from kalends.server.request_context import context_of


class RecordByExternalId(KindResource):
    """One record of any kind. The path names its source and its id there, whatever the body says."""

    def on_put(self, req: falcon.Request, resp: falcon.Response, source: str, external_id: str) -> None:
        caller, kind = context_of(req).caller, self.kind
        require(may_create(caller, kind), caller)
        sent = bodies.read(req, self.service.settings.max_body) | {"source": source, "external_id": external_id}
        name = read(EXTERNAL, sent)
        if not name.values.get("external_id"):
            name.problems.add("external_id", FieldError(EMPTY, N_("cannot be blank.")))
        name.problems.raise_any()
        source, external_id = str(name.values["source"]), str(name.values["external_id"])
        try:
            self._put(req, resp, sent, self.service.calendar.find_external(kind, source, external_id))
        except ApiError as error:
            if not _is_taken(error):
                raise
            # Another request created it meanwhile.
            self._put(req, resp, sent, self.service.calendar.find_external(kind, source, external_id))

    def _put(self, req: falcon.Request, resp: falcon.Response, sent: dict[str, object], id: int | None) -> None:
        if id is None:
            if req.get_header("If-Match"):
                raise ApiError(PRECONDITION_FAILED)
            id, json = self._create(req, sent)
            resp.set_header("Location", context_of(req).addresses.record(self.kind, id))
            responses.send(req, resp, json, status=201)
        else:
            responses.send(req, resp, self._update(req, sent, id))

    def _create(self, req: falcon.Request, sent: dict[str, object]) -> tuple[int, representation.Json]:
        calendar, context, kind = self.service.calendar, context_of(req), self.kind
        reading = read_create(kind.fields, sent)
        if kind.is_term:
            counted = calendar.create_term(context.caller, kind, reading)
            return counted[0].id, representation.term(kind, *counted, self.service.render_context(req))
        shown = calendar.create_post(context.caller, kind, reading, context.addresses.base_url)
        return shown[0].id, self.service.represent(req, shown)

    def _update(self, req: falcon.Request, sent: dict[str, object], id: int) -> representation.Json:
        calendar, context, kind = self.service.calendar, context_of(req), self.kind
        reading = read_update(kind.fields, sent)
        if kind.is_term:
            counted = calendar.update_term(context.caller, kind, id, reading)
            return representation.term(kind, *counted, self.service.render_context(req))

        def precondition(shown: Shown) -> None:
            check_match(req, self.service.represent(req, shown, single=True))

        shown = calendar.update_post(
            context.caller, kind, id, reading, context.addresses.base_url, precondition=precondition
        )
        return self.service.represent(req, shown)


def _is_taken(error: ApiError) -> bool:
    problems = error.data.get("problems")
    problem = problems.get("external_id") if isinstance(problems, dict) else None
    return error.error_type is INVALID_PARAM and isinstance(problem, FieldError) and problem.code == TAKEN
