"""What two people have changed at the same time, shown side by side: what is stored, and what was typed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kalends.admin.values_in_words import yes_or_no
from kalends.values import markup


class Difference(NamedTuple):
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
    conflict: Sequence[Difference] | None = None


def of_controls(
    controls: Iterable[Control], stored: Mapping[str, str], typed: Mapping[str, Sequence[str]], language: str
) -> list[Difference]:
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


def differing(rows: Iterable[tuple[str, str, str]]) -> list[Difference]:
    return [
        Difference(label, theirs.strip(), yours.strip())
        for label, theirs, yours in rows
        if theirs.strip() != yours.strip()
    ]


def readable(theirs: str, yours: str) -> tuple[str, str]:
    """Without tags, unless only they differ."""
    texts = markup.text_of(theirs), markup.text_of(yours)
    return texts if texts[0] != texts[1] else (theirs, yours)
