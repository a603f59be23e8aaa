"""The JSON of what administrators manage: the keys that `contract/` lists, filled in from records. What these do not
list, such as hashes, digests and secrets, is shown nowhere."""

from typing import Any

from kalends.contract.json_schema import Representation
from kalends.contract.representations import CUSTOM_FIELD, TOKEN, USER
from kalends.features.webhooks.contract import DELIVERY, WEBHOOK
from kalends.features.webhooks.rows import Delivery, Webhook
from kalends.store.rows.records import Token, User
from kalends.values.custom_fields import CustomField

Json = dict[str, Any]


def _filled(shape: Representation, record: object, **own: object) -> Json:
    """The keys that are always there, as `own` says or else from the attribute of that name; then what else there is
    to say."""
    always = (key.name for key in shape.keys if key.always)
    return {name: own.pop(name) if name in own else getattr(record, name) for name in always} | own


def user(record: User) -> Json:
    return _filled(USER, record)


def remaining(tokens: int, application_passwords: int) -> Json:
    """What stays valid after a new password."""
    return {"valid_tokens": tokens, "valid_application_passwords": application_passwords}


def token(record: Token, clear: str | None = None) -> Json:
    """`clear` is the token itself, shown once when it is made."""
    return _filled(TOKEN, record, **({} if clear is None else {"token": clear}))


def webhook(record: Webhook, since: str, *, with_secret: bool = False) -> Json:
    """`since`: its place as a token. The secret is shown when it is made, and never again."""
    secret = {"secret": record.secret} if with_secret else {}
    return _filled(WEBHOOK, record, kinds=record.kinds.split(","), since=since, **secret)


def delivery(record: Delivery) -> Json:
    return _filled(DELIVERY, record, webhook_id=record.message)


def custom_field(record: CustomField) -> Json:
    return _filled(CUSTOM_FIELD, record, options=list(record.options))
