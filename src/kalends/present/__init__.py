"""Representations: functions from records to JSON, JSON-LD, iCalendar, RSS and OpenAPI. No queries."""
