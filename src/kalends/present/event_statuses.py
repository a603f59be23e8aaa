"""What people read about whether an event takes place as planned."""

from functools import cache

from kalends.contract.statuses import CANCELLED, MOVED_ONLINE, POSTPONED, RESCHEDULED, SCHEDULED, SOLD_OUT
from kalends.languages import LANGUAGES, N_, translate

LABELS = {
    SCHEDULED: N_("As planned"),
    CANCELLED: N_("Cancelled"),
    POSTPONED: N_("Postponed"),
    RESCHEDULED: N_("New date"),
    MOVED_ONLINE: N_("Moved online"),
    SOLD_OUT: N_("Sold out"),
}
STATE_FIRST = N_("{state}: {title}")


def visible_status(status: str, *, masked: bool) -> str:
    """The word of an event; empty as planned, and for one whose details are hidden."""
    return "" if masked or status == SCHEDULED else status


def label(status: str, language: str) -> str:
    """What is not as planned, in words; empty as planned."""
    return "" if status in ("", SCHEDULED) else translate(LABELS[status], language)


def titled(title: str, status: str, language: str, *, masked: bool = False) -> str:
    """The title of an event where nothing else tells its state: it comes first, unless the event is as planned."""
    if not (state := visible_status(status, masked=masked)):
        return title
    return translate(STATE_FIRST, language).format(state=translate(LABELS[state], language), title=title)


def untitled(written: str) -> tuple[str, str]:
    """The state that `titled` has put before a title, in any language, and the title; `scheduled` without one."""
    found = next((one for one in _beginnings() if written.startswith(one) and len(written) > len(one)), None)
    return (SCHEDULED, written) if found is None else (_beginnings()[found], written.removeprefix(found))


@cache
def _beginnings() -> dict[str, str]:
    states = [status for status in LABELS if status != SCHEDULED]
    return {titled("", status, language): status for language in LANGUAGES for status in states}
