"""Possible duplicates in the interface: what editors are asked, and how they answer."""

from functools import partial

from kalends.contract import errors
from kalends.contract.fields import Field, extensions
from kalends.contract.json_schema import DATE, FLAG, TEXT, WHOLE, Key, Representation, Schema, many, or_null, ref
from kalends.contract.operations.model import ID, counted, extension, operation
from kalends.contract.types.numbers import Whole
from kalends.contract.types.texts import ExactChoice, Line, UsualChoice
from kalends.features.sources.contract import REPRESENTATIONS
from kalends.features.sources.duplicates.rows import OPEN, SAME, STATES, TWO
from kalends.features.sources.errors import ANSWERED, DRAFT_STAYS, NO_DUPLICATE, PUBLISHES
from kalends.languages import N_

MOST, USUAL = 50, 20
_STATE: Schema = {"type": "string", "enum": list(STATES)}
PUBLISHED = Representation(
    "DuplicatePublication",
    N_("What becomes public with an answer."),
    (
        Key("dates", WHOLE, N_("How many events, or dates of a series.")),
        Key("text", TEXT, N_("The beginning of their texts.")),
        Key("version", TEXT, N_("What publish has to be, so that this may become public.")),
    ),
)
SIDE = Representation(
    "DuplicateEvent",
    N_("One of two events that may be one."),
    (
        Key("id", WHOLE, N_("The id of the event.")),
        Key("title", TEXT, N_("Its title.")),
        Key("start_date", DATE, N_("Its start, on its own clock.")),
        Key("status", TEXT, N_("Its status.")),
        Key(
            "publishes",
            ref("DuplicatePublication"),
            N_("What becomes public if the two are the same and this one stays; not there if nothing does."),
            always=False,
        ),
        Key("sources", many(TEXT), N_("The names of the sources that have it; none if somebody entered it.")),
    ),
)
DUPLICATE = Representation(
    "Duplicate",
    N_("Two events that may be one, or an event and what a source has of it."),
    (
        Key("id", WHOLE, N_("The id of the pair.")),
        Key(
            "state",
            _STATE,
            N_("open until somebody answers; same or two; joined where a source's event became another by itself."),
        ),
        Key("score", WHOLE, N_("How much they are alike: 62 and more.")),
        Key("events", many(ref("DuplicateEvent")), N_("The events; a single one of a pair that is joined.")),
        Key("stays", or_null(WHOLE), N_("The id of the event that stays if they are the same and nothing is said.")),
        Key("source", TEXT, N_("The name of the source that a joined event has been recognised in.")),
        Key("alike", WHOLE, N_("How many further pairs of the same series the answer is for.")),
        Key("can_undo", FLAG, N_("Whether the answer can be taken back, by sending open.")),
        Key("updated_utc", DATE, N_("When it was found or answered, in UTC.")),
    ),
)
ALL_REPRESENTATIONS = (*REPRESENTATIONS, PUBLISHED, SIDE, DUPLICATE)
LIST_PARAMETERS = extensions(
    Field("state", UsualChoice(STATES), N_("Which pairs: open, same, two or joined."), default=OPEN),
    Field("page", Whole(1), N_("Which page of the list."), default=1),
    Field("per_page", Whole(1, MOST), N_("How many pairs a page has."), default=USUAL),
)
ANSWER_FIELDS = extensions(
    Field(
        "answer",
        ExactChoice((SAME, TWO, OPEN)),
        N_("same: one event stays and follows both; two: they are two events; open takes the answer back."),
        required=True,
    ),
    Field("keep", Whole(1), N_("The id of the event that stays.")),
    Field(
        "publish",
        Line(),
        N_("That what is not public may become so: the version that publishes of the event that stays has."),
    ),
)
_DUPLICATE = ref("Duplicate")
_editor = partial(operation, restricted=True)
DUPLICATES = extension(
    "/sources/duplicates",
    _editor(
        "list_duplicates",
        N_("List the events that may be duplicates"),
        LIST_PARAMETERS,
        counted("duplicates", _DUPLICATE, N_("The pairs, the likeliest first.")),
        errors.INVALID_PARAM,
    ),
)
DUPLICATE_ITEM = extension(
    r"/sources/duplicates/(?P<id>\d+)",
    _editor("read_duplicate", N_("Read one pair"), (ID,), _DUPLICATE, NO_DUPLICATE),
    _editor(
        "update_duplicate",
        N_("Answer whether two events are the same"),
        (ID, *ANSWER_FIELDS),
        _DUPLICATE,
        *(NO_DUPLICATE, ANSWERED, PUBLISHES, DRAFT_STAYS, errors.MISSING_PARAM),
    ),
)
ADDRESSES = (DUPLICATES, DUPLICATE_ITEM)
