"""The next dates of an event that is to repeat, before it is saved."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice

from kalends.calendar.series import occurrences
from kalends.contract.errors import WRONG_FORMAT, FieldError
from kalends.contract.recurrences import RecurrenceType, field_error
from kalends.languages import N_
from kalends.pages import conventions, times
from kalends.pages.admin.event_form import sent_by
from kalends.pages.admin.repeats_form import controls_in, recurrence_of
from kalends.present.recurrence_words import in_words
from kalends.values import recurrence, zones
from kalends.values.recurrence import Recurrence, RecurrenceError

SHOWN = 10


def preview(typed: Mapping[str, Sequence[str]], site_zone: str, language: str) -> tuple[str, list[str]]:
    """The rule in words and its next dates. Raises FieldError."""
    sent = sent_by(typed)
    start = str(sent["start_date"])
    read = RecurrenceType().read(recurrence_of(controls_in(typed), start[:10]))
    if not isinstance(read, Recurrence):
        return "", []
    try:
        first, zone = datetime.fromisoformat(start), zones.canonical_zone(str(sent.get("timezone") or site_zone))
    except ValueError:
        raise FieldError(WRONG_FORMAT, N_("needs the date of the event.")) from None
    try:
        occurrences.check(read, first, zone)
        starts = list(islice(recurrence.walk(read, first, zone), SHOWN))
    except RecurrenceError as error:
        raise field_error(error) from None
    words = in_words(read, first, zone, language, region=conventions.current().region)
    return words, [times.day(start, language) for start in starts]
