"""Custom fields: everybody reads the public ones, administrators define them. Rights are asked in
features/custom_fields/rules.py."""

from typing import Any

import falcon

from kalends.calendar.access import may_manage_site
from kalends.contract.fields import read_create, read_query, read_update
from kalends.features.custom_fields.addresses import CUSTOM_FIELD, CUSTOM_FIELDS
from kalends.features.custom_fields.contract import DEFINITION_FIELDS, FORCE
from kalends.features.custom_fields.rules import change, delete_in_parts
from kalends.features.custom_fields.rules import create as create_custom_field
from kalends.features.custom_fields.rules import find as read_custom_field
from kalends.features.custom_fields.rules import listed as list_custom_fields
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages import responses
from kalends.http.messages.parameters import from_query
from kalends.http.request_context import context_of, keep_until
from kalends.http.router import DescribedResource
from kalends.present.managed import custom_field


class DefinitionResource(DescribedResource):
    """What the handlers of definitions have in common."""

    right = staticmethod(may_manage_site)

    def send(self, req: falcon.Request, resp: falcon.Response, json: dict[str, Any]) -> None:
        """Sends what was read."""
        keep_until(req, FOREVER)
        changed = self.calendar.last_change(context_of(req).caller)
        responses.send_read(req, resp, json, changed=changed)


class Definitions(DefinitionResource):
    """All custom fields that the caller can know of."""

    address = CUSTOM_FIELDS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        found = self.calendar.read(context_of(req).caller, list_custom_fields)
        self.send(req, resp, {"custom_fields": [custom_field(field) for field in found]})

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = read_create(DEFINITION_FIELDS, self.body(req))
        field = self.calendar.write(context_of(req).caller, create_custom_field, reading)
        resp.set_header("Location", f"{context_of(req).addresses.ns}/custom-fields/{field.key}")
        responses.send(req, resp, custom_field(field), status=201)


class SingleDefinition(DefinitionResource):
    """One custom field, by its key or name."""

    address = CUSTOM_FIELD

    def on_get(self, req: falcon.Request, resp: falcon.Response, key: str) -> None:
        self.send(req, resp, custom_field(self.calendar.read(context_of(req).caller, read_custom_field, key)))

    def on_post(self, req: falcon.Request, resp: falcon.Response, key: str) -> None:
        reading = read_update(DEFINITION_FIELDS, self.body(req))
        responses.send(req, resp, custom_field(self.calendar.write(context_of(req).caller, change, key, reading)))

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, key: str) -> None:
        reading = read_query((FORCE,), from_query(req.query_string))
        self.require_right(req)
        reading.problems.raise_any()
        force = bool(reading.values.get("force"))
        responses.send(
            req, resp, custom_field(delete_in_parts(self.calendar, context_of(req).caller, key, force=force))
        )


HANDLERS = (Definitions, SingleDefinition)
