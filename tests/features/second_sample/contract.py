"""What responses show of it."""

from kalends.contract.fields import RecordField
from kalends.contract.types.texts import Line

SHOWN_FIELDS = {"event": [RecordField("greeting", Line(), "A greeting.", extension=True)]}
