"""The form of an event: what it shows of a record, and what it sends, as the interface would be sent it.

The form has one field for each field of the contract where a browser has a control for it. It differs in three
places: a date is two controls, linked records are checkboxes with a text field for one more, and the status is the
button that was pressed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from kalends.contract.fields import Link
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.defined_fields import is_defined
from kalends.contract.kinds.events import CUSTOM_VALUES, EVENT_LINKS, LINKED_KINDS
from kalends.contract.statuses import TRASH
from kalends.contract.types.custom_values import OneOf
from kalends.contract.types.lists import TermName
from kalends.contract.types.tickets import MOST_TICKETS, TICKET_TYPES
from kalends.site.forms import repeats_form
from kalends.site.forms.repeats_form import (
    REPEAT_CONTROLS,
    Repeats,
    controls_in,
    controls_of,
    following_start,
    for_single,
    is_same,
    missing_end,
    recurrence_of,
)
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Post, Term, Venue, defined_in, value_of
from kalends.values import dates
from kalends.values.choices import SEPARATOR, CopiedChoices
from kalends.values.recurrence import from_text, last_day

Sent = dict[str, object]
Form = Mapping[str, Sequence[str]]

# Controls that are more than one text.
NOT_TEXTS = ("", "flag", "moment", "password", "recurrence", "records", "tickets")
TEXTS = {field.name: field for field in EVENT.fields if field.form_control not in NOT_TEXTS}
FLAGS = {field.name: field for field in EVENT.fields if field.form_control == "flag"}
# What a copy has too. It takes place as planned, under an address and at a time of publication of its own.
COPIED = {
    field.name: field.stored
    for field in EVENT.fields
    if field.stored and (field.table or field.form_control not in ("", "password"))
    if field.name not in ("slug", "event_status")
}
# Linked records that can be made in the form: a name, and details.
PICKED = {link.name: link for link in EVENT_LINKS if not link.kind.is_term}
TICKET = tuple(TICKET_TYPES)
NEW = "new:"  # before a name that is no id
MIDNIGHT, LAST_SECOND = "00:00:00", "23:59:59"
RECURRENCE = "recurrence"


def controls_of_new(link: Link) -> list[str]:
    """The controls of a new record."""
    return [f"{link.name}_{name}" for name in ("name", *link.kind.details)]


# The controls of a field, where they are not one of its name.
CONTROLS: Mapping[str, Sequence[str]] = {
    "start_date": ("start_day", "start_time"),
    "end_date": ("end_day", "end_time"),
    **{link.name: (link.name, *controls_of_new(link)) for link in PICKED.values()},
    "categories": ("categories", "new_category"),
    "tags": ("tags", "tag_names"),
    "tickets": tuple(f"ticket_{name}[]" for name in TICKET),
    RECURRENCE: REPEAT_CONTROLS,
}


@dataclass(frozen=True, slots=True)
class RecordChoice:
    """A linked record, as a checkbox."""

    value: str
    name: str
    is_trashed: bool = False  # readers do not see it then
    detail: str = ""  # where a venue is


@dataclass(frozen=True, slots=True)
class EventForm:
    """What the controls show of a record; what was typed wins over it, except for the choices, which show both."""

    texts: Mapping[str, str] = field(default_factory=dict)
    flags: frozenset[str] = frozenset(name for name, field in FLAGS.items() if field.type.cleared())
    start_day: str = ""
    start_time: str = ""
    end_day: str = ""
    end_time: str = ""
    linked: Mapping[str, Sequence[RecordChoice]] = field(
        default_factory=lambda: {link.name: () for link in EVENT_LINKS}
    )
    has_password: bool = False
    tickets: Sequence[Mapping[str, str]] = ()
    repeats: Repeats = field(default_factory=Repeats)
    is_occurrence: bool = False  # one of a series
    rule_day: str = ""  # of an occurrence, the day that the rule gives it; it may have been moved

    def text(self, name: str) -> str:
        return self.texts.get(name, "")

    def chosen(self, name: str) -> list[str]:
        """The values of the boxes of a link."""
        return [choice.value for choice in self.linked[name]]


def first(form: Form, name: str) -> str:
    values = form.get(name) or ("",)
    return values[0]


def sent_by(form: Form) -> Sent:
    """What the interface would be sent. Every control counts, so that an emptied one clears its field."""
    sent: Sent = {name: first(form, name) for name in TEXTS if name in form}
    all_day = bool(first(form, "all_day"))
    sent |= {name: bool(first(form, name)) for name in FLAGS}
    sent["start_date"] = _date(form, "start", MIDNIGHT, all_day=all_day)
    sent["end_date"] = _date(form, "end", LAST_SECOND, all_day=all_day)
    sent |= {link.name: _linked(form, link) for link in PICKED.values()}
    sent |= {name: typed_text(form, name) for name in form if is_defined(name)}
    new_category = [TermName(name)] if (name := first(form, "new_category").strip()) else []
    sent["categories"] = [*(_term(value) for value in form.get("categories", ())), *new_category]
    sent["tags"] = [_term(value) for value in form.get("tags", ())] + _names(first(form, "tag_names"))
    if not sent.get("date"):  # an empty publication date is "now" for a new event, "unchanged" for an old one
        sent.pop("date", None)
    if not sent.get("timezone"):
        sent.pop("timezone", None)
    if "ticket_name[]" in form:
        sent["tickets"] = [
            {name: value for name, value in ticket.items() if value}
            for ticket in _tickets(form)
            if any(ticket.values())
        ]
    if first(form, "remove_password"):
        sent["post_password"] = ""
    elif first(form, "post_password"):
        sent["post_password"] = first(form, "post_password")
    return sent


def controls_sent(form: EventForm) -> dict[str, list[str]]:
    """What a browser would send of a form that nobody has touched."""
    single = {name: form.text(name) for name in TEXTS} | {name: "true" for name in FLAGS if name in form.flags}
    single |= {key: value for key, value in form.texts.items() if is_defined(key)}
    single |= {"start_day": form.start_day, "start_time": form.start_time}
    single |= {"end_day": form.end_day, "end_time": form.end_time}
    several = {name: form.chosen(name) for name in LINKED_KINDS}
    several |= {f"ticket_{name}[]": [_ticket(one, name) for one in form.tickets] + [""] for name in TICKET}
    return {name: [value] for name, value in single.items()} | several | repeats_form.controls_sent(form.repeats)


def _ticket(ticket: Mapping[str, str], name: str) -> str:
    value = ticket.get(name, "")
    return value[:16].replace(" ", "T") if name in ("starts", "ends") else value


def typed_text(form: Form, name: str) -> str:
    """What was typed into a control; several boxes of a defined field are one value."""
    if not is_defined(name):
        return first(form, name)
    return SEPARATOR.join(value for value in form.get(name, ()) if value.strip())


def without_new(form: Form) -> dict[str, list[str]]:
    """The controls without those that would make a linked record: saving in the background makes no record but the
    event."""
    new = {"new_category", "tag_names", *(control for link in PICKED.values() for control in controls_of_new(link))}
    kept = {name: list(values) for name, values in form.items() if name not in new}
    for control in LINKED_KINDS:
        if control in kept:
            kept[control] = [value for value in kept[control] if isinstance(_term(value), int)]
    return kept


def without_repeats(form: Form) -> dict[str, list[str]]:
    """The controls without those that say when an event repeats."""
    return {name: list(values) for name, values in form.items() if not name.startswith("repeat")}


def missing_in(form: Form) -> list[str]:
    """The controls that cannot be empty because of what is in others. The interface is not sent those."""
    without_name = [
        link.name
        for link in PICKED.values()
        if not first(form, f"{link.name}_name").strip() and _has_details(form, link)
    ]
    days = [] if first(form, "start_day") else ["start_date"]
    return days + missing_end(controls_in(form)) + without_name


def _has_details(form: Form, link: Link) -> bool:
    """Whether a new record was begun. Its country is there from the start."""
    return any(value for name, value in _details(form, link).items() if name != "country")


def form_of(event: Event, bundle: Bundle, *, is_whole: bool = False) -> EventForm:
    """The controls for a record that is stored. `is_whole`: what is done to a date is done to its series."""
    start_day, _, start_time = event.start_local.partition(" ")
    end_day, _, end_time = event.end_local.partition(" ")
    repeats = _repeats(event, bundle)
    return EventForm(
        texts={name: _written(getattr(event, field.stored)) for name, field in TEXTS.items() if field.stored}
        | {key: str(value_of(event, key)) for key in defined_in(event)},
        flags=frozenset(name for name in FLAGS if getattr(event, name)),
        start_day=start_day,
        start_time=start_time[:5],
        end_day=end_day,
        end_time=end_time[:5],
        linked={name: [_choice(one) for one in bundle.linked[kind.name]] for name, kind in LINKED_KINDS.items()},
        has_password=event.password is not None,
        tickets=[{name: str(ticket.get(name) or "") for name in TICKET} for ticket in event.tickets],
        repeats=following_start(repeats, start_day) if is_whole and start_day == _rule_day(event) else repeats,
        is_occurrence=bundle.series is not None,
        rule_day=_rule_day(event),
    )


def _written(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return "" if value is None else str(value)


def _choice(record: Post | Term) -> RecordChoice:
    place = record.place if isinstance(record, Venue) else ""
    return RecordChoice(str(record.id), record.name, isinstance(record, Post) and record.status == TRASH, place)


def _repeats(event: Event, bundle: Bundle) -> Repeats:
    if bundle.series is None:
        return for_single(event.start_local[:10])
    repeats, template = from_text(bundle.series.recurrence), bundle.series.template.event
    first = dates.from_text(template.start_local)
    last = None if repeats.rule is None else last_day(repeats.rule, first, template.timezone)
    return controls_of(repeats.to_json(), _rule_day(event), last)


def _rule_day(event: Event) -> str:
    return (event.original_start or event.start_local)[:10]


def suggested(day: date, timezone: str) -> EventForm:
    """The controls of a new event: an evening."""
    text = day.isoformat()
    return EventForm(
        texts={"timezone": timezone},
        start_day=text,
        start_time="19:00",
        end_day=text,
        end_time="21:00",
        repeats=for_single(text),
    )


def copied(event: Event, bundle: Bundle) -> Sent:
    """What the interface would be sent to make the same event again, as far as the caller reads it, which the bundle
    tells; but for its password, which is not known."""
    copy = {name: getattr(event, column) for name, column in COPIED.items()}
    return copy | {
        "image": event.image or "",
        **{name: [one.id for one in bundle.linked[kind.name]] for name, kind in LINKED_KINDS.items()},
        CUSTOM_VALUES.name: {
            row.name: CopiedChoices(str(value)) if isinstance(row.type, OneOf) else value
            for row, value in bundle.defined
        },
    }


def with_typed(event_form: EventForm, form: Form, names_of: Mapping[str, Mapping[str, str]]) -> EventForm:
    """The choices as they were made, for a form that was refused. `names_of`: control → value → name."""

    def choices(control: str) -> list[RecordChoice]:
        known = names_of.get(control, {})
        return [RecordChoice(value, known.get(value, value.removeprefix(NEW))) for value in form.get(control, ())]

    return replace(
        event_form,
        linked={name: choices(name) for name in LINKED_KINDS},
        tickets=_tickets(form),
        repeats=controls_in(form),
    )


def recurrence_sent(form: Form, event_form: EventForm, *, is_one: bool = False) -> Sent:
    """The field `recurrence`, if the controls say something else than the stored event. `is_one`: it is one of a
    series, whose rule is not that of the day to which it is moved."""
    chosen = controls_in({**form, "repeat_suggested": []} if is_one and event_form.is_occurrence else form)
    if "repeat" not in form or is_same(chosen, event_form.repeats):
        return {}
    day = first(form, "start_day")
    return {"recurrence": recurrence_of(chosen, event_form.rule_day if day == event_form.start_day else day)}


def _tickets(form: Form) -> list[dict[str, str]]:
    """The rows of tickets: each field is there once for each row."""
    count = len(form.get("ticket_name[]", ()))
    columns = {name: [*form.get(f"ticket_{name}[]", ()), *[""] * count] for name in TICKET}
    rows = [{name: columns[name][row].strip() for name in TICKET} for row in range(min(count, MOST_TICKETS))]
    return [row for row in rows if any(row.values())]


def _date(form: Form, control: str, whole_day: str, *, all_day: bool) -> str:
    day, time = first(form, f"{control}_day"), first(form, f"{control}_time")
    if control == "end" and not day:  # an event of one day
        day = first(form, "start_day")
    if not day:
        return ""
    return f"{day} {whole_day if all_day or not time else _seconds(time)}"


def _seconds(time: str) -> str:
    return f"{time}:00" if time.count(":") == 1 else time


def _linked(form: Form, link: Link) -> list[object]:
    chosen: list[object] = [_term(value) for value in form.get(link.name, ())]
    if name := first(form, f"{link.name}_name").strip():
        filled = {key: value for key, value in _details(form, link).items() if value}
        chosen.append({link.kind.name_field: name} | filled)
    return chosen


def _details(form: Form, link: Link) -> dict[str, str]:
    return {name: first(form, f"{link.name}_{name}").strip() for name in link.kind.details}


def _term(value: str) -> object:
    """What a box stands for: a record by its id, or a new name, which a script marks as one."""
    if value.startswith(NEW):
        return TermName(value.removeprefix(NEW))
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else value


def _names(text: str) -> list[object]:
    """Names of tags, separated by commas or semicolons."""
    return [TermName(name.strip()) for name in re.split("[,;，；、]", text) if name.strip()]
