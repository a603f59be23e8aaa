"""Hooks: what the core tells features and asks of them. This is the table of all of them, each by its signature.

The core calls what features answer, in the order of the features:

    for tell in hooks.changed:
        tell(work, is_part=False)

A feature answers with functions of the same signature. `HOOKS` in its `hooks.py` has those that operations call, and
`SERVICE_HOOKS` in its `service_hooks.py` those that only a running service calls, so that a command does not load
the pages:

    HOOKS = [hooks.changed.by(notices.changed), hooks.post_letter.by(outbox.post_letter)]
"""
# What is declared here has no body.
# mypy: disable-error-code="empty-body"

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, ParamSpec, TypeVar

from kalends.feature import declared

if TYPE_CHECKING:
    import falcon
    from markupsafe import Markup
    from rich.console import Console

    from kalends.admin.locating import Locate
    from kalends.admin.request import AdminRequest
    from kalends.admin.screen import Screen
    from kalends.calendar.access import UnitOfWork
    from kalends.calendar.letters import Facts
    from kalends.calendar.security import SecurityEntry
    from kalends.calendar.service import Calendar
    from kalends.calendar.transactions import Transactions
    from kalends.contract.errors import Problems
    from kalends.contract.fields import Values
    from kalends.contract.kinds import Kind
    from kalends.http.router import DescribedResource, Responder
    from kalends.http.service import Service
    from kalends.settings import Settings
    from kalends.site.pages.page_blocks import Block
    from kalends.store.engine.store import Session
    from kalends.store.query.list_query import ListQuery
    from kalends.store.rows.records import Post, Term, User
    from kalends.values.more import More

P = ParamSpec("P")
R = TypeVar("R")


class Hook(Generic[P, R]):
    """A row of the table. Iterating it gives the functions of the features, in their order."""

    def __init__(self, signature: Callable[P, R], part: str) -> None:
        self.name = signature.__name__
        self.about = " ".join((signature.__doc__ or "").split())
        self.part = part  # of a feature's declaration, where its answers are

    def by(self, function: Callable[P, R]) -> Answer:
        """A feature's answer."""
        return Answer(self, function)

    def __iter__(self) -> Iterator[Callable[P, R]]:
        return iter(functions_of(self))


@cache
def functions_of(hook: Hook[..., Any]) -> tuple[Callable[..., Any], ...]:
    """What the features answer a hook with."""
    answers: Sequence[Answer] = [answer for of_one in declared(hook.part) for answer in of_one]
    return tuple(answer.function for answer in answers if answer.hook is hook)


class Answer(NamedTuple):
    """A function of a feature, and the hook that it answers."""

    hook: Hook[..., Any]
    function: Callable[..., Any]


def hook(signature: Callable[P, R]) -> Hook[P, R]:
    return Hook(signature, "hooks")


def service_hook(signature: Callable[P, R]) -> Hook[P, R]:
    return Hook(signature, "service_hooks")


def table() -> list[Hook[..., Any]]:
    """All of them."""
    return [row for row in globals().values() if isinstance(row, Hook)]


# What happened


class Stored(NamedTuple):
    """An event, a venue or an organizer before it was stored and after it. Before, a new one was not there."""

    before: Post | None
    after: Post


@hook
def stored(work: UnitOfWork, kind: Kind, records: Sequence[Stored]) -> None:
    """Records have been created or changed, and have their ids: what the feature keeps of them in tables of its own
    (`RecordField.table`) is written now, in the same transaction."""


@hook
def changed(work: UnitOfWork, *, is_part: bool) -> None:
    """Once in a transaction that has `work.changed_events`, before it commits. `is_part`: it goes on with what an
    earlier transaction began."""


@hook
def merged(work: UnitOfWork, kind: Kind, old: int, new: int) -> None:
    """A record became another one, which its events are linked to now. The old one goes to the trash, a category or
    tag for good, and may come back when that is undone."""


@hook
def renamed(work: UnitOfWork, kind: Kind, before: Post | Term, after: Post | Term) -> None:
    """A record got another slug."""


@hook
def deleted(work: UnitOfWork, kind: Kind, id: int) -> None:
    """A record is about to be deleted for good: nothing refers to it any more."""


@hook
def person_removed(work: UnitOfWork, person: User, heir: User | None) -> None:
    """An account is about to be deleted, and its records have the heir as their author."""


@hook
def security(work: UnitOfWork, entry: SecurityEntry) -> None:
    """Somebody signed in, or has other rights from this transaction on."""


