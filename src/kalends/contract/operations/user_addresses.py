"""The operations of users and their tokens: an extension of the interface, for administrators."""

from functools import partial

from kalends.contract import errors
from kalends.contract.fields import Field
from kalends.contract.headers import LOCATION
from kalends.contract.json_schema import ref
from kalends.contract.operations.model import ALWAYS, ID, Operation, counted, extension, operation, optional
from kalends.contract.types.numbers import Reference
from kalends.contract.user_fields import REASSIGN, TOKEN_FIELDS, USER_FIELDS
from kalends.languages import N_

_USER, _TOKEN = ref("User"), ref("Token")
_admin = partial(operation, restricted=True)

USERS = extension(
    "/users",
    _admin("list_users", N_("List the users"), (), counted("users", _USER, N_("The users."))),
    _admin("create_user", N_("Add a user"), USER_FIELDS, _USER, errors.BAD_USER, headers=(LOCATION,)),
    asks_again=True,
)
ME = extension(
    "/users/me",
    Operation("read_me", N_("Read the current user"), ("GET",), (), _USER, (errors.LOGIN_NEEDED, *ALWAYS)),
)
USER = extension(
    r"/users/(?P<id>\d+)",
    _admin("read_user", N_("Read one user"), (ID,), _USER, errors.NO_USER),
    _admin(
        "delete_user",
        N_("Remove a user"),
        (ID, REASSIGN),
        _USER,
        *(errors.NO_USER, errors.BAD_USER, errors.INVALID_PARAM),
    ),
    _admin("update_user", N_("Change a user"), (ID, *optional(USER_FIELDS)), _USER, errors.NO_USER, errors.BAD_USER),
    asks_again=True,
)
TOKENS = extension(
    r"/users/(?P<id>\d+)/tokens",
    _admin(
        "list_tokens",
        N_("List the tokens of a user"),
        (ID,),
        counted("tokens", _TOKEN, N_("The tokens.")),
        errors.NO_USER,
    ),
    _admin(
        "create_token",
        N_("Create a token, shown only once"),
        (ID, *TOKEN_FIELDS),
        _TOKEN,
        *(errors.NO_USER, errors.BAD_USER),
        shows_secret=True,
    ),
    asks_again=True,
)
_NUMBER = Field("token", Reference(1), N_("The id of the token."), required=True)
TOKEN = extension(
    r"/users/(?P<id>\d+)/tokens/(?P<token>\d+)",
    _admin("delete_token", N_("Revoke a token"), (ID, _NUMBER), _TOKEN, errors.NO_USER, errors.NO_TOKEN),
    asks_again=True,
)
