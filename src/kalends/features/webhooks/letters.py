"""The letter to those who run the site that nothing could be delivered to a webhook for a day."""

from kalends.calendar.letters import Facts, letter
from kalends.languages import N_
from kalends.site.letters import MANAGED, Draft, LetterReader


@letter(
    N_("Webhook that fails"),
    {
        "address": "https://example.org/hook",
        "since": "2027-03-08 12:00:00",
        "reason": "503",
        "path": "/admin/settings/mail",
    },
    switch=N_("A webhook has failed for a day"),
)
def webhook_failed(facts: Facts, to: LetterReader) -> Draft:
    return Draft(
        subject=to.say(N_("A webhook has failed for a day")),
        paragraphs=[
            to.say(
                N_("Since {when} nothing could be delivered to this address:"),
                when=to.moment(facts["since"]),
            )
        ],
        quote=[line for line in (facts["address"], facts["reason"]) if line],
        button=to.link(N_("Look at it"), facts["path"]),
        reason=to.say(MANAGED),
    )


LETTERS = [webhook_failed]
