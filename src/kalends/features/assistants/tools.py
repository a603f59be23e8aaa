"""The tools: which there are, who has them, and a call of one."""

from collections.abc import Mapping
from functools import cache

from kalends.calendar.access import Caller
from kalends.calendar.admission import SLOW, WORKER
from kalends.contract.errors import INVALID_PARAM, MISSING_PARAM, ApiError, FieldError
from kalends.contract.kinds import COMPANIONS, EVENT, TERMS
from kalends.features.assistants.changes_tool import CHANGES
from kalends.features.assistants.custom_fields import FIND_CUSTOM_FIELDS
from kalends.features.assistants.finding import FINDERS
from kalends.features.assistants.importing import PREVIEW_IMPORT
from kalends.features.assistants.model import Arguments, Assistant, Tool
from kalends.features.assistants.results import Json
from kalends.features.assistants.writing import CHANGERS, READ_EVENT, creator
from kalends.present.error_sentences import sentences_of, whole_message

LANGUAGE = "en"
LATER = 429  # such errors are about the service and not about the call
NEXT = {
    INVALID_PARAM.code: "Correct these arguments and call the tool again.",
    MISSING_PARAM.code: "Call the tool again with them.",
    "term_exists": "Use the one that exists: its id is in the error.",
}
TRY_AGAIN = "Correct the call and try again."


@cache
def tools() -> Mapping[str, Tool]:
    """Every tool by its name, always in the same order. Made when it is first needed: their schemas take a moment."""
    find_events, whats_on, *finders = FINDERS
    table = (
        *(find_events, whats_on, READ_EVENT, creator(EVENT), *CHANGERS),
        *(*finders, FIND_CUSTOM_FIELDS),
        *(creator(kind) for kind in (*COMPANIONS, *TERMS)),
        *(PREVIEW_IMPORT, CHANGES),
    )
    return {tool.name: tool for tool in table}


def tools_for(caller: Caller) -> list[Tool]:
    """Those that a caller can use."""
    return [tool for tool in tools().values() if tool.is_for(caller)]


def call(tool: Tool, assistant: Assistant, arguments: Arguments) -> Json:
    """The structured result of a call. Raises ApiError where the service itself has no room for it."""
    if tool.writes:
        return tool.run(assistant, arguments)
    with WORKER.released(SLOW):  # a message is admitted as a write, and this is none
        return tool.run(assistant, arguments)


def explained(tool: Tool, error: ApiError) -> Json:
    """What went wrong with a call, and what to do next."""
    status, code = error.error_type.status, error.error_type.code
    next_step = NEXT.get(code) or tool.advice.get(status) or TRY_AGAIN
    content: Json = {"code": code, "status": status, "message": whole_message(error, LANGUAGE), "next": next_step}
    problems = error.data.get("problems")
    if isinstance(problems, dict):
        named = {name: one for name, one in problems.items() if isinstance(one, FieldError)}
        content["params"] = sentences_of(named, LANGUAGE)
    if "term_id" in error.data:
        content["term_id"] = error.data["term_id"]
    return content
