"""The letter to those who run the site that a source could not be read for a day, and when it is posted."""

from datetime import timedelta

from kalends.calendar import letters
from kalends.calendar.access import UnitOfWork
from kalends.calendar.letters import Facts, letter
from kalends.contract.roles import Role
from kalends.features.sources.failures import error_of
from kalends.features.sources.rows import Source, SourceStatus
from kalends.languages import N_
from kalends.site.letters import MANAGED, Draft, LetterReader
from kalends.store.rows import users
from kalends.values import dates

PATIENCE = timedelta(days=1)


@letter(
    N_("Source that fails"),
    {
        "name": "Town hall",
        "since": "2027-03-08 12:00:00",
        "reason": "example.org: it took too long to fetch",
        "path": "/admin/settings/mail",
    },
    switch=N_("A source has failed for a day"),
)
def source_failed(facts: Facts, to: LetterReader) -> Draft:
    return Draft(
        subject=to.say(N_("A source has failed for a day")),
        paragraphs=[
            to.say(N_("Since {when} nothing could be read from this source:"), when=to.moment(facts["since"])),
            to.say(N_("Its events stay as they are, and it is tried again and again.")),
        ],
        quote=[line for line in (facts["name"], facts["reason"]) if line],
        button=to.link(N_("Look at it"), facts["path"]),
        reason=to.say(MANAGED),
    )


def notify(work: UnitOfWork, source: Source, state: SourceStatus) -> None:
    """Tells those who run the site once of a failure that has lasted for a day. Brings the state up to date."""
    if not state.failing_since or state.told_utc or state.failing_since > dates.text(work.now - PATIENCE):
        return
    state.told_utc = work.now_text
    facts = {
        "name": source.name,
        "since": state.failing_since,
        "reason": error_of(state.error),
        "path": f"/admin/sources/{source.id}",
    }
    for user in users.all_users(work.session):
        if user.role == Role.ADMINISTRATOR.word:
            letters.post(work, "source_failed", user.email, facts, user=user)


LETTERS = [source_failed]
