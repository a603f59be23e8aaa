"""Filters on what events, venues and organizers have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.store.engine.conditions import Conditions
from kalends.store.engine.store import Dialect, Ids
from kalends.store.rows.visibility import Visibility

# The orders of every list of posts, as columns.
ORDER_COLUMNS = {
    "date": "date_utc",
    "modified": "modified_utc",
    "title": "sort_name",
    "slug": "slug_key",
    "author": "author",
    "id": "id",
}


@dataclass(frozen=True, slots=True)
class PostFilters:
    """A filter that is None or empty does not apply. Times are UTC texts, without the moment itself."""

    authors: Sequence[int] | None = None
    not_authors: Sequence[int] = ()
    published_after: str | None = None
    published_before: str | None = None
    modified_after: str | None = None
    modified_before: str | None = None
    only_editable: bool = False  # only what the reader may change

    def conditions(self, dialect: Dialect, visibility: Visibility, t: str) -> Conditions:
        found = Conditions()
        if self.authors is not None:
            found.add(f"{t}.author {dialect.in_ids}", Ids(self.authors))
        if self.not_authors:
            found.add(f"{t}.author {dialect.not_in_ids}", Ids(self.not_authors))
        for column, after, before in (
            ("date_utc", self.published_after, self.published_before),
            ("modified_utc", self.modified_after, self.modified_before),
        ):
            if after is not None:
                found.add(f"{t}.{column} > ?", after)
            if before is not None:
                found.add(f"{t}.{column} < ?", before)
        if self.only_editable:
            sql, parameters = visibility.where_editable(t)
            found.add(sql, *parameters)
        return found
