"""Every operation of the interface: which methods an address takes, and with which parameters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kalends.contract import common
from kalends.contract.errors import N_
from kalends.contract.fields import Field
from kalends.contract.kinds import EVENT, KINDS, Kind
from kalends.contract.scalars import Reference, Slug, Type
from kalends.contract.users import REASSIGN, TOKEN_FIELDS, USER_FIELDS

NAMESPACE = "calendar/events/v1"
COMPAT_ROOT = "/wp-json"
COMPAT_NAMESPACE = "tribe/events/v1"

UPDATE_METHODS = ("POST", "PUT", "PATCH")


@dataclass(frozen=True, slots=True)
class Operation:
    """Some methods of an address that do one thing."""

    methods: Sequence[str]
    parameters: Sequence[Field]


@dataclass(frozen=True, slots=True)
class Address:
    """A path below the namespace, as a pattern of the index, with its operations."""

    pattern: str
    operations: Sequence[Operation]
    extension: bool = False

    @property
    def methods(self) -> list[str]:
        return [method for operation in self.operations for method in operation.methods]


ID = Field("id", Reference(1), N_("The id of the record."), required=True)
SLUG = Field("slug", Slug(), N_("The slug of the record."), required=True)


def optional(fields: Sequence[Field]) -> tuple[Field, ...]:
    """The fields of a record as an update takes them."""
    return tuple(replace(field, required=False) for field in fields)


def collection(kind: Kind) -> Address:
    return Address(f"/{kind.plural}", (Operation(("GET",), kind.filters), Operation(("POST",), kind.fields)))


def item(kind: Kind) -> Address:
    password = (common.PASSWORD,) if kind is EVENT else ()
    force = () if kind.is_term else (common.FORCE,)
    return Address(
        rf"/{kind.plural}/(?P<id>\d+)",
        (
            Operation(("GET",), (ID, *password)),
            Operation(("DELETE",), (ID, *password, *force)),
            Operation(UPDATE_METHODS, (ID, *password, *optional(kind.fields))),
        ),
    )


def item_by_slug(kind: Kind) -> Address:
    password = (common.PASSWORD_BY_SLUG,) if kind is EVENT else ()
    # In an update of an event the field of that name renames it, so the path's own is not declared again.
    fields = optional(kind.fields)
    named = fields if kind is EVENT else (SLUG, *(field for field in fields if field.name != "slug"))
    return Address(
        rf"/{kind.plural}/by-slug/(?P<slug>[^/]+)",
        (
            Operation(("GET",), (SLUG, *password)),
            Operation(("DELETE",), (SLUG, *password, common.FORCE)),
            Operation(UPDATE_METHODS, named),
        ),
    )


class File(Type):
    """The bytes of an upload."""

    def read(self, value: object) -> object:
        return value


MEDIA = Address(
    "/media",
    (Operation(("POST",), (Field("file", File(), N_("The image to store."), required=True, extension=True),)),),
    extension=True,
)
MEDIA_ITEM = Address(r"/media/(?P<id>\d+)", (Operation(("GET",), (ID,)),), extension=True)


USERS = Address("/users", (Operation(("GET",), ()), Operation(("POST",), USER_FIELDS)), extension=True)
USER = Address(
    r"/users/(?P<id>\d+)",
    (
        Operation(("GET",), (ID,)),
        Operation(("DELETE",), (ID, REASSIGN)),
        Operation(UPDATE_METHODS, (ID, *optional(USER_FIELDS))),
    ),
    extension=True,
)
ME = Address("/users/me", (Operation(("GET",), ()),), extension=True)
TOKENS = Address(
    r"/users/(?P<id>\d+)/tokens",
    (Operation(("GET",), (ID,)), Operation(("POST",), (ID, *TOKEN_FIELDS))),
    extension=True,
)
TOKEN = Address(
    r"/users/(?P<id>\d+)/tokens/(?P<token>\d+)",
    (Operation(("DELETE",), (ID, Field("token", Reference(1), N_("The id of the token."), required=True))),),
    extension=True,
)


def addresses() -> list[Address]:
    """Every address below the namespace, in the order of the index."""
    found: list[Address] = []
    for kind in KINDS:
        found += [collection(kind), item(kind)]
        if not kind.is_term:
            found.append(item_by_slug(kind))
    return [*found, MEDIA, MEDIA_ITEM, USERS, ME, USER, TOKENS, TOKEN]
