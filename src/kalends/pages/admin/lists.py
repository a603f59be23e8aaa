"""What every list of the admin has: the pages that it is cut into."""

from dataclasses import dataclass

from kalends.pages.layout import Pairs, with_query


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
