"""The values of the pages of all venues, organizers and categories."""

from dataclasses import dataclass

from kalends.contract.kinds import CATEGORY, ORGANIZER, VENUE
from kalends.languages import N_
from kalends.pages.head_metadata import Picture
from kalends.pages.listed_events import ListedEvent

TITLES = {VENUE: N_("Venues"), ORGANIZER: N_("Organizers"), CATEGORY: N_("Categories")}


@dataclass(frozen=True, slots=True)
class Entry:
    """A record with how many events it has to come, and the next of them."""

    name: str
    href: str
    mark: str
    picture: Picture | None
    town: str
    count: int
    next_event: ListedEvent | None
