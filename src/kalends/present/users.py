"""The JSON of users and tokens, without hashes and digests."""

from typing import Any

from kalends.store.rows.records import Token, User

Json = dict[str, Any]


def user(record: User) -> Json:
    return {
        "id": record.id,
        "name": record.name,
        "role": record.role,
        "email": record.email,
        "created_utc": record.created_utc,
    }


def remaining(tokens: int, application_passwords: int) -> Json:
    """What stays valid after a new password."""
    return {"valid_tokens": tokens, "valid_application_passwords": application_passwords}


def token(record: Token, clear: str | None = None) -> Json:
    """`clear` is the token itself, shown once when it is made."""
    json = {
        "id": record.id,
        "name": record.name,
        "purpose": record.purpose,
        "read_only": record.read_only,
        "created_utc": record.created_utc,
        "expires_utc": record.expires_utc,
        "used_utc": record.used_utc,
    }
    return json if clear is None else json | {"token": clear}
