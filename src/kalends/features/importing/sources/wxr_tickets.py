"""The tickets of events in an export of WordPress, where each is a post of its own that names its event."""

from collections.abc import Mapping, Sequence

from kalends.contract.types.tickets import MOST_TICKETS
from kalends.features.importing.losses import found_in

# By the type of post: the meta value that names the event.
EVENT_OF = {
    "tribe_rsvp_tickets": "_tribe_rsvp_for_event",
    "tribe_tpp_tickets": "_tribe_tpp_for_event",
    "tec_tc_ticket": "_tec_tickets_commerce_event",
    "product": "_tribe_wooticket_for_event",
    "download": "_tribe_eddticket_for_event",
}
PRICES = ("_price", "_regular_price", "edd_price")
CAPACITY = "_tribe_ticket_capacity"
TIMES = {"starts": ("_ticket_start_date", "_ticket_start_time"), "ends": ("_ticket_end_date", "_ticket_end_time")}
CARRIED = {
    *(*EVENT_OF.values(), *PRICES, CAPACITY, *(name for names in TIMES.values() for name in names)),
    *("_edit_last", "_edit_lock", "_ticket_end_date_utc", "_ticket_start_date_utc"),
}
MOST_KEPT = 200_000

Ticket = dict[str, object]


class Tickets:
    """What is known of them after a file was read, by the ids of events."""

    def __init__(self) -> None:
        self._found: dict[str, list[Ticket]] = {}
        self._lost: dict[str, list[str]] = {}
        self._count = 0

    def learn(self, post_type: str, title: str, status: str, meta: Mapping[str, Sequence[str]]) -> bool:
        """Whether a post is a ticket of an event. One that nobody can buy is none."""
        event = meta.get(EVENT_OF.get(post_type, ""), ("",))[0]
        known = self._found.setdefault(event, []) if event and status == "publish" else None
        if known is None or len(known) >= MOST_TICKETS or self._count >= MOST_KEPT:
            return False
        first = {key: values[0] for key, values in meta.items()}
        known.append(_ticket(title, first))
        self._lost.setdefault(event, []).extend(found_in(first, CARRIED, "tickets."))
        self._count += 1
        return True

    def of(self, event: str) -> tuple[list[Ticket], list[str]]:
        """Those of an event, and the names of what they have that has no place here."""
        return self._found.get(event, []), self._lost.get(event, [])


def _ticket(title: str, meta: Mapping[str, str]) -> Ticket:
    price = next((meta[name] for name in PRICES if meta.get(name)), "")
    ticket: Ticket = {"name": title, "price": price}
    if meta.get(CAPACITY, "").isdigit():  # -1 is without a limit
        ticket["capacity"] = int(meta[CAPACITY])
    for key, (day, time) in TIMES.items():
        if written := meta.get(day, ""):
            ticket[key] = written if " " in written.strip() else f"{written} {meta.get(time, '')}".strip()
    return ticket
