"""One request's work inside one transaction: who asks, at what time, and where it is kept."""

from dataclasses import dataclass, field
from datetime import datetime

from kalends.calendar.access import Caller, visibility_of
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.query.visibility import Visibility
from kalends.store.rows.records import Media
from kalends.values import dates


@dataclass(frozen=True, slots=True)
class UnitOfWork:
    """Everything an operation may look at. `now` is UTC; nothing below asks the machine what time it is."""

    session: Session
    caller: Caller
    now: datetime
    settings: Settings
    base_url: str = ""
    # Images that were fetched for this request and wait to be written down, by their address.
    fetched: dict[str, Media] = field(default_factory=dict)

    @property
    def visibility(self) -> Visibility:
        return visibility_of(self.caller)

    @property
    def now_text(self) -> str:
        return dates.text(self.now)
