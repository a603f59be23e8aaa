"""The five kinds of record: three kinds of post and two kinds of term, each described by its tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.contract.event_filters import EVENT_FILTERS
from kalends.contract.events import EVENT_FIELDS, EVENT_KEYS
from kalends.contract.fields import Field, RecordField
from kalends.contract.json_schema import Key
from kalends.contract.organizers import ORGANIZER_FIELDS, ORGANIZER_KEYS
from kalends.contract.terms import (
    CATEGORY_FIELDS,
    CATEGORY_FILTERS,
    CATEGORY_KEYS,
    TAG_KEYS,
    TERM_FIELDS,
    TERM_FILTERS,
)
from kalends.contract.venues import VENUE_FIELDS, VENUE_FILTERS, VENUE_KEYS
from kalends.languages import N_


# There is one object of each kind. Compared by its contents, each look into a table by kind hashed every field.
@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of record: its name, its place in addresses, what people call one and many of it, and its tables."""

    name: str
    plural: str
    label: str
    plural_label: str
    page: str
    name_field: str
    fields: Sequence[RecordField]
    keys: Sequence[Key]
    filters: Sequence[Field]
    taxonomy: str = ""  # of a term
    wp: str = ""  # the slug of its post type or taxonomy at WordPress

    def field(self, name: str) -> RecordField:
        return next(field for field in self.fields if field.name == name)

    @property
    def is_term(self) -> bool:
        return bool(self.taxonomy)


EVENT = Kind(
    *("event", "events", N_("Event"), N_("Events"), "event", "title"),
    *(EVENT_FIELDS, EVENT_KEYS, EVENT_FILTERS),
    wp="tribe_events",
)
VENUE = Kind(
    *("venue", "venues", N_("Venue"), N_("Venues"), "venue", "venue"),
    *(VENUE_FIELDS, VENUE_KEYS, VENUE_FILTERS),
    wp="tribe_venue",
)
ORGANIZER = Kind(
    *("organizer", "organizers", N_("Organizer"), N_("Organizers"), "organizer", "organizer"),
    *(ORGANIZER_FIELDS, ORGANIZER_KEYS, VENUE_FILTERS),
    wp="tribe_organizer",
)
CATEGORY = Kind(
    *("category", "categories", N_("Category"), N_("Categories"), "events/category", "name"),
    *(CATEGORY_FIELDS, CATEGORY_KEYS, CATEGORY_FILTERS),
    taxonomy="event_category",
    wp="tribe_events_cat",
)
TAG = Kind(
    *("tag", "tags", N_("Tag"), N_("Tags"), "events/tag", "name"),
    *(TERM_FIELDS, TAG_KEYS, TERM_FILTERS),
    taxonomy="event_tag",
    wp="post_tag",
)

POSTS = (EVENT, VENUE, ORGANIZER)
TERMS = (CATEGORY, TAG)
KINDS = (*POSTS, *TERMS)
KIND_OF = {kind.name: kind for kind in KINDS}  # by its name
