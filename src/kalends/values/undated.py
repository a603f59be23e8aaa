"""An event without dates: a draft that a client of WordPress has only given a title yet."""

# Its start and its end on its own clock: a second long before any event, which nothing else begins and ends in.
NO_DATE = "1900-01-02 11:59:59"


def is_undated(start_local: str, end_local: str) -> bool:
    return start_local == end_local == NO_DATE
