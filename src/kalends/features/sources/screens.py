"""All screens of sources by their paths, and their entries of the navigation."""

from kalends.admin.navigation import SITE
from kalends.admin.screen import Screen
from kalends.features.sources import admin, event_fields
from kalends.features.sources.duplicates import admin as duplicates_admin

SCREENS: dict[str, Screen] = admin.SCREENS | event_fields.SCREENS | duplicates_admin.SCREENS
NAVIGATION = {SITE: (admin.SOURCES, duplicates_admin.DUPLICATES)}
