"""A town that never was, to fill an empty calendar with: its places, its people and half a year of its events."""
