"""The operations of webhooks: an extension of the interface, for administrators."""

from collections.abc import Sequence

from kalends.contract import errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import LOCATION, Header
from kalends.contract.json_schema import WHOLE, Key, Schema, many, ref
from kalends.contract.operations.model import (
    ALWAYS,
    BODY,
    ID,
    UPDATE_METHODS,
    WRITE,
    Address,
    Operation,
    envelope,
    optional,
)
from kalends.contract.webhooks import DELIVERIES_PARAMETERS, DELIVERY_NUMBER, WEBHOOK_FIELDS
from kalends.languages import N_


def _admin(
    name: str,
    summary: str,
    methods: Sequence[str],
    parameters: Sequence[Field],
    response: Schema,
    error_types: Sequence[ErrorType] = (),
    status: int = 200,
    headers: Sequence[Header] = (),
) -> Operation:
    possible = (errors.NO_ROUTE, errors.NO_WEBHOOK, *error_types) if ID in parameters else error_types
    return Operation(name, summary, methods, parameters, response, (*possible, *WRITE, *ALWAYS), status, headers)


WEBHOOKS = Address(
    "/webhooks",
    (
        _admin(
            "list_webhooks",
            N_("List the webhooks"),
            ("GET",),
            (),
            envelope(
                (
                    Key("webhooks", many(ref("Webhook")), N_("The webhooks.")),
                    Key("total", WHOLE, N_("How many records there are in all.")),
                )
            ),
        ),
        _admin(
            "create_webhook",
            N_("Add a webhook, whose secret is shown only once"),
            ("POST",),
            WEBHOOK_FIELDS,
            ref("Webhook"),
            (errors.MISSING_PARAM, errors.BAD_WEBHOOK, errors.CHANGES_EXPIRED, *BODY),
            201,
            (LOCATION,),
        ),
    ),
    "webhooks",
    extension=True,
)
WEBHOOK_ITEM = Address(
    r"/webhooks/(?P<id>\d+)",
    (
        _admin("read_webhook", N_("Read one webhook"), ("GET",), (ID,), ref("Webhook")),
        _admin("delete_webhook", N_("Remove a webhook"), ("DELETE",), (ID,), ref("Webhook")),
        _admin(
            "update_webhook",
            N_("Change a webhook"),
            UPDATE_METHODS,
            (ID, *optional(WEBHOOK_FIELDS)),
            ref("Webhook"),
            (errors.BAD_WEBHOOK, errors.CHANGES_EXPIRED, *BODY),
        ),
    ),
    "webhooks",
    extension=True,
)
WEBHOOK_TEST = Address(
    r"/webhooks/(?P<id>\d+)/test",
    (
        _admin(
            "test_webhook",
            N_("Send a test message, and tell what came back"),
            ("POST",),
            (ID,),
            ref("Delivery"),
            (errors.BAD_WEBHOOK,),
        ),
    ),
    "webhooks",
    extension=True,
)
WEBHOOK_ROTATE = Address(
    r"/webhooks/(?P<id>\d+)/rotate",
    (
        _admin(
            "rotate_webhook",
            N_("Make a new secret; for 24 hours, the old one signs too"),
            ("POST",),
            (ID,),
            ref("Webhook"),
        ),
    ),
    "webhooks",
    extension=True,
)
DELIVERIES = Address(
    r"/webhooks/(?P<id>\d+)/deliveries",
    (
        _admin(
            "list_deliveries",
            N_("List what was sent in the last 30 days, and what came back"),
            ("GET",),
            (ID, *DELIVERIES_PARAMETERS),
            envelope((Key("deliveries", many(ref("Delivery")), N_("The deliveries, the newest first.")),)),
            (errors.INVALID_PARAM,),
        ),
    ),
    "webhooks",
    extension=True,
)
RESEND = Address(
    r"/webhooks/(?P<id>\d+)/deliveries/(?P<n>\d+)/resend",
    (
        _admin(
            "resend_delivery",
            N_("Send a message again, under the same id"),
            ("POST",),
            (ID, DELIVERY_NUMBER),
            ref("Delivery"),
            (errors.NO_DELIVERY, errors.BAD_WEBHOOK, errors.CHANGES_EXPIRED),
        ),
    ),
    "webhooks",
    extension=True,
)
