"""What responses show of cheers, and the filter by them."""

from kalends.contract.fields import Field, RecordField
from kalends.contract.json_schema import UNMASKED
from kalends.contract.types.numbers import Flag, Whole
from kalends.contract.types.texts import Line

CHEERS = RecordField("cheers", Whole(), "How many cheers there are.", default=0, extension=True, tec="cheers")
SHOWN_FIELDS = {
    "event": [
        CHEERS,
        RecordField(
            "cheering", Line(), "Whether cheers can be made: open or closed.", extension=True, masked=UNMASKED
        ),
    ],
    "venue": [RecordField("cheers", Whole(), "How many cheers there are.", always=False, extension=True)],
}
FILTERS = (Field("cheered", Flag(), "Only events with cheers, or only those without.", extension=True),)
