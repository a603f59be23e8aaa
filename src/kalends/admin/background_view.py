"""Work for later as administrators see it: how much of each kind there is, and what failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin.setting_fields import Tabs
from kalends.store.rows.tasks import NEVER, Count, Task


@dataclass(frozen=True, slots=True)
class BackgroundPage:
    template: ClassVar[str] = "admin/background.html"
    GIVEN_UP: ClassVar[str] = NEVER

    tabs: Tabs
    counts: Sequence[Count]
    failed: Sequence[Task]
    labels: Mapping[str, str]  # of kinds; those of another version have none

    def label(self, kind: str) -> str:
        return self.labels.get(kind, kind)
