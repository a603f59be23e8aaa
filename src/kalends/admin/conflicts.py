"""Two people edit the same thing: the second is shown what the first has saved, beside what was typed.

A form carries the version that it shows. The operation that changes something asks `unchanged` in its transaction
whether that is still the stored one; `noticed` puts a conflict into the form, which then shows it in words.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from kalends.admin.request import AdminRequest
from kalends.admin.values_in_words import yes_or_no
from kalends.calendar.editing import concurrent_edits
from kalends.contract.errors import PRECONDITION_FAILED, ApiError
from kalends.languages import N_
from kalends.site.forms.form import GENERAL, VERSION, Form
from kalends.values import markup

T = TypeVar("T")

CHANGED = N_("{name} changed this while you were editing it.")


class ConflictingField(NamedTuple):
    """A field that the two have filled in differently."""

    label: str
    theirs: str
    yours: str
    choice: str = ""  # the control that says which of the two is taken


class Control(NamedTuple):
    """A control of a form, of whatever it is. `choices`: the labels of its values."""

    name: str
    label: str  # in the language of the reader
    is_html: bool = False
    is_flag: bool = False
    choices: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Edited:
    """What a form has beside its controls: their labels, the version that it shows, and what somebody else has
    changed since; None where nobody has."""

    labels: Mapping[str, str]
    version: str
    conflict: Sequence[ConflictingField] | None = None


def edited(
    form: Form, controls: Sequence[Control], form_values: Mapping[str, str], version: str | None = None, **labels: str
) -> Edited:
    """`form_values`: what the controls show of what is stored; `version`: its number, where it has one; `labels`: of
    those that are not compared."""
    return Edited(
        labels={control.name: control.label for control in controls} | labels,
        version=version_for(form, version_of(form_values) if version is None else version),
        conflict=of_controls(controls, form_values, form.values, form.language) if is_in(form) else None,
    )


def version_for(form: Form, stored: str) -> str:
    """The version that a page sends again. A form that was refused for another reason than a conflict keeps its own:
    the person has not been shown what is stored now."""
    return stored if is_in(form) else form.text(VERSION, stored)


def version_of(form_values: Mapping[str, str]) -> str:
    """The version of something that has no number of its own: a digest of what its form shows."""
    written = "\0".join(f"{name}\1{value}" for name, value in sorted(form_values.items()))
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def unchanged(form: Form, values_of: Callable[[T], str | Mapping[str, str]]) -> Callable[[T], None]:
    """A precondition: what is about to change is what the form has shown. `values_of`: the number of its version, or
    what the form would show of it."""

    def check(stored: T) -> None:
        now = values_of(stored)
        if form.text(VERSION) and form.text(VERSION) != (now if isinstance(now, str) else version_of(now)):
            raise ApiError(PRECONDITION_FAILED)

    return check


@contextmanager
def noticed(
    request: AdminRequest, form: Form, kind: str, id: int, sentence: str = CHANGED, control: str = GENERAL
) -> Iterator[None]:
    """Around an operation with such a precondition: what it refuses stands in the form then. `kind` and `id`: what it
    changes, as the journal knows it."""
    try:
        with form.refusals(control):
            yield
    except ApiError as error:
        if error.error_type is not PRECONDITION_FAILED:
            raise
        form.refuse(VERSION, sentence, name=last_editor(request, kind, id))


def last_editor(request: AdminRequest, kind: str, id: int) -> str:
    """The name of who has changed something last."""
    actor = request.calendar.read(request.caller, concurrent_edits.last_editor, kind, id)
    return request.who(actor) if actor else request.say(N_("Somebody"))


def is_in(form: Form) -> bool:
    """Whether the form was refused because of a conflict."""
    return VERSION in form.errors


def of_controls(
    controls: Iterable[Control], stored: Mapping[str, str], typed: Mapping[str, Sequence[str]], language: str
) -> list[ConflictingField]:
    """`stored`: what the controls would show now; `typed`: what they were sent with."""

    def text(control: Control, value: str) -> str:
        if control.is_flag:
            return yes_or_no(value in ("true", "1"), language)
        if control.choices is not None:
            return control.choices.get(value, value)
        return value

    found = []
    for control in controls:
        if control.name not in typed and not control.is_flag:
            continue  # nothing was sent of it, so nothing would change
        theirs, yours = (
            text(control, value) for value in (stored.get(control.name, ""), typed.get(control.name, [""])[0])
        )
        found.append((control.label, *(readable(theirs, yours) if control.is_html else (theirs, yours))))
    return differing(found)


def differing(rows: Iterable[tuple[str, str, str]]) -> list[ConflictingField]:
    return [
        ConflictingField(label, theirs.strip(), yours.strip())
        for label, theirs, yours in rows
        if theirs.strip() != yours.strip()
    ]


def readable(theirs: str, yours: str) -> tuple[str, str]:
    """Without tags, unless only they differ."""
    texts = markup.text_of(theirs), markup.text_of(yours)
    return texts if texts[0] != texts[1] else (theirs, yours)
