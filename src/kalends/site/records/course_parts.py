"""The parts of a course in words: what comes before and after a series that was split."""

from kalends.languages import N_, translate
from kalends.present import conventions
from kalends.present.recurrence_words import series_in_words
from kalends.store.rows.records import Series

EARLIER, LATER = N_("Earlier dates: {rule}"), N_("Later dates: {rule}")


def in_words(part: Series, language: str, number: int, last_start: str, *, is_earlier: bool) -> str:
    """`number`: how many of its dates the reader sees; `last_start`: of the last of them."""
    words = series_in_words(part, language, number, last_start, conventions.current().region)
    return translate(EARLIER if is_earlier else LATER, language).format(rule=words)
