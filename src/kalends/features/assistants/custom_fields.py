"""The tool that tells which custom fields events have here, to read and send their values and to find events by."""

from collections.abc import Sequence

from kalends.calendar.posts.defined_values import known_fields
from kalends.contract.representations import CUSTOM_FIELD
from kalends.features.assistants.model import Arguments, Assistant, Tool
from kalends.features.assistants.reading import read_arguments
from kalends.features.assistants.results import ALWAYS, CUT, NEXT, PAGING, Json, cursor_of, list_result
from kalends.features.assistants.schemas import input_schema, object_schema, output_schema
from kalends.present.managed import custom_field

NAME = "custom_fields"
SIZE = 25
FIELDS = ("key", "name", "label", "type", "options", "public", "required")
TOTAL = {"type": "integer", "description": "How many there are in all."}


def _run(assistant: Assistant, arguments: Arguments) -> Json:
    reading = read_arguments(PAGING, arguments)
    place = cursor_of(reading.values, reading.problems)
    reading.problems.raise_any()
    defined = [custom_field(row.definition) for row in assistant.calendar.read(assistant.caller, known_fields)]
    found = [{name: json[name] for name in FIELDS} for json in defined]

    def page_of(number: int, size: int) -> tuple[Sequence[Json], int]:
        return found[(number - 1) * size : number * size], len(found)

    return list_result(assistant.base(), NAME, place, page_of, SIZE)


def _output() -> Json:
    one = object_schema([key for key in CUSTOM_FIELD.keys if key.name in FIELDS], ["key", "name", "label", "type"])
    one["properties"] |= CUT
    several = {"type": "array", "items": one}
    return output_schema({**ALWAYS, "total": TOTAL, NAME: several, **NEXT}, [*ALWAYS, "total", NAME], {})


FIND_CUSTOM_FIELDS = Tool(
    f"find_{NAME}",
    "Find custom fields",
    "Which further fields events have in this calendar. An event shows its values in custom_fields by their keys;"
    " create_event and update_event take them there by key or name, and find_events filters by custom, such as"
    ' {"doors": "18:30"} or {"seats": {"from": 10}}.',
    lambda: input_schema(PAGING),
    _output,
    _run,
)
