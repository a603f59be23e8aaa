"""Recurring events: the rule of a series, its occurrences, and changes to the whole; no clock, no records."""

from kalends.values.recurrence.edits import narrowed_to, shifted, split_at
from kalends.values.recurrence.errors import RecurrenceError, TooManyOccurrences
from kalends.values.recurrence.occurrences import EVER, check, last_day, occurrences, too_many, walk
from kalends.values.recurrence.parsing import Recurrence, from_text, parse
from kalends.values.recurrence.rules import Rule, When

__all__ = [
    "EVER",
    "Recurrence",
    "RecurrenceError",
    "Rule",
    "TooManyOccurrences",
    "When",
    "check",
    "from_text",
    "last_day",
    "narrowed_to",
    "occurrences",
    "parse",
    "shifted",
    "split_at",
    "too_many",
    "walk",
]
