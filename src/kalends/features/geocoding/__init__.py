"""Geocoding: a service that somebody has named finds the addresses of venues on the map."""

from kalends.feature import Feature

GEOCODING = Feature(
    name="geocoding", settings="settings:GeocodingSettings", service_hooks="service_hooks:SERVICE_HOOKS"
)
