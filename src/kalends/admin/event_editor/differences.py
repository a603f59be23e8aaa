"""What two people have changed of an event at the same time."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from kalends.admin.conflicts import ConflictingField, differing, readable
from kalends.admin.event_editor.merged_form import TAKE
from kalends.admin.values_in_words import choice, yes_or_no
from kalends.contract.errors import FieldError
from kalends.contract.fields import RecordField
from kalends.contract.kinds import EVENT
from kalends.contract.three_way_merge import unit_of
from kalends.contract.types.recurrences import RecurrenceType
from kalends.languages import N_, translate
from kalends.present import conventions
from kalends.present.recurrence_words import in_words
from kalends.site import times
from kalends.site.forms.event_form import PICKED, TICKET, EventForm, RecordChoice, sent_by, typed_text
from kalends.site.forms.repeats_form import Repeats, recurrence_of
from kalends.values import dates, zones
from kalends.values.recurrence import Recurrence

NOT_SHOWN = ("date", "post_password")  # of an event in its form


def differences(
    stored: EventForm,
    chosen: EventForm,
    typed: Mapping[str, Sequence[str]],
    categories: Mapping[str, str],
    pictures: Mapping[str, str],
    language: str,
    fields: Sequence[RecordField] = EVENT.fields,
    asked: frozenset[str] | None = None,
) -> list[ConflictingField]:
    """`stored`: the event as its form would show it; `chosen` and `typed`: what was chosen in the form
    that was sent, and what was written into it; `categories` and `pictures`: their names by id;
    `fields`: those of this calendar; `asked`: the fields to choose from, all that differ if it is None."""

    def picture(id: str) -> str:
        return pictures.get(id, f"#{id}") if id else ""

    written = {name: typed_text(typed, name) for name in typed}
    sent, zone = sent_by(typed), stored.text("timezone")
    starts = {
        "start_date": f"{stored.start_day} {stored.start_time}",
        "end_date": f"{stored.end_day} {stored.end_time}",
    }
    chosen_categories = sorted(categories.get(id, id) for id in chosen.chosen("categories"))
    of_their_own = {
        "recurrence": (
            _rule(stored.repeats, starts["start_date"], zone, language),
            _rule(chosen.repeats, str(sent["start_date"]), zone, language),
        ),
        "tickets": (_tickets(stored.tickets), _tickets(chosen.tickets)),
        **{
            link.name: (
                _names(stored.linked[link.name]),
                _names(chosen.linked[link.name], written.get(f"{link.name}_name", "")),
            )
            for link in PICKED.values()
        },
        "tags": (_names(stored.linked["tags"]), _names(chosen.linked["tags"], written.get("tag_names", ""))),
        "categories": (
            _joined(sorted(categories.get(id, id) for id in stored.chosen("categories"))),
            _joined([*chosen_categories, written.get("new_category", "")]),
        ),
    }

    def texts(field: RecordField) -> tuple[str, str]:
        """What is stored, and what was typed."""
        name, theirs, yours = field.name, stored.text(field.name), written.get(field.name, "")
        match field.display:
            case "html":
                return readable(theirs, yours)
            case "image":
                return picture(theirs), picture(yours)
            case "flag":
                return yes_or_no(name in stored.flags, language), yes_or_no(bool(sent[name]), language)
            case "date":
                return (
                    _moment(starts.get(name, theirs), language, all_day="all_day" in stored.flags),
                    _moment(str(sent.get(name, "")), language, all_day=bool(sent["all_day"])),
                )
            case "choice":
                return choice(theirs, language), choice(yours, language)
            case _:
                return of_their_own.get(name, (theirs, yours))

    compared = [field for field in fields if field.form_control and field.name not in NOT_SHOWN]
    found = {field.name: (field.label_in(language), *texts(field)) for field in compared}
    if asked is None:
        return differing(found.values())
    return _with_choices({name: row for name, row in found.items() if name in asked})


def _with_choices(rows: Mapping[str, tuple[str, str, str]]) -> list[ConflictingField]:
    """The first row of a unit says which of the two is taken."""
    chosen, offered = set[str](), []
    for name, row in rows.items():
        for difference in differing([row]):
            unit = unit_of(name)
            offered.append(difference._replace(choice="" if unit in chosen else f"{TAKE}{unit}"))
            chosen.add(unit)
    return offered


def _moment(written: str, language: str, *, all_day: bool) -> str:
    """In words, or as it was typed where it is no time. The form of whole days has no times."""
    try:
        at = datetime.fromisoformat(written[:10] if all_day else written)
    except ValueError:
        return written
    return times.short_date(at, language) if all_day else times.moment(dates.text(at), language)


def _rule(repeats: Repeats, start: str, zone: str, language: str) -> str:
    try:
        read = RecurrenceType().read(recurrence_of(repeats, start[:10]))
        first_start = datetime.fromisoformat(start)
        if isinstance(read, Recurrence):
            return in_words(
                read, first_start, zones.canonical_zone(zone), language, region=conventions.current().region
            )
    except (FieldError, ValueError):
        return repeats.rule
    return translate(N_("Does not repeat"), language)


def _tickets(tickets: Iterable[Mapping[str, str]]) -> str:
    return _joined(" ".join(ticket[name] for name in TICKET if ticket.get(name)) for ticket in tickets)


def _names(choices: Iterable[RecordChoice], new: str = "") -> str:
    return _joined([*(choice.name for choice in choices), new])


def _joined(names: Iterable[str]) -> str:
    return ", ".join(name.strip() for name in names if name.strip())
