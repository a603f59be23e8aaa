"""What a record shows of others, apart from the queries that find it: rendering needs the one and not the other."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kalends.store.rows.records import Media, Organizer, Post, Series, Term, Venue
from kalends.values.custom_fields import CustomField, Value


@dataclass(frozen=True, slots=True)
class Bundle:
    """The other records that a record shows, limited to those that the reader may read."""

    venues: Sequence[Venue] = ()
    organizers: Sequence[Organizer] = ()
    categories: Sequence[Term] = ()
    tags: Sequence[Term] = ()
    images: dict[int, Media] = field(default_factory=dict)
    masked: bool = False
    parent: int = 0  # the parent of an event, if the reader may read it
    custom: Sequence[tuple[CustomField, Value]] = ()  # what an event has of the fields that the reader may read
    series: Series | None = None  # that of an event: who can read one of its dates knows of it
    # Everything that the record is linked to, readable or not, as (kind, id).
    linked: Sequence[tuple[str, int]] = ()

    def image_of(self, record: Post) -> Media | None:
        """The picture of a record that has this bundle, or is in it."""
        return None if record.image is None else self.images.get(record.image)
