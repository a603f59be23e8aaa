"""Representations: functions from records to JSON and other documents, without access to the store."""
