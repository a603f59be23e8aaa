"""The tool that tells what has changed, as `/changes` does, without the records: read_event reads one."""

import msgspec

from kalends.contract.errors import Problems
from kalends.contract.fields import Values
from kalends.features.assistants.model import Arguments, Assistant, Tool
from kalends.features.assistants.reading import read_arguments
from kalends.features.assistants.results import ALWAYS, CURSOR, MOST_BYTES, NEXT, Json, cursor_of, size_of
from kalends.features.assistants.schemas import input_schema, object_schema, output_schema
from kalends.features.changes import json, polling
from kalends.features.changes.contract import CHANGE, CHANGES_KEYS, CHANGES_PARAMETERS
from kalends.features.changes.pages import ALL_KINDS, WantedChanges

PARAMETERS = ("since", "kinds", "limit", "expand", "show_hidden")
FIELDS = (*(field for field in CHANGES_PARAMETERS if field.name in PARAMETERS), CURSOR, MOST_BYTES)
USUAL = 25
SHOWN = ("rev", "kind", "id", "change", "at", "slug", "because")
BEGIN_ANEW = "Begin again without since, and forget what was told before."


def _run(assistant: Assistant, arguments: Arguments) -> Json:
    reading = read_arguments(FIELDS, arguments)
    values, problems = reading.values, reading.problems
    since = values.pop("cursor", None) or values.get("since")
    most = cursor_of(values, Problems()).most
    problems.raise_any()
    limit = int(str(values.get("limit", USUAL)))
    while True:
        result = _page(assistant, values, None if since is None else str(since), limit)
        if size_of(result) <= most or limit == 1:
            return result
        limit = max(1, limit // 2)


def _page(assistant: Assistant, values: Values, since: str | None, limit: int) -> Json:
    kinds = values.get("kinds")
    wanted = WantedChanges(
        kinds=frozenset(map(str, kinds)) if isinstance(kinds, list) else ALL_KINDS,
        limit=limit,
        has_records=False,
        shows_events=bool(values.get("expand")),
        show_hidden=bool(values.get("show_hidden")),
    )
    page, epoch = polling.read_changes(assistant.calendar, assistant.caller, since, wanted, assistant.render_context)
    found: Json = msgspec.json.decode(json.page(page, epoch))
    changes = [{name: one[name] for name in SHOWN if name in one} for one in found["changes"]]
    result = assistant.base() | found | {"changes": changes}
    return result | {"next_cursor": found["next"]} if found["more"] else result


def _output() -> Json:
    keys = {key.name: key for key in CHANGES_KEYS}
    one = object_schema([key for key in CHANGE.keys if key.name in SHOWN], ["rev", "kind", "id", "change", "at"])
    properties = object_schema([keys["next"], keys["more"]], [])["properties"]
    changes = {"type": "array", "items": one, "description": keys["changes"].meaning}
    return output_schema({**ALWAYS, "changes": changes, **properties, **NEXT}, [*ALWAYS, *keys], {})


CHANGES = Tool(
    "changes",
    "What has changed",
    "Which records were changed or are gone since a token, oldest first; without since, everything that can be read."
    " Keep next and send it as since later: then only what is new comes.",
    lambda: input_schema(FIELDS),
    _output,
    _run,
    advice={410: BEGIN_ANEW, 400: BEGIN_ANEW},
)
