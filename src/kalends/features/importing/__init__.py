"""Moves records in: sources read files and other calendars, and one import applies their records to a calendar."""
