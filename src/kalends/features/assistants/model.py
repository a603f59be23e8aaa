"""What a tool is, and what it works with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache

from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.contract.fields import Field
from kalends.contract.json_schema import Schema
from kalends.contract.types.numbers import Flag
from kalends.features.assistants.results import NOTICE, Json
from kalends.present.addresses import Addresses, RenderContext
from kalends.values import zones

DRY_RUN = Field(
    "dry_run",
    Flag(),
    "Try it and change nothing: the result is what it would be, or why it would be refused.",
    default=False,
)


@dataclass(frozen=True, slots=True)
class Assistant:
    """Who calls a tool: a person's assistant, with the rights of that person."""

    calendar: Calendar
    caller: Caller
    addresses: Addresses
    client: str = ""  # the address that wrong passwords count for

    @property
    def render_context(self) -> RenderContext:
        settings = self.calendar.settings
        return RenderContext(self.addresses, settings.timezone, settings.currency)

    @property
    def now(self) -> datetime:
        """The present on the site's clock, with its offset."""
        utc = self.calendar.clock().replace(microsecond=0)
        return utc.replace(tzinfo=UTC).astimezone(zones.zone(self.calendar.settings.timezone))

    def base(self) -> Json:
        """What every result has."""
        return {"now": self.now.isoformat(), "timezone": self.calendar.settings.timezone, "notice": NOTICE}


Arguments = Mapping[str, object]


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """A tool: what it takes and gives as schemas, who has it, and what it does. `advice`: what to do next after an
    error, by the status. The schemas are made for the first assistant who asks: they need the OpenAPI document, which
    takes a fifth of the time of a start."""

    name: str
    title: str
    description: str
    input: Callable[[], Schema]
    output: Callable[[], Schema]
    run: Callable[[Assistant, Arguments], Json]
    is_for: Callable[[Caller], bool] = lambda caller: True
    writes: bool = False
    destroys: bool = False  # takes something away, though it can be brought back
    repeats: bool = True  # the same call again changes nothing more
    leaves_site: bool = False  # it asks other servers
    advice: Mapping[int, str] = field(default_factory=dict)

    def described(self) -> Json:
        """As `tools/list` shows it."""
        taken, given = _schemas(self)
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": taken,
            "outputSchema": given,
            "annotations": {
                "title": self.title,
                "readOnlyHint": not self.writes,
                "destructiveHint": self.destroys,
                "idempotentHint": self.repeats,
                "openWorldHint": self.leaves_site,
            },
        }


@cache
def _schemas(tool: Tool) -> tuple[Schema, Schema]:
    return tool.input(), tool.output()
