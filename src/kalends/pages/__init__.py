"""HTML: the calendar, the pages of records and the API reference, with templates and static files."""
