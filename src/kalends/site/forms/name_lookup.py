"""A name that was typed into a form for a new linked record, and one that is there already.

A name that differs in case and accents only means the record that has it, unless other details came with it, several
have it, or somebody else's draft has it; then, and where a name is nearly the same, the form asks. That works without
scripts.
"""

from collections.abc import Iterable

from kalends.calendar.access import Caller
from kalends.calendar.posts import labels
from kalends.calendar.posts.labels import Namesake
from kalends.calendar.service import Calendar
from kalends.contract.fields import Link
from kalends.languages import N_
from kalends.site.forms.event_form import PICKED, controls_of_new
from kalends.site.forms.form import Form, number_in
from kalends.values import names

ANSWER = "_same"  # what the control is called after the kind: an id, or NEW
NEW = "new"
LONGEST_COMPARED = 1000  # characters of what was typed
DO_YOU_MEAN = N_("Do you mean “{name}”?")


def settle(calendar: Calendar, caller: Caller, form: Form, links: Iterable[Link] = PICKED.values()) -> None:
    """Puts the records that are meant into the form, or refuses it with a question."""
    for link in links:
        answer, found = form.text(f"{link.name}{ANSWER}"), asked(calendar, caller, form, link)
        if not found or answer == NEW:
            continue
        same = [one for one in found if one.is_same and one.is_settled and _fits(form, link, one)]
        meant = [one for one in found if one.id == number_in(answer)] or (same if len(same) == 1 else [])
        if meant:
            _choose(form, link, meant[0])
        else:
            form.refuse(link.name, DO_YOU_MEAN, name=found[0].name)


def asked(calendar: Calendar, caller: Caller, form: Form, link: Link) -> list[Namesake]:
    """Those that the person may mean with the name of a new record."""
    name = form.text(f"{link.name}_name")
    return calendar.read(caller, labels.namesakes, link.kind.name, name) if name else []


def _fits(form: Form, link: Link, one: Namesake) -> bool:
    """Whether the details that were typed are those of a record. The country of a new venue is there from the start;
    alone it says nothing."""
    typed = {name: text for name in link.kind.details if (text := form.text(f"{link.name}_{name}"))}
    if typed.keys() <= {"country"}:
        return True
    return all(
        names.sort_key(one.fields.get(name, "")) == names.sort_key(text[:LONGEST_COMPARED])
        for name, text in typed.items()
    )


def _choose(form: Form, link: Link, meant: Namesake) -> None:
    form.values[link.name] = [*form.all(link.name), str(meant.id)]
    for control in controls_of_new(link):
        if control in form.values:
            form.values[control] = [""]
