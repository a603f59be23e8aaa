"""What a stored time that is to come means when a clock was wrong: one that is further away than anybody can have
asked for was noted by a clock that was ahead, and is due now."""

from datetime import datetime, timedelta

SKEW = timedelta(minutes=1)  # by which the clocks of two nodes may differ


def furthest(now: datetime, longest: timedelta) -> datetime:
    """The last time that somebody can have asked for who may ask for one so far away."""
    return now + longest + SKEW
