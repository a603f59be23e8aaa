"""Writes a calendar to files that Kalends and other programs can read."""
