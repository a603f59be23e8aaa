"""The operations of users and their tokens: an extension of the interface, for administrators."""

from collections.abc import Sequence

from kalends.contract import errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import LOCATION, Header
from kalends.contract.json_schema import WHOLE, Key, Schema, many, ref
from kalends.contract.numbers import Reference
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
from kalends.contract.users import REASSIGN, TOKEN_FIELDS, USER_FIELDS
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
    possible = (errors.NO_ROUTE, *error_types) if ID in parameters else error_types
    return Operation(name, summary, methods, parameters, response, (*possible, *WRITE, *ALWAYS), status, headers)


USERS = Address(
    "/users",
    (
        _admin(
            "list_users",
            N_("List the users"),
            ("GET",),
            (),
            envelope(
                (
                    Key("users", many(ref("User")), N_("The users.")),
                    Key("total", WHOLE, N_("How many records there are in all.")),
                )
            ),
        ),
        _admin(
            "create_user",
            N_("Add a user"),
            ("POST",),
            USER_FIELDS,
            ref("User"),
            (errors.MISSING_PARAM, errors.BAD_USER, *BODY),
            201,
            (LOCATION,),
        ),
    ),
    "users",
    extension=True,
)
ME = Address(
    "/users/me",
    (Operation("read_me", N_("Read the current user"), ("GET",), (), ref("User"), (errors.LOGIN_NEEDED, *ALWAYS)),),
    "users",
    extension=True,
)
USER = Address(
    r"/users/(?P<id>\d+)",
    (
        _admin("read_user", N_("Read one user"), ("GET",), (ID,), ref("User"), (errors.NO_USER,)),
        _admin(
            "delete_user",
            N_("Remove a user"),
            ("DELETE",),
            (ID, REASSIGN),
            ref("User"),
            (errors.NO_USER, errors.BAD_USER, errors.INVALID_PARAM),
        ),
        _admin(
            "update_user",
            N_("Change a user"),
            UPDATE_METHODS,
            (ID, *optional(USER_FIELDS)),
            ref("User"),
            (errors.NO_USER, errors.BAD_USER, *BODY),
        ),
    ),
    "users",
    extension=True,
)
TOKENS = Address(
    r"/users/(?P<id>\d+)/tokens",
    (
        _admin(
            "list_tokens",
            N_("List the tokens of a user"),
            ("GET",),
            (ID,),
            envelope(
                (
                    Key("tokens", many(ref("Token")), N_("The tokens.")),
                    Key("total", WHOLE, N_("How many records there are in all.")),
                )
            ),
            (errors.NO_USER,),
        ),
        _admin(
            "create_token",
            N_("Create a token, shown only once"),
            ("POST",),
            (ID, *TOKEN_FIELDS),
            ref("Token"),
            (errors.NO_USER, errors.BAD_USER, errors.MISSING_PARAM, *BODY),
            201,
        ),
    ),
    "users",
    extension=True,
)
TOKEN = Address(
    r"/users/(?P<id>\d+)/tokens/(?P<token>\d+)",
    (
        _admin(
            "delete_token",
            N_("Revoke a token"),
            ("DELETE",),
            (ID, Field("token", Reference(1), N_("The id of the token."), required=True)),
            ref("Token"),
            (errors.NO_USER, errors.NO_TOKEN),
        ),
    ),
    "users",
    extension=True,
)
