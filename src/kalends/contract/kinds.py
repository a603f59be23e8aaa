"""The five kinds of record: three kinds of post and two kinds of term, each described by its tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.contract.events import EVENT_FIELDS, EVENT_FILTERS
from kalends.contract.fields import Field
from kalends.contract.organizers import ORGANIZER_FIELDS
from kalends.contract.terms import CATEGORY_FIELDS, CATEGORY_FILTERS, TERM_FIELDS, TERM_FILTERS
from kalends.contract.venues import VENUE_FIELDS, VENUE_FILTERS


# There is one object of each kind. Compared by its contents, each look into a table by kind hashed every field.
@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of record: its name, its place in addresses, and its tables."""

    name: str
    plural: str
    page: str
    name_field: str
    fields: Sequence[Field]
    filters: Sequence[Field]
    taxonomy: str = ""

    @property
    def is_term(self) -> bool:
        return bool(self.taxonomy)


EVENT = Kind("event", "events", "event", "title", EVENT_FIELDS, EVENT_FILTERS)
VENUE = Kind("venue", "venues", "venue", "venue", VENUE_FIELDS, VENUE_FILTERS)
ORGANIZER = Kind("organizer", "organizers", "organizer", "organizer", ORGANIZER_FIELDS, VENUE_FILTERS)
CATEGORY = Kind(
    "category", "categories", "events/category", "name", CATEGORY_FIELDS, CATEGORY_FILTERS, "event_category"
)
TAG = Kind("tag", "tags", "events/tag", "name", TERM_FIELDS, TERM_FILTERS, "event_tag")

POSTS = (EVENT, VENUE, ORGANIZER)
TERMS = (CATEGORY, TAG)
KINDS = (*POSTS, *TERMS)
KIND_OF = {kind.name: kind for kind in KINDS}  # by its name
