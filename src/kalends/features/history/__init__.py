"""History: earlier versions of records, the way back to one, and what to do when two people changed the same."""

from kalends.feature import Feature

HISTORY = Feature(name="history", screens="admin:SCREENS")
