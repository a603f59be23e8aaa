"""A token with which the benchmarks write."""

from data import NOW, SITE, Sample
from kalends.calendar import people
from kalends.server.app import make_calendar
from kalends.settings import load
from kalends.store import people as stored_people


def token_for(of: Sample, database: str = "") -> str:
    """For the calendar in its own folder, or for its copy in another database."""
    calendar = make_calendar(load(of.folder, SITE | {"database": database}, {}), lambda: NOW)
    with calendar.store.write() as session:
        user = stored_people.find_user_by_name(session, "bench")
        if user is None:
            raise LookupError("the calendar has no user to measure with")
        token = people.add_token(session, user, "bench", NOW)[0]
    calendar.store.close()
    return token
