"""The parameters and the response of a page of changes."""

from dataclasses import dataclass
from typing import Any

from kalends.contract.fields import Field, extensions
from kalends.contract.json_schema import DATE, FLAG, TEXT, WHOLE, Key, Representation, either, many, ref
from kalends.contract.kinds import COMPANIONS, KIND_OF
from kalends.contract.types import Type, text
from kalends.contract.types.lists import StatusFilter
from kalends.contract.types.numbers import Flag, Whole
from kalends.contract.types.texts import Choice
from kalends.languages import N_

MOST_CHANGES, USUAL_CHANGES = 1000, 100
LONGEST_WAIT = 25  # seconds


@dataclass(frozen=True, slots=True)
class ChangeToken(Type):
    """A place in the journal, as a response named it."""

    def read(self, value: object) -> str:
        return text(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": r"^[0-9A-Za-z]+(-[ce][0-9]{1,18})?\.[0-9]{1,18}$"}


CHANGES_PARAMETERS = extensions(
    Field(
        "since", ChangeToken(), N_("The value of next in the last page; without it, everything that you can read.")
    ),
    Field("kinds", StatusFilter(tuple(KIND_OF)), N_("The kinds of records to tell of; all by default.")),
    Field("limit", Whole(1, MOST_CHANGES), N_("The most changes of a page."), default=USUAL_CHANGES),
    Field("include", Choice(("records",)), N_("records: each change carries its record.")),
    Field(
        "expand",
        Choice(("events",)),
        N_("events: also the events that show a venue, organizer, category, tag or series that has changed."),
    ),
    Field(
        "show_hidden",
        Flag(),
        N_("Include events that are hidden from lists; only for users who can edit them."),
    ),
    Field(
        "wait",
        Whole(0, LONGEST_WAIT),
        N_("How many seconds to wait for the first change, if there is none yet."),
        default=0,
    ),
)

CHANGE = Representation(
    "Change",
    N_("A record that has changed, or that you can no longer read."),
    (
        Key("rev", WHOLE, N_("The number of the change.")),
        Key("kind", {"type": "string", "enum": list(KIND_OF)}, N_("The kind of the record.")),
        Key("id", WHOLE, N_("The id of the record.")),
        Key(
            "change",
            {"type": "string", "enum": ["changed", "gone"]},
            N_("gone: it was deleted, or is no longer for you."),
        ),
        Key("at", DATE, N_("When it changed, in UTC.")),
        Key("slug", TEXT, N_("The slug; of what is gone, the last that you could read.")),
        Key("source", TEXT, N_("The calendar or program that the record comes from.")),
        Key("external_id", TEXT, N_("The id that the record has at its source.")),
        Key(
            "record",
            either(ref("Event"), *(ref(kind.name.title()) for kind in COMPANIONS), ref("Term")),
            N_("The record as its own address shows it to you; only with include=records."),
            always=False,
        ),
        Key(
            "because",
            {
                "type": "object",
                "properties": {"kind": TEXT, "id": WHOLE},
                "required": ["kind", "id"],
            },
            N_("What has changed that the event shows; only with expand=events."),
            always=False,
        ),
    ),
)
CHANGES_KEYS = (
    Key("changes", many(ref("Change")), N_("The changes by their number, each record at most once.")),
    Key("next", TEXT, N_("Where the next page begins: send it as since.")),
    Key("more", FLAG, N_("Whether there is more by now.")),
)
CHANGES = Representation("Changes", N_("A page of changes."), CHANGES_KEYS)
REPRESENTATIONS = (CHANGES, CHANGE)
