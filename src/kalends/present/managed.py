"""The JSON of what administrators manage: the keys that `contract/` lists, filled in from records. What these do not
list, such as hashes, digests and secrets, is shown nowhere."""

from typing import Any

from kalends.contract.json_schema import Representation
from kalends.contract.representations import CUSTOM_FIELD, TOKEN, USER
from kalends.store.rows.records import Token, User
from kalends.values.custom_fields import CustomField

Json = dict[str, Any]


def filled(shape: Representation, record: object, **computed: object) -> Json:
    """The keys that are always there, as `computed` says or else from the attribute of that name; then what else
    there is to say."""
    always = (key.name for key in shape.keys if key.always)
    return {name: computed.pop(name) if name in computed else getattr(record, name) for name in always} | computed


def user(record: User) -> Json:
    return filled(USER, record)


def custom_field(field: CustomField) -> Json:
    return filled(CUSTOM_FIELD, field, options=list(field.options))


def remaining(tokens: int, application_passwords: int) -> Json:
    """What stays valid after a new password."""
    return {"valid_tokens": tokens, "valid_application_passwords": application_passwords}


def token(record: Token, clear: str | None = None) -> Json:
    """`clear` is the token itself, shown once when it is made."""
    return filled(TOKEN, record, **({} if clear is None else {"token": clear}))
