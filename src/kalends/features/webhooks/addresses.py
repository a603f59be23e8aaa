"""The operations of webhooks: an extension of the interface, for administrators."""

from functools import partial

from kalends.contract import errors
from kalends.contract.headers import LOCATION
from kalends.contract.json_schema import Key, many, ref
from kalends.contract.operations.model import ID, counted, envelope, extension, operation, optional
from kalends.features.changes.errors import CHANGES_EXPIRED
from kalends.features.webhooks.contract import DELIVERIES_PARAMETERS, DELIVERY_NUMBER, WEBHOOK_FIELDS
from kalends.features.webhooks.errors import BAD_WEBHOOK, NO_DELIVERY, NO_WEBHOOK
from kalends.languages import N_

_WEBHOOK, _DELIVERY = ref("Webhook"), ref("Delivery")
_UNUSABLE = (BAD_WEBHOOK, CHANGES_EXPIRED)
_admin = partial(operation, restricted=True)

WEBHOOKS = extension(
    "/webhooks",
    _admin("list_webhooks", N_("List the webhooks"), (), counted("webhooks", _WEBHOOK, N_("The webhooks."))),
    _admin(
        "create_webhook",
        N_("Add a webhook, whose secret is shown only once"),
        WEBHOOK_FIELDS,
        _WEBHOOK,
        *_UNUSABLE,
        headers=(LOCATION,),
        shows_secret=True,
    ),
    asks_again=True,
)
WEBHOOK_ITEM = extension(
    r"/webhooks/(?P<id>\d+)",
    _admin("read_webhook", N_("Read one webhook"), (ID,), _WEBHOOK, NO_WEBHOOK),
    _admin("delete_webhook", N_("Remove a webhook"), (ID,), _WEBHOOK, NO_WEBHOOK),
    _admin(
        "update_webhook",
        N_("Change a webhook"),
        (ID, *optional(WEBHOOK_FIELDS)),
        _WEBHOOK,
        *(NO_WEBHOOK, *_UNUSABLE),
    ),
    asks_again=True,
)
WEBHOOK_TEST = extension(
    r"/webhooks/(?P<id>\d+)/test",
    _admin(
        "test_webhook",
        N_("Send a test message, and tell what came back"),
        (ID,),
        _DELIVERY,
        *(NO_WEBHOOK, BAD_WEBHOOK),
    ),
    asks_again=True,
)
WEBHOOK_ROTATE = extension(
    r"/webhooks/(?P<id>\d+)/rotate",
    _admin(
        "rotate_webhook",
        N_("Make a new secret; for 24 hours, the old one signs too"),
        (ID,),
        _WEBHOOK,
        NO_WEBHOOK,
        shows_secret=True,
    ),
    asks_again=True,
)
DELIVERIES = extension(
    r"/webhooks/(?P<id>\d+)/deliveries",
    _admin(
        "list_deliveries",
        N_("List what was sent in the last 30 days, and what came back"),
        (ID, *DELIVERIES_PARAMETERS),
        envelope((Key("deliveries", many(_DELIVERY), N_("The deliveries, the newest first.")),)),
        *(NO_WEBHOOK, errors.INVALID_PARAM),
    ),
)
RESEND = extension(
    r"/webhooks/(?P<id>\d+)/deliveries/(?P<n>\d+)/resend",
    _admin(
        "resend_delivery",
        N_("Send a message again, under the same id"),
        (ID, DELIVERY_NUMBER),
        _DELIVERY,
        *(NO_WEBHOOK, NO_DELIVERY, *_UNUSABLE),
    ),
    asks_again=True,
)
ADDRESSES = (WEBHOOKS, WEBHOOK_ITEM, WEBHOOK_TEST, WEBHOOK_ROTATE, DELIVERIES, RESEND)
