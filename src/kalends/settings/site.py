"""The settings that the people of a site make in the admin: the sections of that screen, and what they are told."""

from collections.abc import Mapping

from kalends.languages import N_
from kalends.settings.rows import Row
from kalends.settings.table import TABLE


def in_section(section: str) -> list[Row]:
    return [row for row in TABLE.values() if row.section and row.section == section]


def in_setup() -> list[Row]:
    """What is asked for on the first start."""
    return [row for row in TABLE.values() if row.in_setup]


def problems(written: Mapping[str, str]) -> dict[str, str]:
    """A sentence for each value that is not accepted, by key."""
    found = {key: TABLE[key].kind.problem for key in written if not _is_accepted(key, written[key])}
    if written.get("submission_question", "").strip() and not written.get("submission_answer", "given").strip():
        found.setdefault("submission_answer", N_("Write the answer too: without one, nobody can send an event."))
    return found


def _is_accepted(key: str, text: str) -> bool:
    try:
        TABLE[key].kind.parse(text.strip())
    except ValueError:
        return False
    return True
