"""The form of a source: what it offers, and what was entered, as the interface takes it; records by their names."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from kalends.calendar.access import UnitOfWork
from kalends.calendar.lists.counts import every_name
from kalends.calendar.posts import labels
from kalends.contract.errors import NOT_IN_ENUM, FieldError, Problems
from kalends.contract.fields import read_create
from kalends.contract.kinds import ORGANIZER, TAG, VENUE, Kind
from kalends.contract.statuses import TRASH
from kalends.features.sources.contract import SOURCE_FIELDS
from kalends.features.sources.rows import Source
from kalends.languages import N_
from kalends.site.forms.form import Form
from kalends.store.rows import posts, terms, users

MOST_CHOICES = 500
NAMED: Mapping[str, Kind] = {"tags": TAG, "venue": VENUE, "organizer": ORGANIZER}
NO_SUCH_NAME = N_("There is none with the name “{name}”.")
TEXTS = ("address", "name", "every", "publish", "take", "leave_out", "when_gone")
LABELS = {
    "address": N_("Address"),
    "name": N_("Name"),
    "every": N_("How often it is read"),
    "window": N_("Months"),
    "back": N_("Months back"),
    "ahead": N_("Months ahead"),
    "take": N_("Words to take"),
    "leave_out": N_("Words to leave out"),
    "tags": N_("Tags of all its events"),
    "venue": N_("Venue of events that tell none"),
    "organizer": N_("Organizer of events that tell none"),
    "login": N_("Log-in"),
    "author": N_("Whose events they are"),
}

Choices = Sequence[tuple[str, str]]
Run = Callable[..., list[int]]  # an operation in a read


class Offered(NamedTuple):
    """`names`: of the records that are entered by name; `chosen`: those that a source has."""

    categories: Choices
    people: Choices
    names: Mapping[str, Sequence[str]]
    chosen: Mapping[str, str]


def offered(work: UnitOfWork, source: Source | None) -> Offered:
    people = sorted((user.name, user.id) for user in users.all_users(work.session) if not user.disabled)
    names = {name: [one for _, one in every_name(work, kind)[:MOST_CHOICES]] for name, kind in NAMED.items()}
    return Offered(
        [(str(id), name) for id, name in labels.category_choices(work)[:MOST_CHOICES]],
        [(str(id), name) for name, id in people[:MOST_CHOICES]],
        names,
        {name: _chosen(work, source, name) for name in NAMED} if source is not None else {},
    )


def _chosen(work: UnitOfWork, source: Source, name: str) -> str:
    found = labels.names_of(work, NAMED[name].name, _ids(source, name))
    return ", ".join(found[str(id)] for id in _ids(source, name) if str(id) in found)


def _ids(source: Source, name: str) -> list[int]:
    if name == "tags":
        return [int(id) for id in source.listed(name)]
    return [id for id in (getattr(source, name),) if id]


def values_of(form: Form, source: Source | None, run: Run) -> dict[str, object]:
    """What was entered. Raises ApiError for what is not right. `source`: the one that is changed."""
    sent: dict[str, object] = {name: form.text(name) for name in TEXTS}
    sent["address"] = sent["address"] or None
    sent["categories"] = form.all("categories")
    sent["images"] = form.is_checked("images")
    sent["author"] = form.text("author") or None
    sent["window"] = {name: form.text(name) for name in ("back", "ahead") if form.text(name)}
    user, password = form.text("login_user"), form.text("login_password")
    sent["login"] = {"user": user, "password": password} if user or password else None
    for name in NAMED:
        if name in form.values:
            found = run(_named, name, form.text(name), source)
            sent[name] = found if name == "tags" else sum(found[:1])
    reading = read_create(SOURCE_FIELDS, sent)
    reading.problems.raise_any()
    return dict(reading.values)


def _named(work: UnitOfWork, name: str, written: str, source: Source | None) -> list[int]:
    """The records of these names; of several with one name, the one that the source has."""
    kind = NAMED[name]
    before = (
        {text: int(id) for id, text in labels.names_of(work, kind.name, _ids(source, name)).items()} if source else {}
    )
    found = list[int]()
    for one in dict.fromkeys(part.strip() for part in (written.split(",") if name == "tags" else [written])):
        id = before.get(one) or _find(work, kind, one) if one else 0
        if id:
            found.append(id)
        elif one:
            raise Problems({name: FieldError(NOT_IN_ENUM, NO_SUCH_NAME, name=one)}).error()
    return found


def _find(work: UnitOfWork, kind: Kind, name: str) -> int:
    if kind.is_term:
        term = terms.find_by_name(work.session, kind.name, name)
        return term.id if term is not None else 0
    same = posts.find_folded(work.session, kind.name, name, work.visibility)
    return next((post.id for post in same if post.status != TRASH), 0)
