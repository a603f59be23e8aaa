"""What a record shows of others, apart from the queries that find it: rendering needs the one and not the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kalends.contract.kinds.events import LINK_OF
from kalends.store.rows.records import Media, Post, Series
from kalends.values.custom_fields import CustomField, Value

NOTHING_LINKED: Mapping[str, Sequence[Any]] = dict.fromkeys(LINK_OF, ())


@dataclass(frozen=True, slots=True)
class Bundle:
    """The other records that a record shows, limited to those that the reader may read."""

    linked: Mapping[str, Sequence[Any]] = field(default_factory=lambda: NOTHING_LINKED)  # records, by kind
    images: dict[int, Media] = field(default_factory=dict)
    masked: bool = False
    parent: int = 0  # the parent of an event, if the reader may read it
    custom: Sequence[tuple[CustomField, Value]] = ()  # what an event has of the fields that the reader may read
    series: Series | None = None  # that of an event: who can read one of its dates knows of it
    # Everything that the record is linked to, readable or not, as (kind, id).
    references: Sequence[tuple[str, int]] = ()

    def image_of(self, record: Post) -> Media | None:
        """The picture of a record that has this bundle, or is in it."""
        return None if record.image is None else self.images.get(record.image)
