"""The venues of a city, country or state, and the costs that events have: what filters by them are resolved to."""

import math
from collections.abc import Callable, Collection, Sequence

from kalends.store.engine.store import Session
from kalends.store.rows.visibility import Visibility
from kalends.values import names

# The venues around a point.

EARTH_RADIUS = 6371.0088  # kilometres, the mean


def venues_near(session: Session, visibility: Visibility, lat: float, lng: float, kilometres: float) -> list[int]:
    """The venues within a distance on the sphere. The index gives a band of latitudes, of which each is measured."""
    degrees = math.degrees(kilometres / EARTH_RADIUS) + 1e-9
    sql, parameters = visibility.where_readable("v")
    rows = session.all(
        "SELECT v.id, v.geo_lat, v.geo_lng FROM venue v"
        f" WHERE v.geo_lat IS NOT NULL AND v.geo_lat BETWEEN ? AND ? AND {sql}",
        [lat - degrees, lat + degrees, *parameters],
    )
    return [id for id, there_lat, there_lng in rows if distance(lat, lng, there_lat, there_lng) <= kilometres]


def distance(lat: float, lng: float, there_lat: float, there_lng: float) -> float:
    """Kilometres along a great circle (haversine), the same across the date line and at the poles."""
    phi, there_phi = math.radians(lat), math.radians(there_lat)
    half_phi = math.sin((there_phi - phi) / 2)
    half_lambda = math.sin(math.radians(there_lng - lng) / 2)
    chord = half_phi**2 + math.cos(phi) * math.cos(there_phi) * half_lambda**2
    return 2 * EARTH_RADIUS * math.asin(min(1.0, math.sqrt(chord)))


COLUMNS = {"city": ("city",), "country": ("country",), "state": ("state", "province", "stateprovince")}
WORDS_IN = ("name", "address", "city", "state", "province", "stateprovince", "zip", "country")
_INDEXED = "(length(event.cost) <= 500)"  # the condition of the index of costs


def folded(name: str) -> str:
    """A name as names are compared: without regard to case and to blanks around commas."""
    return ",".join(" ".join(part.split()) for part in name.casefold().split(","))


def venues_in(session: Session, visibility: Visibility, part: str, wanted: Collection[str]) -> list[int]:
    """The readable venues whose city, country or state has one of these names, which are folded."""
    columns = COLUMNS[part]
    sql, parameters = visibility.where_readable("v")
    rows = session.all(f"SELECT v.id, {_of('v', columns)} FROM venue v WHERE {sql} ORDER BY v.id", parameters)
    return [id for id, *names in rows if any(name and folded(name) in wanted for name in names)]


def venues_with_words(session: Session, visibility: Visibility, words: Sequence[str]) -> list[int]:
    """The readable venues that have all words, as they are searched, in their name and address."""
    sql, parameters = visibility.where_readable("v")
    rows = session.all(f"SELECT v.id, {_of('v', WORDS_IN)} FROM venue v WHERE {sql} ORDER BY v.id", parameters)
    return [id for id, *texts in rows if _has_all(names.searched(" ".join(texts)), words)]


def costs(session: Session, is_wanted: Callable[[str], bool]) -> list[str]:
    """The different costs of all events, as the column has them, that are wanted. The index of costs is asked for the
    next one: there are few costs, and many events."""
    every = session.column(
        f"WITH RECURSIVE known (cost) AS (SELECT min(cost) FROM event WHERE {_INDEXED} UNION ALL"
        f" SELECT (SELECT min(event.cost) FROM event WHERE event.cost > known.cost AND {_INDEXED}) FROM known"
        " WHERE known.cost IS NOT NULL) SELECT cost FROM known WHERE cost IS NOT NULL"
    )
    every += session.column(f"SELECT DISTINCT cost FROM event WHERE NOT {_INDEXED}")
    return [cost for cost in every if is_wanted(cost)]


def _of(alias: str, columns: Sequence[str]) -> str:
    return ", ".join(f"{alias}.{column}" for column in columns)


def _has_all(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)
