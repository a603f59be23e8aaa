"""The five kinds of record: three kinds of post and two kinds of term, each described by its tables."""

from kalends.contract.fields import Kind as Kind
from kalends.contract.fields import Sentences
from kalends.contract.kinds.event_filters import EVENT_FILTERS
from kalends.contract.kinds.events import EVENT_FIELDS, EVENT_KEYS, SHOWN_FIELDS
from kalends.contract.kinds.organizers import ORGANIZER as ORGANIZER
from kalends.contract.kinds.terms import CATEGORY as CATEGORY
from kalends.contract.kinds.terms import TAG as TAG
from kalends.contract.kinds.venues import VENUE as VENUE
from kalends.languages import N_

EVENT = Kind(
    *("event", "events", N_("Event"), N_("Events"), "event", "title"),
    *(EVENT_FIELDS, EVENT_KEYS, EVENT_FILTERS),
    shown=SHOWN_FIELDS,
    wp="tribe_events",
    schema="Event",
    says=Sentences(
        operations={
            "list": N_("List events"),
            "create": N_("Create an event"),
            "read": N_("Read one event"),
            "update": N_("Update an event"),
            "delete": N_("Delete an event"),
            "read_by_slug": N_("Read an event by its slug"),
            "update_by_slug": N_("Update an event by its slug"),
            "delete_by_slug": N_("Delete an event by its slug"),
            "put_by_external": N_("Create or update the event with this id at its source"),
        },
        table=N_("a table of events, separated by {separator}, encoded as {encoding}"),
    ),
)

COMPANIONS = (VENUE, ORGANIZER)  # kinds of posts that events are linked to
PEOPLE = tuple(kind for kind in COMPANIONS if kind is not VENUE)  # they are no places
TERMS = (CATEGORY, TAG)
POSTS = (EVENT, *COMPANIONS)
KINDS = (*POSTS, *TERMS)
KIND_OF = {kind.name: kind for kind in KINDS}  # by its name
