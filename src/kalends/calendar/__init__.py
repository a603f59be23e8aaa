"""The rules of the calendar: what can be done with records, and the rights it needs. No HTTP, no SQL."""
