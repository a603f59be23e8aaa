"""The tickets of an event: an array of objects with types of their own."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar

from kalends.contract.errors import EMPTY, OUT_OF_BOUNDS, WRONG_FORMAT, WRONG_TYPE, FieldError
from kalends.contract.json_schema import TEXT, WHOLE, Key, Representation, Schema, many, or_null, ref
from kalends.contract.types import NOTHING, Type, patterns, text
from kalends.contract.types.lists import elements, inside
from kalends.contract.types.numbers import Whole
from kalends.contract.types.scalars import Date, Url
from kalends.contract.types.texts import Name
from kalends.languages import N_

MOST_TICKETS = 100
LONGEST_PRICE = 20


class Price(Type):
    """A price in decimals, kept as it was written."""

    def read(self, value: object) -> str:
        written = text(round(value, 7) if isinstance(value, float) else value).strip()
        try:
            amount = Decimal(written or "0") if len(written) <= LONGEST_PRICE else Decimal(-1)
        except InvalidOperation:
            amount = Decimal(-1)
        if not amount.is_finite() or not 0 <= amount < Decimal(10) ** 12:
            raise FieldError(WRONG_FORMAT, N_("must be a price such as 12.50."))
        return format(amount, "f") if written else ""

    def schema(self) -> dict[str, Any]:
        written = patterns.padded(r"(?:[0-9]{1,12}(?:\.[0-9]{1,7})?)?")
        number = {"type": "number", "minimum": 0, "exclusiveMaximum": 10**12}
        return {"anyOf": [{"type": "string", "pattern": written}, number], "examples": ["12.50"]}


class CurrencyCode(Type):
    """Three letters such as EUR, or nothing."""

    def read(self, value: object) -> str:
        code = text(value).strip().upper()
        if code and not (len(code) == 3 and code.isascii() and code.isalpha()):
            raise FieldError(WRONG_FORMAT, N_("must be a currency code of three letters such as EUR."))
        return code

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": patterns.padded("(?:[A-Za-z]{3})?"), "examples": ["EUR"]}


TICKET_TYPES: dict[str, Type] = {
    "name": Name(200),
    "price": Price(),
    "currency": CurrencyCode(),
    "url": Url(),
    "capacity": Whole(),
    "starts": Date(),
    "ends": Date(),
}


TICKET = Representation(
    "Ticket",
    N_("A ticket of an event."),
    (
        Key("name", TEXT, N_("The name of the ticket.")),
        Key("price", TEXT, N_("The price as a decimal number.")),
        Key("currency", TEXT, N_("The code of the currency, when it is known.")),
        Key("url", TEXT, N_("Where the ticket is sold.")),
        Key("capacity", or_null(WHOLE), N_("How many there are; null if unknown.")),
        Key("starts", TEXT, N_("When the sale starts, on the event's own clock.")),
        Key("ends", TEXT, N_("When the sale ends, on the event's own clock.")),
    ),
)


@dataclass(frozen=True, slots=True)
class Tickets(Type):
    """Tickets of an event: an array of objects."""

    json: ClassVar[str | None] = "array"
    items: ClassVar[str] = "object"
    shared: ClassVar[str] = "TicketsToSell"
    response_schema: ClassVar[Schema] = many(ref("Ticket"))
    control: ClassVar[str] = "tickets"
    display: ClassVar[str] = "tickets"

    def read(self, value: object) -> list[dict[str, object]]:
        found = elements(value)
        if len(found) > MOST_TICKETS:
            raise FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} elements."), maximum=MOST_TICKETS)
        return [self.ticket(element) for element in found]

    def ticket(self, value: object) -> dict[str, object]:
        if not isinstance(value, Mapping):
            raise FieldError(WRONG_TYPE, N_("must be an array of objects."))
        if value.get("name") is None:
            raise FieldError(EMPTY, N_("must have a name for each ticket."))
        ticket: dict[str, object] = {}
        for name, type_ in TICKET_TYPES.items():
            sent = value.get(name)
            if sent is None or (sent == "" and name != "name"):
                continue
            try:
                ticket[name] = type_.read(sent)
            except FieldError as invalid:
                raise inside(name, invalid) from None
        return ticket

    def cleared(self) -> object:
        return []

    def schema(self) -> dict[str, Any]:
        properties = {
            name: {"anyOf": [NOTHING, type_.schema(), {"type": "null"}]} for name, type_ in TICKET_TYPES.items()
        }
        properties["name"] = TICKET_TYPES["name"].schema()
        ticket = {"type": "object", "properties": properties, "required": ["name"]}
        nothing = {"type": "string", "pattern": r"^\s*$"}
        tickets = {"anyOf": [ticket, nothing, {"type": "null"}]}
        array = {"type": "array", "items": tickets, "maxItems": MOST_TICKETS}
        return {"anyOf": [array, ticket, {"type": "string", "pattern": patterns.BLANK}]}

    def form_schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": patterns.BLANK}
