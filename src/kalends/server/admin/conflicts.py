"""Two people edit the same thing: the second is shown what the first has saved, beside what was typed.

A form carries the version that it shows. The operation that changes something asks `unchanged` in its transaction
whether that is still the stored one; `noticed` puts a conflict into the form, which then shows it in words.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from kalends.contract.errors import PRECONDITION_FAILED, ApiError
from kalends.languages import N_
from kalends.server.admin.screen import Visit
from kalends.server.admin.who_and_when import names_of_people, who
from kalends.server.forms import Form

T = TypeVar("T")

VERSION = "version"  # the field of the form
CHANGED = N_("{name} changed this while you were editing it.")


def version_of(shown: Mapping[str, str]) -> str:
    """The version of something that has no number of its own: a digest of what its form shows."""
    written = "\0".join(f"{name}\1{value}" for name, value in sorted(shown.items()))
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def unchanged(form: Form, version: Callable[[T], str]) -> Callable[[T], None]:
    """A precondition: what is about to change is what the form has shown."""

    def check(stored: T) -> None:
        if form.text(VERSION) and form.text(VERSION) != version(stored):
            raise ApiError(PRECONDITION_FAILED)

    return check


@contextmanager
def noticed(visit: Visit, form: Form, kind: str, id: int, sentence: str = CHANGED) -> Iterator[None]:
    """Around an operation with such a precondition. `kind` and `id`: what it changes, as the journal knows it."""
    try:
        yield
    except ApiError as error:
        if error.error_type is not PRECONDITION_FAILED:
            raise
        actor = visit.calendar.last_editor(visit.caller, kind, id)
        name = who(visit, names_of_people(visit), actor) if actor else visit.say(N_("Somebody"))
        form.refuse(VERSION, sentence, name=name)


def is_in(form: Form | None) -> bool:
    """Whether the form was refused because of a conflict."""
    return form is not None and VERSION in form.errors


def status_of(form: Form | None) -> int:
    """Of the page that shows a form again."""
    return 409 if is_in(form) else 400 if form is not None and form.errors else 200