@hook
def refused(calendar: Transactions, entry: SecurityEntry) -> None:
    """Somebody was refused, outside of a transaction."""


# What a feature has to say to an operation


@hook
def apply_fields(work: UnitOfWork, post: Post, values: Values, problems: Problems) -> None:
    """What a request has sent is applied to a record, new or stored: fields with rules of their own."""


@hook
def refuse(work: UnitOfWork, kind: Kind, records: Sequence[Stored], problems: Problems) -> None:
    """Records are about to be stored, of a series all that change: what is wrong with them, beside its parameter.
    Nothing is written before it was asked. New records have no ids yet."""


@hook
def apply_filters(work: UnitOfWork, query: ListQuery, values: Values, problems: Problems) -> ListQuery:
    """A list of events is asked for by a filter that a feature declares."""


@hook
def more_of(work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> Mapping[int, More]:
    """Events, venues or organizers are shown: what the feature adds to these, by id, for who asks. The keys of their
    JSON are rows of its `shown_fields`, or of its other fields, whose values these replace."""


@hook
def clock_changes(session: Session, now: str) -> tuple[str, str]:
    """Answers are kept until something changes: when, in UTC, the clock alone last changed what the feature adds for
    everybody, up to now, and when it will next; "" where it did not or will not."""


@hook
def former_ids(work: UnitOfWork, id: int) -> Sequence[tuple[str, int]]:
    """Which records, as kind and id, had a number in another calendar; the last first."""


@hook
def identities(session: Session, kind: str, ids: Collection[int]) -> Mapping[int, tuple[str, str]]:
    """Source and id there of records, by their ids here: an export tells where merged ones came from."""


@hook
def named_events(work: UnitOfWork, name: str) -> NamedEvents | None:
    """Events that belong together under a name of the feature, for the table of events."""


class NamedEvents(NamedTuple):
    """Events that belong together, and what they are called."""

    label: str
    ids: Sequence[int]


@hook
def after_password(session: Session, user: User, settings: Settings, *, in_browser: bool) -> bool:
    """A password was right: whether it is not enough."""


@hook
def sends_letters(settings: Settings) -> bool:
    """Whether letters are sent now."""


@hook
def post_letter(
    work: UnitOfWork,
    kind: str,
    address: str,
    facts: Facts | Callable[[], Facts],
    *,
    user: User | None,
    most_per_day: int | None,
    despite_refusal: bool,
) -> bool:
    """The core or a feature wants a letter sent (calendar/letters.py); whether it is."""


# What a feature adds to a running service: tasks, addresses, pages, screens


@service_hook
def register_tasks(calendar: Calendar) -> None:
    """An application is made around a calendar: kinds of work for later are registered."""


@service_hook
def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    """An application is made: routes beside the interface are added."""


@service_hook
def around_write(resource: DescribedResource, path: str, responder: Responder) -> Responder:
    """A write of the interface gets its responder: the same, or one around it."""


@service_hook
def page_blocks(work: UnitOfWork, page: object) -> Sequence[Block]:
    """The page of an event or of other records, the calendar, the editor or the public form is shown, which have room
    for blocks (site/pages/page_blocks.py). `work` is that of the page."""


@service_hook
def page_links(about: str, settings: Settings) -> Sequence[tuple[str, str]]:
    """A page with a list or an event has room for links: their paths and labels."""


@service_hook
def record_blocks(
    work: UnitOfWork, request: AdminRequest, position: str, kind: Kind, ids: Sequence[int]
) -> Mapping[int, Markup]:
    """A place on a page of the admin has room for more about these records, by id (admin/request.py)."""


@service_hook
def before_screen(request: AdminRequest, screen: Screen) -> bool:
    """A screen of the admin is asked for: whether this has answered in its place."""


@service_hook
def ways_to_sign_in(request: AdminRequest, place: str, user: User | None) -> Markup:
    """A page about signing in, of nobody or of a person, has room for more (admin/request.py)."""


@service_hook
def second_step(request: AdminRequest, user: User, stay: bool) -> None:
    """A right password is not enough in the browser: asks for the rest."""


@service_hook
def locator(settings: Settings) -> Locate | None:
    """What finds the place of an address on the map (admin/locating.py)."""


@service_hook
def fill_with_samples(calendar: Calendar, console: Console) -> None:
    """`kalends serve --demo` fills a calendar that has no events."""
