"""The tables of users and their tokens: an extension of the interface, for administrators."""

from kalends.contract.fields import Field, extensions
from kalends.contract.roles import ROLE_WORDS
from kalends.contract.types.numbers import Flag, Reference
from kalends.contract.types.scalars import Date, Email
from kalends.contract.types.texts import Choice, Name, Secret
from kalends.languages import N_

TOKEN_PURPOSES = ("bearer", "application")

USER_FIELDS = extensions(
    Field("name", Name(60), N_("The name to log in with."), required=True),
    Field("role", Choice(ROLE_WORDS), N_("The role, which decides the rights."), required=True),
    Field("password", Secret(8), N_("The password, of at least 8 characters."), required=True),
    Field("email", Email(), N_("The address that gets messages; empty is none.")),
)
REASSIGN = Field(
    "reassign",
    Reference(1),
    N_("The id of the user who takes over the records of the deleted user."),
    extension=True,
)
TOKEN_FIELDS = extensions(
    Field("name", Name(100), N_("What the token is for."), required=True),
    Field("expires", Date(), N_("When the token expires; without a value it never does.")),
    Field("read_only", Flag(), N_("Whether the token may only read."), default=False),
    Field(
        "purpose",
        Choice(TOKEN_PURPOSES),
        N_("bearer for a token, application for a password to log in with."),
        default="bearer",
    ),
)
