"""What became of several events at once, in words: counts of what changed, and what was left, with the reason."""

from collections.abc import Mapping, Sequence

from kalends.calendar.editing.bulk import (
    CHANGED_SINCE,
    GONE,
    LINK_GONE,
    NOT_IN_TRASH,
    NOT_YOURS,
    SAME,
    TOO_MANY,
    UNDATED,
    BulkOutcome,
)
from kalends.contract.statuses import FUTURE, PENDING, PUBLISH
from kalends.languages import N_, translate

NOTHING = N_("Nothing was changed.")
# What publishing comes to: at once, with a publication date to come, and without the right to publish.
PUBLISHED = {
    PUBLISH: N_("Published: {count}."),
    FUTURE: N_("Scheduled: {count}."),
    PENDING: N_("Submitted for review: {count}."),
}
SKIPPED = {
    CHANGED_SINCE: N_("Changed in the meantime and left as they are: {names}."),
    UNDATED: N_("Without a date, so not published: {names}."),
    NOT_IN_TRASH: N_("No longer in the trash: {count}."),
    SAME: N_("No change needed: {count}."),
    NOT_YOURS: N_("Left as they are, because you cannot change them: {count}."),
    GONE: N_("No longer there: {count}."),
    LINK_GONE: N_("Not wholly back, because what they showed is deleted: {names}."),
    TOO_MANY: N_("Too many at once, and left as they are: {count}."),
}
MOST_NAMES, LONGEST_NAME = 5, 60


def in_words(done: str | Mapping[str, str], outcome: BulkOutcome, language: str) -> str:
    """One sentence for everything that was changed in the same way, or left for the same reason. `done`: what is said
    of what was changed, by the status that it has then where that matters."""
    said: list[tuple[str, int, list[str]]] = [] if outcome.changed else [(NOTHING, 0, [])]
    if isinstance(done, Mapping):
        said += [(done[status], outcome.changed[status], []) for status in done if outcome.changed[status]]
    elif outcome.changed:
        said.append((done, outcome.changed.total(), []))
    said += [
        (SKIPPED[reason], len(outcome.skipped[reason]), outcome.skipped[reason])
        for reason in SKIPPED
        if reason in outcome.skipped
    ]
    return " ".join(
        translate(sentence, language).format(count=count, names=quoted(names)) for sentence, count, names in said
    )


def quoted(names: Sequence[str]) -> str:
    """The first of them: a message has little room."""
    shown = [name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…" for name in dict.fromkeys(names)]
    return ", ".join([*(f"“{name}”" for name in shown[:MOST_NAMES]), *(["…"] if len(shown) > MOST_NAMES else [])])
