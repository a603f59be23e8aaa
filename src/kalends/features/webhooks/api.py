"""Webhooks, for administrators. Rights are asked in features/webhooks/rules.py."""

import falcon

from kalends.calendar.access import may_manage_site, require_to_read
from kalends.contract.fields import Values, read_create, read_query, read_update
from kalends.features.webhooks import journal_pages as pages
from kalends.features.webhooks import rules as operations
from kalends.features.webhooks.addresses import (
    DELIVERIES,
    RESEND,
    WEBHOOK_ITEM,
    WEBHOOK_ROTATE,
    WEBHOOK_TEST,
    WEBHOOKS,
)
from kalends.features.webhooks.contract import (
    DELIVERIES_PARAMETERS,
    DELIVERY,
    USUAL_DELIVERIES,
    WEBHOOK,
    WEBHOOK_FIELDS,
)
from kalends.features.webhooks.rows import Delivery
from kalends.features.webhooks.rows import Webhook as Record
from kalends.http.api.resources import stored_id
from kalends.http.messages import responses
from kalends.http.messages.parameters import from_query
from kalends.http.request_context import context_of
from kalends.http.router import DescribedResource
from kalends.present.managed import Json, filled


class WebhookResource(DescribedResource):
    """What the handlers of webhooks have in common."""

    right = staticmethod(may_manage_site)

    def start_position(self, req: falcon.Request, values: Values) -> int | None:
        """Checks what was sent, and reads where a webhook is to begin."""
        operations.check(context_of(req).caller, values, self.service.settings)
        since = values.get("since")
        return None if since is None else pages.position_of(self.calendar, str(since))

    def address_of(self, req: falcon.Request, id: int) -> str:
        return f"{context_of(req).addresses.ns}/webhooks/{id}"

    def json_of(self, record: Record, *, with_secret: bool = False) -> Json:
        """The secret is shown when it is made, and never again."""
        secret = {"secret": record.secret} if with_secret else {}
        since = pages.token_of(self.calendar, record.place)
        return filled(WEBHOOK, record, kinds=record.kinds.split(","), since=since, **secret)


def shown_delivery(record: Delivery) -> Json:
    return filled(DELIVERY, record, webhook_id=record.message)


class Webhooks(WebhookResource):
    """All webhooks."""

    address = WEBHOOKS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        found = [self.json_of(one) for one in self.calendar.read(context_of(req).caller, operations.everyone)]
        responses.send(req, resp, {"webhooks": found, "total": len(found)}, items="webhooks")

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = read_create(WEBHOOK_FIELDS, self.body(req))
        reading.problems.raise_any()
        place = self.start_position(req, reading.values)
        webhook = self.calendar.write(context_of(req).caller, operations.create, reading.values, place)
        address = self.address_of(req, webhook.id)
        resp.set_header("Location", address)
        responses.send(req, resp, self.json_of(webhook, with_secret=True), status=201, secret_of=address)


class SingleWebhook(WebhookResource):
    """One webhook."""

    address = WEBHOOK_ITEM

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        webhook = self.calendar.read(context_of(req).caller, operations.find, stored_id(id))
        responses.send(req, resp, self.json_of(webhook))

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        reading, caller = read_update(WEBHOOK_FIELDS, self.body(req)), context_of(req).caller
        reading.problems.raise_any()
        self.calendar.read(caller, operations.find, stored_id(id))
        place = self.start_position(req, reading.values)
        webhook = self.calendar.write(caller, operations.update, stored_id(id), reading.values, place)
        responses.send(req, resp, self.json_of(webhook))

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        webhook = self.calendar.write(context_of(req).caller, operations.delete, stored_id(id))
        responses.send(req, resp, self.json_of(webhook))


class Test(WebhookResource):
    """A test message."""

    address = WEBHOOK_TEST

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller = context_of(req).caller
        delivery = operations.test(self.calendar, caller, stored_id(id), pages.of(self.calendar))
        responses.send(req, resp, shown_delivery(delivery))


class Rotate(WebhookResource):
    """A new secret."""

    address = WEBHOOK_ROTATE

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        webhook = self.calendar.write(context_of(req).caller, operations.rotate, stored_id(id))
        address = self.address_of(req, webhook.id)
        responses.send(req, resp, self.json_of(webhook, with_secret=True), secret_of=address)


class DeliveryLog(WebhookResource):
    """The log of a webhook."""

    address = DELIVERIES

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller = context_of(req).caller
        require_to_read(may_manage_site(caller), caller)
        reading = read_query(DELIVERIES_PARAMETERS, from_query(req.query_string))
        reading.problems.raise_any()
        most, before = int(str(reading.values.get("limit", USUAL_DELIVERIES))), reading.values.get("before")
        last = before if isinstance(before, int) else None
        found = self.calendar.read(caller, operations.deliveries, stored_id(id), most, last)
        json = {"deliveries": [shown_delivery(one) for one in found]}
        responses.send(req, resp, json, items="deliveries")


class Resend(WebhookResource):
    """A message once more."""

    address = RESEND

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int, n: int) -> None:
        caller, page_of = context_of(req).caller, pages.of(self.calendar)
        delivery = operations.resend(self.calendar, caller, stored_id(id), stored_id(n), page_of)
        responses.send(req, resp, shown_delivery(delivery))


HANDLERS = (Webhooks, SingleWebhook, Test, Rotate, DeliveryLog, Resend)
