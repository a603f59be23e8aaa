"""What a source would bring, before it is added: read once, and nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kalends.calendar.access import Caller, may_manage_site, require
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.service import Calendar
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.web_client import WebError
from kalends.features.sources import rules
from kalends.features.sources.one_read import ReadResult, SourceRead
from kalends.features.sources.remote.readers import HURRIED_SECONDS
from kalends.features.sources.rows import ReadCounts, SourceStatus

SHOWN = 8


@dataclass(frozen=True, slots=True)
class SourcePreview:
    """How many events it would create, and the first of them; or why it cannot be read."""

    kind: str
    counts: ReadCounts
    changes: Sequence[Mapping[str, Any]]
    left_out: int
    problem: ImportMessage | None = None


def preview_of(calendar: Calendar, caller: Caller, values: Mapping[str, object]) -> SourcePreview:
    require(may_manage_site(caller), caller)
    source = calendar.read(caller, rules.draft, values)
    state, result, problem = SourceStatus(id=0), ReadResult(), None
    with WORKER.released(FETCH):
        try:
            SourceRead(calendar, lambda: None, HURRIED_SECONDS, dry=True).gather(source, state, result)
        except SourceError as error:
            problem = error.message
        except WebError as error:
            problem = ImportMessage("{site}: {reason}", site=source.name, reason=error.message)
    return SourcePreview(state.kind, result.counts, result.changes[:SHOWN], result.left_out, problem)
