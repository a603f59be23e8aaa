"""The background work of sources."""

from kalends.calendar.service import Calendar
from kalends.features.sources.duplicates import looking as duplicates_looking
from kalends.features.sources.reading import SourceReader


def register_tasks(calendar: Calendar) -> None:
    calendar.background.register(SourceReader(calendar).kind(), duplicates_looking.look_on(calendar))
