"""What the interface says is wrong, as a form says it: beside which control, and in which words."""

from collections.abc import Collection

from kalends.contract.errors import TERM_EXISTS, FieldError
from kalends.languages import N_

# Sentences of the interface that name its parameters or show how programs write, as a form says them.
IN_FORMS = {
    "cannot be before start_date.": N_("cannot be before the start."),
    "belongs to the whole series: send it with scope=all or scope=following.": N_(
        "belongs to the whole series: choose all dates, or this and all following dates."
    ),
    "is not a date and time: “{value}”. Write it like {first} or {second}.": N_("is not a date and time."),
    "{part} takes whole numbers from {least} to {greatest}.": N_("must be a number from {least} to {greatest}."),
    "{part} is before the start of the event.": N_("cannot be before the start."),
}
# Errors of a whole request that belong to one control of a form.
OF_A_CONTROL = {TERM_EXISTS: ("name", N_("There is one with this name already."))}
# The controls that compose a rule, by the part of it.
CONTROLS_OF_A_RULE = {"INTERVAL": "repeat_interval", "UNTIL": "repeat_until", "COUNT": "repeat_count"}


def in_form(name: str, invalid: FieldError, controls: Collection[str]) -> tuple[str, FieldError]:
    """The control of a form that has these ones, and what is said beside it."""
    reason, field, part = (invalid.arguments.get(key) for key in ("reason", "field", "part"))
    if isinstance(reason, FieldError) and field is not None:  # within a record that the form makes
        return in_form(control if (control := f"{name}_{field}") in controls else name, reason, controls)
    control = CONTROLS_OF_A_RULE.get(str(part), "")
    return control if control in controls else name, in_words(invalid)


def in_words(invalid: FieldError) -> FieldError:
    return FieldError(invalid.code, IN_FORMS.get(invalid.message, invalid.message), **invalid.arguments)
