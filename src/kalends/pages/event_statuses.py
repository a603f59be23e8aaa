"""What people read about whether an event takes place as planned."""

from kalends.contract.statuses import CANCELLED, MOVED_ONLINE, POSTPONED, SCHEDULED, SOLD_OUT
from kalends.languages import N_

LABELS = {
    SCHEDULED: N_("As planned"),
    CANCELLED: N_("Cancelled"),
    POSTPONED: N_("Postponed"),
    MOVED_ONLINE: N_("Moved online"),
    SOLD_OUT: N_("Sold out"),
}


def shown(status: str, *, masked: bool) -> str:
    """The word of an event; empty as planned, and for one whose details are hidden."""
    return "" if masked or status == SCHEDULED else status
