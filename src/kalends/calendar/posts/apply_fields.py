"""Applies the fields of a request to a record: plain fields of every kind, then those with rules of their own."""

from kalends.calendar.accounts import event_passwords
from kalends.calendar.posts.publication import NEEDS_PUBLISHING, date_post, move_status
from kalends.calendar.posts.schedule import schedule
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import EMPTY, OUT_OF_BOUNDS, WRONG_FORMAT, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.kinds import POSTS, Kind
from kalends.contract.statuses import DRAFT
from kalends.languages import N_
from kalends.store.rows import posts
from kalends.store.rows.records import Event, Post, Venue
from kalends.values import dates
from kalends.values.dates import is_undated

# The columns of the fields that are simply assigned.
PLAIN = {
    kind: {field.name: field.stored for field in kind.fields if field.stored and not field.is_ruled} for kind in POSTS
}
COORDINATES = ("geo_lat", "geo_lng")


def apply(work: UnitOfWork, kind: Kind, post: Post, values: Values, problems: Problems) -> None:
    """Changes the fields that were sent and nothing else."""
    columns = PLAIN[kind]
    for name in columns.keys() & values.keys():
        setattr(post, columns[name], values[name])
    image = values.get("image")
    if isinstance(image, str):
        post.image = work.fetched[image].id
    elif "image" in values:
        post.image = image if isinstance(image, int) else None
    date_post(work, post, values, problems)
    wanted = values.get("status")
    move_status(work, post, None if wanted is None else str(wanted))
    if isinstance(post, Event):
        _apply_event(work, post, values, problems)
    elif isinstance(post, Venue):
        _check_coordinates(values, problems)


def _apply_event(work: UnitOfWork, event: Event, values: Values, problems: Problems) -> None:
    if is_undated(event.start_local, event.end_local) and "start_date" not in values:
        values = {name: value for name, value in values.items() if name != "all_day"}  # days would be dates
    schedule(work, event, values, problems)
    if is_undated(event.start_local, event.end_local) and event.status in NEEDS_PUBLISHING:
        event.status = DRAFT  # until it has dates
    if "post_password" in values:
        password = str(values["post_password"])
        event.password = event_passwords.digest(work.session, password) if password else None
    elif isinstance(
        digest := values.get("password"), bytes
    ):  # of a copy or an import, which does not know the password
        event.password = digest
    if "tickets" in values:
        tickets = values["tickets"]
        try:
            event.tickets = [_ticket(work, event, sent) for sent in tickets] if isinstance(tickets, list) else []
        except dates.NotADate:
            problems.add("tickets", FieldError(WRONG_FORMAT, N_("has a time that is out of the range of dates.")))
        event.ticketed = bool(event.tickets)
    if values.get("post_parent") and _is_above(work, event, event.post_parent):
        problems.add("post_parent", FieldError(OUT_OF_BOUNDS, N_("cannot be the event itself or one below it.")))


def _ticket(work: UnitOfWork, event: Event, sent: dict[str, object]) -> dict[str, object]:
    """A ticket with its times on the event's clock."""
    return {
        name: dates.text(value.local(event.timezone, work.now)) if isinstance(value, dates.Moment) else value
        for name, value in sent.items()
    }


def _is_above(work: UnitOfWork, event: Event, parent: int) -> bool:
    """Whether following the parents from here comes back to the event."""
    visited: set[int] = set()
    while parent and parent not in visited:
        if parent == event.id:
            return True
        visited.add(parent)
        above = posts.find(work.session, "event", parent)
        parent = above.post_parent if isinstance(above, Event) else 0
    return False


def _check_coordinates(values: Values, problems: Problems) -> None:
    """Coordinates come together or not at all."""
    sent = [name for name in COORDINATES if name in values]
    filled = [name for name in sent if values[name] is not None]
    if len(sent) == 1 or len(filled) == 1:
        [missing] = set(COORDINATES) - set(filled or sent)
        problems.add(missing, FieldError(EMPTY, N_("must be sent together with the other coordinate.")))
