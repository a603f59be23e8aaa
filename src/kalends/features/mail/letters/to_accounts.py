"""Letters to people who have an account."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from kalends.calendar.letters import Facts, LetterKind, letter
from kalends.features.mail.letters.samples import AT, EVENT, LINK, OTHER
from kalends.languages import N_
from kalends.site.letters import MANAGED, Draft, LetterItem, LetterReader

SECURITY = N_("You get this because you have an account here. Messages about its security are always sent.")
SIGN_IN = "/admin/sign-in"
NOT_YOU = N_("Not you? Choose a new password, and ask the people who run the calendar for help.")
CHOOSE = N_("Choose a password")
GATHERED = timedelta(hours=1)


@letter(N_("Forgotten password"), {"name": "anna", "path": LINK, "until": AT})
def password_link(facts: Facts, to: LetterReader) -> Draft:
    return Draft(
        subject=to.say(N_("A new password for {site}"), site=to.site),
        paragraphs=[
            to.say(N_("Somebody, probably you, asked for a new password for the user {name}."), name=facts["name"]),
        ],
        button=to.link(CHOOSE, facts["path"]),
        more=[
            to.say(
                N_(
                    "The link works once, until {until}. If you did not ask for it, ignore this message: your"
                    " password stays as it is."
                ),
                until=to.moment(facts["until"]),
            )
        ],
        reason=to.say(SECURITY),
    )


@letter(N_("Invitation"), {"author": "admin", "path": LINK, "until": AT})
def invitation(facts: Facts, to: LetterReader) -> Draft:
    return Draft(
        subject=to.say(N_("You are invited to {site}"), site=to.site),
        paragraphs=[
            to.say(
                N_("{author} invites you to work on the calendar {site}."),
                author=facts["author"] or to.site,
                site=to.site,
            ),
            to.say(N_("Choose the name and the password that you will sign in with.")),
        ],
        button=to.link(CHOOSE, facts["path"]),
        more=[to.say(N_("The link works once, until {until}."), until=to.moment(facts["until"]))],
    )


@letter(N_("New address, to be confirmed"), {"name": "anna", "path": "/admin/address?key=example", "until": AT})
def address_confirm(facts: Facts, to: LetterReader) -> Draft:
    return Draft(
        subject=to.say(N_("Is this your address?")),
        paragraphs=[
            to.say(N_("The user {name} of {site} wants to use this address."), name=facts["name"], site=to.site),
        ],
        button=to.link(N_("Confirm the address"), facts["path"]),
        more=[
            to.say(
                N_("The link works once, until {until}. If that was not you, ignore this message."),
                until=to.moment(facts["until"]),
            )
        ],
        reason=to.say(SECURITY),
    )


@letter(N_("Changed address"), {"name": "anna", "address": "anna@example.org", "was_this": True})
def address_changed(facts: Facts, to: LetterReader) -> Draft:
    said = N_("The address of the user {name} is now {address}. Until now it was this one.")
    if not facts["address"]:
        said = N_("The user {name} no longer has an address. Until now it was this one.")
    elif not facts["was_this"]:
        said = N_("This is now the address of the user {name}.")
    return Draft(
        subject=to.say(N_("The address of your account was changed")),
        paragraphs=[to.say(said, name=facts["name"], address=facts["address"]), to.say(NOT_YOU)],
        button=to.link(N_("Sign in"), SIGN_IN),
        reason=to.say(SECURITY),
    )


@letter(N_("Changed password"), {"name": "anna", "at": AT})
def password_changed(facts: Facts, to: LetterReader) -> Draft:
    return Draft(
        subject=to.say(N_("Your password was changed")),
        paragraphs=[
            to.say(
                N_(
                    "The password of the user {name} was changed on {when}. You have been signed out everywhere else."
                ),
                name=facts["name"],
                when=to.moment(facts["at"]),
            ),
            to.say(NOT_YOU),
        ],
        button=to.link(N_("Sign in"), SIGN_IN),
        reason=to.say(SECURITY),
    )


@letter(N_("New sign-in"), {"name": "anna", "at": AT, "agent": "Firefox 144, Linux"})
def new_browser(facts: Facts, to: LetterReader) -> Draft:
    return Draft(
        subject=to.say(N_("A new sign-in to {site}"), site=to.site),
        paragraphs=[
            to.say(
                N_("The user {name} signed in on {when} with a browser that was not used before:"),
                name=facts["name"],
                when=to.moment(facts["at"]),
            ),
        ],
        quote=[facts["agent"] or "?"],
        more=[to.say(N_("If that was you, there is nothing you need to do.")), to.say(NOT_YOU)],
        button=to.link(N_("See where you are signed in"), "/admin/profile"),
        reason=to.say(SECURITY),
    )


def _of_events(
    facts: Facts, to: LetterReader, subjects: tuple[str, str], said: str, items: Sequence[LetterItem], **more: Any
) -> Draft:
    """About one event or several. `subjects`: for one, and for several."""
    total = len(facts["entries"]) + facts.get("more", 0)
    subject = to.say(subjects[total > 1], title=facts["entries"][0]["event"]["title"], count=total)
    further = to.further(total - len(items))
    return Draft(subject=subject, paragraphs=[said], items=items, more=further, reason=to.say(MANAGED), **more)


@letter(
    N_("Waiting for review"),
    {"entries": [{"event": EVENT}, {"event": OTHER}], "more": 1},
    switch=N_("Something is waiting for review"),
)
def review_waiting(facts: Facts, to: LetterReader) -> Draft:
    return _of_events(
        facts,
        to,
        (N_("Waiting for review: {title}"), N_("{count} events are waiting for review")),
        to.say(N_("This was submitted and is waiting for review.")),
        [to.item(one["event"]) for one in facts["entries"]],
        button=to.link(N_("Review"), "/admin/review"),
    )


@letter(
    N_("Own event published"),
    {"entries": [{"event": EVENT}]},
    switch=N_("My event was published"),
    gathered=GATHERED,
)
def event_published(facts: Facts, to: LetterReader) -> Draft:
    subjects = (N_("Published: {title}"), N_("{count} of your events were published"))
    items = [to.item(one["event"]) for one in facts["entries"]]
    return _of_events(facts, to, subjects, to.say(N_("This is public now.")), items)


@letter(
    N_("Own event sent back"),
    {"entries": [{"event": {**EVENT, "path": "/admin/events/1"}, "name": "admin", "note": "Please add the price."}]},
    switch=N_("My event was sent back with a note"),
    gathered=GATHERED,
)
def event_returned(facts: Facts, to: LetterReader) -> Draft:
    first, *others = facts["entries"]
    if others:
        subjects = ("", N_("{count} of your events were sent back"))
        said = to.say(N_("These were sent back with a note:"))
        items = [to.item(one["event"], *one["note"].splitlines()) for one in facts["entries"]]
        return _of_events(facts, to, subjects, said, items)
    title, name = first["event"]["title"], first["name"] or to.site
    subject = N_("Sent back: {title}")
    sentence, button = N_("{name} looked at your event “{title}” and sent it back with a note:"), N_("Edit the event")
    if first.get("is_declined"):
        subject = N_("Declined: {title}")
        sentence, button = N_("{name} looked at your event “{title}” and declined it with a note:"), N_("Trash")
    return Draft(
        subject=to.say(subject, title=title),
        paragraphs=[to.say(sentence, name=name, title=title)],
        quote=first["note"].splitlines(),
        button=to.link(button, first["event"]["path"]),
        reason=to.say(MANAGED),
    )


@letter(
    N_("Own event changed by another"),
    {"entries": [{"event": EVENT, "before": OTHER, "details": [N_("Description")], "name": "admin"}]},
    switch=N_("Somebody else changed my event"),
    gathered=GATHERED,
)
def event_changed(facts: Facts, to: LetterReader) -> Draft:
    items, names = list[LetterItem](), dict[str, None]()
    for one in facts["entries"]:
        lines, details = to.changes(one["before"], one["event"]), [to.say(label) for label in one["details"]]
        if details:
            lines.append(to.say(N_("Also changed: {fields}"), fields=", ".join(details)))
        items.append(to.item(one["event"], *lines))
        names[one["name"] or to.site] = None
    subjects = (N_("Changed: {title}"), N_("{count} of your events were changed"))
    said = to.say(N_("{name} made changes. This is how it looks now:"), name=", ".join(names))
    return _of_events(facts, to, subjects, said, items)


@letter(N_("Test"), {}, is_tried_once=True)
def test(facts: Facts, to: LetterReader) -> Draft:
    return Draft(
        subject=to.say(N_("A test of {site}"), site=to.site),
        paragraphs=[to.say(N_("This message was sent to see whether mail arrives. It does."))],
    )


LETTERS = [kind for kind in vars().values() if isinstance(kind, LetterKind)]
