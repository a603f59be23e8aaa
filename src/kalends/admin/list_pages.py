"""What every list of the admin has: what it is narrowed by, and the pages that it is cut into."""

from dataclasses import dataclass
from typing import NamedTuple

from kalends.site.layout.frame import Pairs, with_query


class Narrowed(NamedTuple):
    """What a list of records is narrowed by: a search, and whether nothing has them."""

    search: str
    unused: bool

    @property
    def query(self) -> Pairs:
        return [*([("search", self.search)] if self.search else []), *([("unused", "1")] if self.unused else [])]


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of a list. `more`: a plus sign if there are more than it says."""

    path: str
    number: int
    total: int
    size: int
    query: Pairs = ()
    more: str = ""

    @property
    def count(self) -> int:
        return max(1, -(-self.total // self.size))

    def at(self, number: int) -> str:
        return with_query(self.path, [*self.query, ("page", str(number))] if number > 1 else self.query)
