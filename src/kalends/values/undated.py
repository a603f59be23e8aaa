"""An event without dates: a draft that a client of WordPress has only given a title yet."""

# The day of its start and its end on its own clock, long before any event.
NO_DAY = "1900-01-02"
NO_DATE = f"{NO_DAY} 00:00:00"


def is_undated(start_local: str, end_local: str) -> bool:
    return start_local[:10] == end_local[:10] == NO_DAY
