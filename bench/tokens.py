"""A token with which the benchmarks write."""

from data import NOW, Sample
from kalends.calendar import people
from kalends.server.app import make_calendar
from kalends.settings import load
from kalends.store import people as stored_people


def token_for(of: Sample) -> str:
    calendar = make_calendar(load(of.folder, {"timezone": "America/New_York"}, {}), lambda: NOW)
    with calendar.store.write() as session:
        user = stored_people.find_user_by_name(session, "bench")
        if user is None:
            raise LookupError("the calendar has no user to measure with")
        token = people.add_token(session, user, "bench", NOW)[0]
    calendar.store.close()
    return token
