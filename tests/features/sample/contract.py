"""What responses show of wishes, and the filter by them."""

from kalends.contract.fields import Field, RecordField
from kalends.contract.json_schema import UNMASKED
from kalends.contract.types.numbers import Flag, Whole
from kalends.contract.types.texts import Line

WISHES = RecordField("wishes", Whole(), "How many wishes there are.", default=0, extension=True, tec="wishes")
SHOWN_FIELDS = {
    "event": [
        WISHES,
        RecordField(
            "wishing", Line(), "Whether wishes can be made: open or closed.", extension=True, masked=UNMASKED
        ),
    ],
    "venue": [RecordField("wishes", Whole(), "How many wishes there are.", always=False, extension=True)],
}
FILTERS = (Field("wished", Flag(), "Only events with wishes, or only those without.", extension=True),)
