"""All screens of sources by their paths."""

from kalends.admin.screen import Screen
from kalends.features.sources import admin, event_fields

SCREENS: dict[str, Screen] = admin.SCREENS | event_fields.SCREENS
