"""What to search for instead, where a word that somebody typed finds nothing."""

from collections.abc import Mapping

from kalends.calendar.access import UnitOfWork
from kalends.calendar.lists import pages
from kalends.contract.fields import read_query
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.event_filters import VIEW_FILTERS
from kalends.store.rows import search_rows
from kalends.store.search import parsing

MOST = 3
MOST_WORDS = 6  # of a search: each is looked for alone
WHOLE_TIME = {"start_date": "1900-01-01", "end_date": "9999-12-31", "page": "1", "per_page": "1"}


def corrected(work: UnitOfWork, filters: Mapping[str, object]) -> list[str]:
    """Searches with the nearest words, the best first; each finds something for this reader, whenever it is."""
    typed = parsing.parse(str(filters["search"]))
    if not 0 < len(typed.wanted) <= MOST_WORDS:
        return []
    nearest = dict[str, list[str]]()
    for word in typed.wanted:
        if not _finds(work, filters, word):
            near = search_rows.nearest(work.session, word)
            nearest[word] = [written for other, written in near if _finds(work, filters, other)]
    if not nearest or not all(nearest.values()):
        return []
    searches = list[str]()
    for number in range(max(map(len, nearest.values()))):
        chosen = {word: found[min(number, len(found) - 1)] for word, found in nearest.items()}
        words = [chosen.get(word, word) for word in typed.wanted]
        search = " ".join([*map(_quoted, words), *(f"-{_quoted(word)}" for word in typed.unwanted)])
        if len(words) == 1 or _finds(work, filters, search):
            searches.append(search)
    return searches[:MOST]


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _finds(work: UnitOfWork, filters: Mapping[str, object], search: str) -> bool:
    wanted = read_query(VIEW_FILTERS, {**filters, **WHOLE_TIME, "search": search})
    return pages.find_page(work, EVENT, wanted).total > 0
