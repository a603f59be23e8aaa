"""What two people have changed of an event at the same time."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from kalends.contract.errors import FieldError
from kalends.contract.recurrences import RecurrenceType
from kalends.languages import N_, translate
from kalends.pages import event_statuses, times
from kalends.pages.admin.conflict import Difference, differing, readable
from kalends.pages.admin.editor import LABELS
from kalends.pages.admin.event_form import FLAGS, TICKET, Choice, EventForm, first, sent_by
from kalends.pages.admin.repeats_form import Repeats, recurrence_of
from kalends.present.recurrence_words import in_words
from kalends.values import dates, zones
from kalends.values.recurrence import Recurrence

TEXTS = ("title", "website", "slug", "cost", "timezone")
WRITTEN_AS_HTML = ("description", "excerpt")
FLAG_LABELS = {
    "all_day": N_("All day"),
    "featured": N_("Featured"),
    "sticky": N_("Always on top"),
    "hide_from_listings": N_("Hidden from lists"),
    "show_map": N_("Show a map"),
    "show_map_link": N_("Link to a map"),
}


def differences(
    stored: EventForm,
    chosen: EventForm,
    typed: Mapping[str, Sequence[str]],
    categories: Mapping[str, str],
    pictures: Mapping[str, str],
    language: str,
) -> list[Difference]:
    """`stored`: the event as its form would show it; `chosen` and `typed`: what was chosen in the form
    that was sent, and what was written into it; `categories` and `pictures`: their names by id."""

    def say(sentence: str) -> str:
        return translate(sentence, language)

    def yes(is_on: bool) -> str:
        return say(N_("Yes") if is_on else N_("No"))

    def picture(id: str) -> str:
        return pictures.get(id, f"#{id}") if id else ""

    def planned(word: str) -> str:
        return say(event_statuses.LABELS.get(word, word)) if word else ""

    written = {name: first(typed, name) for name in typed}
    sent, zone = sent_by(typed), stored.text("timezone")
    start, end = f"{stored.start_day} {stored.start_time}", f"{stored.end_day} {stored.end_time}"
    rows = [(LABELS[name], stored.text(name), written.get(name, "")) for name in TEXTS]
    rows += [(LABELS[name], *readable(stored.text(name), written.get(name, ""))) for name in WRITTEN_AS_HTML]
    rows.append((LABELS["image"], picture(stored.text("image")), picture(written.get("image", ""))))
    rows += [
        (
            LABELS[name],
            _moment(theirs, language, all_day="all_day" in stored.flags),
            _moment(str(sent[name]), language, all_day=bool(sent["all_day"])),
        )
        for name, theirs in (("start_date", start), ("end_date", end))
    ]
    rows += [
        (LABELS["event_status"], planned(stored.text("event_status")), planned(written.get("event_status", ""))),
        (
            LABELS["recurrence"],
            _rule(stored.repeats, start, zone, language),
            _rule(chosen.repeats, str(sent["start_date"]), zone, language),
        ),
        (LABELS["tickets"], _tickets(stored.tickets), _tickets(chosen.tickets)),
    ]
    rows += [
        (LABELS[label], _names(theirs), _names(yours, written.get(control, "")))
        for label, theirs, yours, control in (
            ("venue", stored.venues, chosen.venues, "venue_name"),
            ("organizer", stored.organizers, chosen.organizers, "organizer_name"),
            ("tags", stored.tags, chosen.tags, "tag_names"),
        )
    ]
    yours = _joined([*sorted(categories.get(id, id) for id in chosen.categories), written.get("new_category", "")])
    rows.append((LABELS["categories"], _joined(sorted(categories.get(id, id) for id in stored.categories)), yours))
    rows += [(FLAG_LABELS[name], yes(name in stored.flags), yes(bool(sent[name]))) for name in FLAGS]
    return differing((say(label), theirs, yours) for label, theirs, yours in rows)


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
            return in_words(read, first_start, zones.canonical_zone(zone), language)
    except (FieldError, ValueError):
        return repeats.rule
    return translate(N_("Does not repeat"), language)


def _tickets(tickets: Iterable[Mapping[str, str]]) -> str:
    return _joined(" ".join(ticket[name] for name in TICKET if ticket.get(name)) for ticket in tickets)


def _names(choices: Iterable[Choice], new: str = "") -> str:
    return _joined([*(choice.name for choice in choices), new])


def _joined(names: Iterable[str]) -> str:
    return ", ".join(name.strip() for name in names if name.strip())
