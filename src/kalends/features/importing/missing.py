"""What a site had before and does not list now. A list that changes while it is read can leave out what is there, so
the site is asked for each record."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from kalends.calendar.service import Calendar
from kalends.contract.kinds import KIND_OF
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.features.importing import rows as imports
from kalends.features.importing.matching.identities import find
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import Item, SourceError, number_in
from kalends.features.importing.rows import Imported
from kalends.features.importing.sources.site import RemoteSite, Unclear
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows.records import Term

MOST_ASKED = 1000  # records of one round that are asked for one by one
MOST_UNCLEAR = 5  # answers in a row that say nothing, after which nobody asks on


class Missing(NamedTuple):
    """Of the records that the site does not list: those that are gone, what is there after all, how many are neither,
    and how many were not asked for."""

    gone: Sequence[Imported]
    items: Sequence[Item]
    unclear: int
    not_asked: int

    def remarks(self, site: str) -> list[ImportMessage]:
        found = []
        if self.unclear:
            sentence = N_("{count} records that {site} no longer lists stay: it did not say that they are gone")
            found.append(ImportMessage(sentence, count=self.unclear, site=site))
        if self.not_asked:
            sentence = N_("{count} more records that {site} no longer lists stay; the next import asks about them")
            found.append(ImportMessage(sentence, count=self.not_asked, site=site))
        return found


def look_for(
    calendar: Calendar, source: RemoteSite, seen: Collection[tuple[str, int]], among: Callable[[Imported], bool]
) -> Missing:
    """What became of the records that an import from the beginning has not seen, `among` some. Raises SourceError
    where its lists say too little to tell."""
    if source.short_lists:
        raise SourceError(
            "{site} has fewer pages of {lists} than it counts, so nothing is removed here",
            site=source.label,
            lists=", ".join(sorted(source.short_lists)),
        )
    with calendar.store.read() as session:
        present = list(imports.present_at(session, source.name))
        unseen = [known for known in present if (known.kind, known.id) not in seen and number_in(known.external_id)]
        missing = [known for known in unseen if among(known)]
        if missing and not any(kind == "event" for kind, _ in seen):
            raise SourceError(
                "{site} has no events at all now, so nothing is removed here; if it is meant, do it by hand",
                site=source.label,
            )
        # Of what is not public nobody can know whether it is gone, unless the site shows that too.
        found = [known for known in missing if _is_here(session, known, public_only=not source.has_drafts)]
    return _asked(source, found[:MOST_ASKED], not_asked=max(0, len(found) - MOST_ASKED))


def _is_here(session: Session, known: Imported, *, public_only: bool) -> bool:
    """Whether a record is here and not in the trash."""
    found = find(session, KIND_OF[known.kind], known.id)
    if found is None or isinstance(found, Term):
        return found is not None
    return found.status == PUBLISH or (not public_only and found.status != TRASH)


def _asked(source: RemoteSite, missing: Sequence[Imported], not_asked: int) -> Missing:
    """A site that answers nothing clear again and again is left alone."""
    gone, items, in_a_row, unclear = list[Imported](), list[Item](), 0, 0
    for known in missing:
        if in_a_row == MOST_UNCLEAR:
            unclear += 1
            continue
        try:
            found = source.ask(KIND_OF[known.kind], int(known.external_id))
        except Unclear:
            in_a_row, unclear = in_a_row + 1, unclear + 1
            continue
        in_a_row = 0
        if found is None:
            gone.append(known)
        else:
            items += found
    return Missing(gone, items, unclear, not_asked)
