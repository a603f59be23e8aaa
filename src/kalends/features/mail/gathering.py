"""Several messages of a kind to one address as one: what each of their entries was at first, and is at last."""

from collections.abc import Sequence

from kalends.features.mail.facts import COMPARED, Facts
from kalends.features.mail.rows import MailMessage


def gathered(messages: Sequence[MailMessage]) -> Facts | None:
    """The facts of one message in place of some; None if everything was taken back in between."""
    found: dict[int, Facts] = {}
    for entry in (entry for message in messages for entry in message.facts["entries"]):
        earlier = found.get(entry["key"])
        if earlier is not None:
            details = list(dict.fromkeys([*earlier.get("details", ()), *entry.get("details", ())]))
            entry = {**entry, "details": details, **({"before": earlier["before"]} if "before" in earlier else {})}
        found[entry["key"]] = entry
    entries = [entry for entry in found.values() if _has_news(entry)]
    return {"entries": entries, "more": sum(one.facts.get("more", 0) for one in messages)} if entries else None


def _has_news(entry: Facts) -> bool:
    if "before" not in entry or entry.get("details"):
        return True
    before, after = entry["before"], None if entry.get("gone") else entry["event"]
    if before is None or after is None:
        return before is not after
    return any(before[name] != after[name] for name in COMPARED)
