"""Which events of a source are gone there, as far as that is certain. Half an answer, an empty one, or one with far
fewer events removes nothing."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from kalends.features.importing.missing import Missing
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.rows import Imported
from kalends.features.sources.known_rows import Known
from kalends.features.sources.remote.window import SourceWindow
from kalends.languages import N_
from kalends.values import dates

FEW = 4  # events: so many may vanish at once
PATIENCE = timedelta(days=1)  # until a list that has become far shorter is believed
EMPTY = N_("{site} has no events at all now, so nothing is removed here; if it is meant, do it by hand")
SHORTER = N_(
    "{site} has {left} of {count} events left; those that are missing stay here, unless it is still so after a day"
)


class Shorter(SourceError):
    """A list has become far shorter, which is believed after a day."""


def look_for(
    known: Iterable[Known], listed: SourceWindow, gone_ids: Collection[str], window: tuple[datetime, datetime],
    now: datetime, site: str, shrunk_utc: str,
) -> Missing:  # fmt: skip
    """What the source had and does not list any more. `gone_ids`: ids that were noted as gone before.
    Raises SourceError where it lists too little to be believed."""
    expected = [one for one in known if one.external_id not in gone_ids and _is_expected(one, listed, window, now)]
    gone = unlisted(expected, listed)
    if gone and not listed.ids:
        raise SourceError(EMPTY, site=site)
    if len(gone) >= FEW and 2 * len(gone) > len(expected) and not _is_believed(shrunk_utc, now):
        raise Shorter(SHORTER, site=site, left=len(expected) - len(gone), count=len(expected))
    return Missing(gone, (), 0, 0)


def unlisted(expected: Iterable[Known], listed: SourceWindow) -> list[Imported]:
    return [one.imported for one in expected if one.external_id not in listed.ids and not one.is_date]


def _is_expected(one: Known, listed: SourceWindow, window: tuple[datetime, datetime], now: datetime) -> bool:
    """Whether the source would list it, if it had it: it is within the window, and many list only what is to come."""
    if not one.is_within(window) or not one.imported.digests:
        return False
    return one.end_utc >= dates.text(now) or (bool(listed.first) and listed.first <= one.start_utc[:10])


def _is_believed(shrunk_utc: str, now: datetime) -> bool:
    return bool(shrunk_utc) and shrunk_utc <= dates.text(now - PATIENCE)
