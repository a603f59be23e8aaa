"""Sources: calendars elsewhere that are read again and again, so that an event is entered once.

A source is an address, how often it is read, and what becomes of its events. The work for later (`reading.py`) asks
for it at its time; what has not changed costs one request. What has changed is read by the readers of imports,
limited to the window and the words that were chosen (`gathering.py`), and merged by the import (features/importing):
nothing is merged here a second time. What a source no longer has goes only when that is certain (`missing.py`).
"""

from kalends.feature import Feature
from kalends.languages import N_

SOURCES = Feature(
    name="sources",
    tables={
        "source": ("id",),
        "source_state": ("id",),
        "source_run": ("id",),
        "source_event": ("origin", "external_id"),
        "duplicate": ("id",),
    },
    addresses="addresses:ADDRESSES",
    errors="errors:ERRORS",
    groups={"sources": N_("Sources")},
    representations="duplicates.contract:ALL_REPRESENTATIONS",
    schemas="contract:SCHEMAS",
    handlers="api:HANDLERS",
    screens="screens:SCREENS",
    navigation="screens:NAVIGATION",
    letters="letters:LETTERS",
    checks="checks:CHECKS",
    commands={"source": "commands:source", "sync": "commands:sync"},
    hooks="hooks:HOOKS",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
