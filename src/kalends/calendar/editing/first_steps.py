"""The first days of a calendar: what is left to do before people find it, and what is done."""

from typing import Final

import msgspec

from kalends.calendar.access import UnitOfWork, may_manage_site, require
from kalends.calendar.accounts import one_time_links
from kalends.calendar.site_settings import stored
from kalends.store.rows import site, users

KEY = "first_steps"  # the row of the table `site`: a JSON list of the steps that a person has ticked
NAME, COLOURS, EVENT, PEOPLE, EMBED, SUBSCRIBE = "name", "colours", "event", "people", "embed", "subscribe"
STEPS: Final = (NAME, COLOURS, EVENT, PEOPLE, EMBED, SUBSCRIBE)


def steps(work: UnitOfWork, *, has_events: bool) -> dict[str, bool]:
    """Each step, and whether it is done; none for people who do not manage the site. What the calendar cannot know
    itself is done when somebody says so."""
    if not may_manage_site(work.caller):
        return {}
    saved, ticked, settings = stored(work.session), _ticked(work), work.settings
    done = {
        NAME: "site_name" in saved and bool(settings.logo),
        COLOURS: bool(settings.accent_color),
        EVENT: has_events,
        PEOPLE: len(users.all_users(work.session)) > 1 or bool(one_time_links.invitations(work)),
    }
    return {step: done.get(step, False) or step in ticked for step in STEPS}


def tick(work: UnitOfWork, step: str) -> None:
    """Says that a step is done; with an empty one, that all are."""
    require(may_manage_site(work.caller), work.caller)
    ticked = {*_ticked(work), *(STEPS if not step else [step])}
    site.write(work.session, KEY, msgspec.json.encode([one for one in STEPS if one in ticked]).decode())


def _ticked(work: UnitOfWork) -> list[str]:
    return msgspec.json.decode(site.read(work.session, KEY) or "[]", type=list[str])
