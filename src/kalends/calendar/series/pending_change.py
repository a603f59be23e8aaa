"""What a change of a series has left to its dates, as the task says that goes on with it (sharing.py)."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from kalends.calendar.access import SERVICE
from kalends.calendar.posts.apply_fields import NEEDS_PUBLISHING, move_status
from kalends.calendar.series import shared_fields
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.statuses import DRAFT, PENDING, TRASH
from kalends.store.engine.store import Session
from kalends.store.rows import fragments, redirects, series, tasks
from kalends.store.rows.records import Event, Series

TASK = "series-dates"

Targets = Mapping[str, Sequence[int]]


class Left(msgspec.Struct, frozen=True, omit_defaults=True):
    """What dates are still to take over from the template: columns or custom fields, and kinds of links; what becomes
    of their statuses; and who changed it. To take it over once more changes nothing."""

    names: list[str]
    kinds: list[str]
    user: int
    status: str = ""  # for those that have none of their own,
    is_whole: bool = False  # and for the others of a series of which nothing is public yet
    restores: bool = False  # what the rule gives comes back from the trash, what it does not give goes there
    trashes: bool = False  # all go to the trash, after what is said above
    deletes: bool = False  # all are deleted for good, and the series with the last of them
    publishes: bool = True  # whether that person may publish
    parent: int = 0  # the first date, if it is another than before
    renews: bool = False  # each is stored anew in any case, since it belongs to another series than before
    # Dates in the trash that are deleted for good after that, since others had them as their parent.
    removes: tuple[int, ...] = ()
    after: int = 0  # the number of the last date that has taken it over

    @property
    def is_followed(self) -> bool:
        """Whether it is about what later dates get when all have it; until it is done, they do not say it."""
        acts = self.status or self.restores or self.trashes or self.deletes
        return bool(acts) or not shared_fields.FOLLOWED.isdisjoint(self.names)

    @property
    def is_awaited(self) -> bool:
        """Whether the client is answered when all of it is done: nobody is told what is not yet so."""
        return self.is_followed or self.renews or len(self.removes) > 0

    def after_date(self, id: int) -> "Left":
        """The same when a date has taken it over."""
        return msgspec.structs.replace(self, after=id)

    def encoded(self) -> str:
        return msgspec.json.encode(self).decode()

    def followed_by(self, later: "Left") -> "Left":
        """The same with what a later change leaves. It begins with the first date."""
        # Where all come back or get another status, what they had before says nothing any more.
        of_statuses = later if later.status or later.restores else self
        return Left(
            sorted({*self.names, *later.names}),
            sorted({*self.kinds, *later.kinds}),
            later.user,
            status=of_statuses.status,
            is_whole=of_statuses.is_whole,
            restores=of_statuses.restores,
            trashes=later.trashes or of_statuses.trashes,
            deletes=self.deletes or later.deletes,
            publishes=of_statuses.publishes,
            parent=later.parent or self.parent,
            renews=later.renews or self.renews,
            removes=(*self.removes, *later.removes),
        )

    def take_over(
        self, work: UnitOfWork, event: Event, template: Event, given: Collection[str], kept: Collection[str] = ()
    ) -> None:
        """`given`: the times at which the rule has a date. `kept`: what else a date keeps besides its own."""
        for name in self.names:
            if name not in event.own_fields and name not in kept:
                shared_fields.put(event, name, shared_fields.value_of(template, name))
        if "status" not in kept:
            self._set_status(work, event, template, given)
        if self.parent:
            event.post_parent = 0 if event.id == self.parent else self.parent

    def _set_status(self, work: UnitOfWork, event: Event, template: Event, given: Collection[str]) -> None:
        if self.restores and event.original_start not in given:
            trash(event)
        elif self.restores and event.status == TRASH:
            restore(event, template, publishes=self.publishes)
        elif event.status != TRASH and (self.status or "date_utc" in self.names):
            # Whoever takes it over may have fewer rights than who asked for it.
            allowing = msgspec.structs.replace(work, caller=SERVICE)
            take_status(allowing, event, self.status or None, is_whole=self.is_whole)
        if self.trashes:
            trash(event)


def pending(session: Session, id: int) -> Left | None:
    """What the dates of a series are still to take over."""
    task = tasks.find(session, TASK, str(id))
    return None if task is None else msgspec.json.decode(task.payload, type=Left)


def forget(session: Session, id: int) -> None:
    """After the dates have taken everything over."""
    tasks.remove(session, TASK, str(id))


def take_status(work: UnitOfWork, event: Event, wanted: str | None, *, is_whole: bool) -> None:
    """Gives a date the status of all, unless it has its own. `is_whole`: one that only waited goes along."""
    if is_whole and wanted is not None and event.status in (DRAFT, PENDING):
        event.own_fields = [name for name in event.own_fields if name != "status"]
    move_status(work, event, None if "status" in event.own_fields else wanted)


def trash(event: Event) -> None:
    if event.status != TRASH:
        event.trashed_from, event.status = event.status, TRASH


def restore(event: Event, template: Event, *, publishes: bool) -> None:
    """A date comes back from the trash, as it was before if it has a status of its own."""
    own = event.trashed_from if "status" in event.own_fields else template.status
    event.status, event.trashed_from = allowed(own or template.status, publishes=publishes), ""


def allowed(status: str, *, publishes: bool) -> str:
    """The status for what a person adds: a contributor never publishes."""
    return PENDING if status in NEEDS_PUBLISHING and not publishes else status


def remove(work: UnitOfWork, found: Series) -> None:
    """Deletes a series that has no events any more, unless it was never stored."""
    if found.id:
        series.delete(work.session, found.id)
        fragments.delete(work.session, found.id)
        redirects.forget(work.session, redirects.SERIES, found.id)
        forget(work.session, found.id)
