"""People and moments as screens tell them: who changed something, and when."""

from collections.abc import Mapping

from kalends.languages import N_
from kalends.pages import times
from kalends.server.admin.legacy import Visit
from kalends.store.rows import users
from kalends.values import dates, zones


def names_of_people(visit: Visit) -> Mapping[int, str]:
    with visit.calendar.store.read() as session:
        return users.author_names(session)


def who(visit: Visit, people: Mapping[int, str], actor: int) -> str:
    if not actor:
        return visit.say(N_("The calendar"))
    return people.get(actor) or visit.say(N_("Somebody who left"))


def moment(visit: Visit, at: str) -> str:
    local = zones.to_local(dates.from_text(at), visit.settings.timezone)
    return times.moment(dates.text(local), visit.language)
