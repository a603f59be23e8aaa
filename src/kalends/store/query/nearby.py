"""The venues around a point."""

import math

from kalends.store.engine.store import Session
from kalends.store.rows.visibility import Visibility

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
