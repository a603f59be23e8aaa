"""What `make conformance` excuses, and what it does not."""

import pytest
from tests.features.assistants.conformance import missing_for


@pytest.mark.parametrize(
    ("message", "missing"),
    [
        ("Failed: Unknown tool: test_simple_text. There are: find_events.", "tool `test_simple_text`"),
        ("Tool 'json_schema_2020_12_tool' not found. Available tools: changes", "tool `json_schema_2020_12_tool`"),
        ("JSON-RPC error -32601: Method not found: prompts/list", "method `prompts/list`"),
        ("JSON-RPC error -32601: Method not found: tools/list", None),
        ("Failed: Unknown tool: find_events.", None),
        ("Missing required field: resultType", None),
    ],
)
def test_only_what_a_calendar_has_not_is_excused(message: str, missing: str | None) -> None:
    assert missing_for("some-check", message) == missing
