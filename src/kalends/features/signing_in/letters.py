"""The letter to somebody whose ways to sign in were changed: who did not do that has to know."""

from kalends.calendar.letters import Facts, letter
from kalends.features.signing_in.log_words import ABOUT, WHAT
from kalends.languages import N_
from kalends.site.letters import Draft, LetterReader


@letter(
    N_("Changed second factor"),
    {"name": "anna", "at": "2027-03-08 12:00:00", "what": "factor_added", "about": "totp"},
)
def factors_changed(facts: Facts, to: LetterReader) -> Draft:
    about = to.say(ABOUT[facts["about"]]) if facts["about"] in ABOUT else facts["about"]
    return Draft(
        subject=to.say(N_("How you sign in was changed")),
        paragraphs=[
            to.say(
                N_("This was changed for the user {name} on {when}:"),
                name=facts["name"],
                when=to.moment(facts["at"]),
            ),
        ],
        quote=[": ".join(part for part in (to.say(WHAT[facts["what"]]), about) if part)],
        more=[to.say(N_("Not you? Choose a new password, and ask the people who run the calendar for help."))],
        button=to.link(N_("Look at it"), "/admin/profile/factors"),
        reason=to.say(
            N_("You get this because you have an account here. Messages about its security are always sent.")
        ),
    )


LETTERS = [factors_changed]
