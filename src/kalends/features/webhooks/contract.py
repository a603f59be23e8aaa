"""The tables of webhooks: receivers of changes, for administrators."""

from dataclasses import dataclass
from typing import Any

from kalends.contract.fields import Field, extensions
from kalends.contract.json_schema import DATE, FLAG, TEXT, URL, WHOLE, Key, Representation, Schema, many, or_null
from kalends.contract.kinds import KIND_OF
from kalends.contract.types import Type, text
from kalends.contract.types.lists import StatusFilter
from kalends.contract.types.numbers import Flag, Reference, Whole
from kalends.contract.types.scalars import Url
from kalends.contract.types.texts import Choice, Line, UsualChoice
from kalends.features.changes.contract import ChangeToken
from kalends.languages import N_

PUBLIC, EVERYTHING = "public", "everything"
SEES = (PUBLIC, EVERYTHING)
RECORDS, NO_RECORDS = "records", ""
GONE, FAILED = "gone", "failed"  # why one was switched off by itself
MOST_DELIVERIES, USUAL_DELIVERIES = 1000, 100


@dataclass(frozen=True, slots=True)
class Include(Type):
    """What changes carry; nothing is nothing."""

    def read(self, value: object) -> str:
        return Choice((RECORDS,)).read(value) if text(value).strip() else NO_RECORDS

    def cleared(self) -> object:
        return NO_RECORDS

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": [RECORDS, NO_RECORDS]}


@dataclass(frozen=True, slots=True)
class Kinds(StatusFilter):
    """Kinds of records; null stands for all."""

    def cleared(self) -> object:
        return list(self.words)


WEBHOOK_FIELDS = extensions(
    Field("url", Url(), N_("The address that messages are sent to."), required=True),
    Field("kinds", Kinds(tuple(KIND_OF)), N_("The kinds of records to tell of; all by default.")),
    Field("sees", UsualChoice(SEES), N_("What is told: what is public, or everything, drafts too."), default=PUBLIC),
    Field("include", Include(), N_("records: each change carries its record."), default=NO_RECORDS),
    Field("active", Flag(True), N_("Whether messages are sent."), default=True),
    Field("description", Line(500), N_("What the webhook is for."), default=""),
    Field(
        "since",
        ChangeToken(),
        N_("Where it begins: the next of a page of changes. Without it, with what changes from now on."),
    ),
)
DELIVERY_NUMBER = Field("n", Reference(1), N_("The number of the delivery."), required=True, extension=True)
DELIVERIES_PARAMETERS = extensions(
    Field("limit", Whole(1, MOST_DELIVERIES), N_("The most deliveries of a page."), default=USUAL_DELIVERIES),
    Field("before", Reference(1), N_("Only deliveries with smaller numbers.")),
)

WEBHOOK = Representation(
    "Webhook",
    N_("A receiver of changes."),
    (
        Key("id", WHOLE, N_("The id of the webhook.")),
        Key("url", URL, N_("The address that messages are sent to.")),
        Key("kinds", many({"type": "string", "enum": list(KIND_OF)}), N_("The kinds of records that it is told of.")),
        Key("sees", {"type": "string", "enum": list(SEES)}, N_("What is told: what is public, or everything.")),
        Key(
            "include",
            {"type": "string", "enum": [RECORDS, NO_RECORDS]},
            N_("records if each change carries its record."),
        ),
        Key("active", FLAG, N_("Whether messages are sent.")),
        Key("description", TEXT, N_("What the webhook is for.")),
        Key(
            "problem",
            {"type": "string", "enum": ["", GONE, FAILED]},
            N_("Why it was switched off: gone if the receiver said so, failed after the last try."),
        ),
        Key("since", TEXT, N_("Everything up to this place was taken, as a token of changes.")),
        Key("created_utc", DATE, N_("When it was created, in UTC.")),
        Key("secret", TEXT, N_("What signs the messages; shown only when it is made."), False),
    ),
)
DELIVERY = Representation(
    "Delivery",
    N_("One try to send a message."),
    (
        Key("n", WHOLE, N_("The number of the delivery.")),
        Key("webhook_id", TEXT, N_("The id of the message, which is the same for each try.")),
        Key("at", DATE, N_("When it was sent, in UTC.")),
        Key("status", or_null(WHOLE), N_("The status of the answer; null if there was none.")),
        Key("milliseconds", WHOLE, N_("How long it took.")),
        Key("response", TEXT, N_("The beginning of the answer, or why there was none.")),
    ),
)
REPRESENTATIONS = (WEBHOOK, DELIVERY)
SCHEMAS: dict[str, Schema] = {
    "WebhookSees": {"type": "string", "enum": list(SEES)},
    "WebhookInclude": {"type": "string", "enum": [RECORDS, NO_RECORDS]},
}
