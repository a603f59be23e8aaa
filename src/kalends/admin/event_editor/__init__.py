"""The editor of an event, and the dates of its series."""
