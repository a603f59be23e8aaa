"""Letters to people without an account: who sent an event, and who follows something."""

from collections.abc import Sequence
from datetime import timedelta

from kalends.calendar.letters import Facts, LetterKind, letter
from kalends.features.mail.letters.samples import CONFIRM, END, EVENT, OTHER
from kalends.languages import N_
from kalends.site.letters import Draft, LetterItem, LetterReader
from kalends.values import dates, zones

SENT_IT = N_("You get this because somebody sent an event with this address.")
FOLLOWING = N_("You get this because you asked for it. Your address is used for nothing else.")
HOUR, AN_HOUR = timedelta(hours=1), timedelta(minutes=50)  # from which on minutes are not counted
NOT_ASKED = N_("If you did not ask for this, ignore this message: you will get no more.")


@letter(N_("Submission received"), {"path": CONFIRM})
def submission_received(facts: Facts, to: LetterReader) -> Draft:
    """It quotes nothing: anybody can have typed the address, and the title to send there."""
    return Draft(
        subject=to.say(N_("We have your event")),
        paragraphs=[
            to.say(N_("Thank you for your event. Somebody will look at it before it is public.")),
            to.say(N_("Confirm your address, and we will write to you when that is done.")),
        ],
        button=to.link(N_("Confirm the address"), facts["path"]),
        more=[to.say(NOT_ASKED)],
        reason=to.say(SENT_IT),
    )


@letter(N_("Submission published"), {"event": EVENT})
def submission_published(facts: Facts, to: LetterReader) -> Draft:
    event = facts["event"]
    return Draft(
        subject=to.say(N_("Published: {title}"), title=event["title"]),
        paragraphs=[to.say(N_("The event that you sent is public now. Thank you!"))],
        items=[to.item(event)],
        reason=to.say(SENT_IT),
    )


@letter(N_("Submission sent back"), {"event": EVENT, "note": "Please add the price,\nand send it again."})
def submission_returned(facts: Facts, to: LetterReader) -> Draft:
    event = facts["event"]
    return Draft(
        subject=to.say(N_("About your event: {title}"), title=event["title"]),
        paragraphs=[
            to.say(
                N_("Your event “{title}” has not been published as it is. The people at {site} say:"),
                title=event["title"],
                site=to.site,
            )
        ],
        quote=facts["note"].splitlines(),
        more=[to.say(N_("You can answer this message, or send the event again."))],
        reason=to.say(SENT_IT),
    )


@letter(N_("Following, to be confirmed"), {"rhythm": "weekly", "what": "Music", "path": CONFIRM})
def follow_confirm(facts: Facts, to: LetterReader) -> Draft:
    sentence = {
        "daily": N_("Somebody, probably you, asked for a daily e-mail: {what}."),
        "weekly": N_("Somebody, probably you, asked for a weekly e-mail: {what}."),
        "event": N_("Somebody, probably you, asked for a reminder and for news of “{what}”."),
    }[facts["rhythm"]]
    return Draft(
        subject=to.say(N_("Please confirm: {what}"), what=facts["what"] or to.site),
        paragraphs=[
            to.say(sentence, what=facts["what"] or to.site),
            to.say(N_("It starts when you confirm it.")),
        ],
        button=to.link(N_("Confirm"), facts["path"]),
        more=[to.say(NOT_ASKED)],
    )


@letter(
    N_("Daily and weekly e-mail"),
    {
        "rhythm": "weekly",
        "what": "Music",
        "events": [{**EVENT, "is_new": False}, {**OTHER, "is_new": True}],
        "total": 12,
        "path": "/events/list/",
        "end": END,
    },
    is_for_many=True,
)
def digest(facts: Facts, to: LetterReader) -> Draft:
    events = facts["events"]
    said = N_("New and coming up today and in the next few days:")
    if facts["rhythm"] == "weekly":
        said = N_("New and coming up this week and later:")
    return Draft(
        subject=to.say(N_("{what}: new and coming up"), what=facts["what"] or to.site),
        paragraphs=[to.say(said)],
        items=[to.item(event, to.say(N_("New")) if event["is_new"] else "") for event in events],
        button=to.link(N_("See all"), facts["path"]),
        more=to.further(int(facts["total"]) - len(events)),
        reason=to.say(FOLLOWING),
        end=to.end(facts),
    )


@letter(N_("Following has ended"), {"what": "Music"}, is_for_many=True)
def follow_ended(facts: Facts, to: LetterReader) -> Draft:
    what = facts["what"] or to.site
    return Draft(
        subject=to.say(N_("No longer there: {what}"), what=what),
        paragraphs=[
            to.say(N_("What you followed is no longer there: {what}."), what=what),
            to.say(N_("This is the last message, and your address has been deleted.")),
        ],
        button=to.link(N_("Go to the calendar"), "/"),
        reason=to.say(FOLLOWING),
    )


@letter(N_("Reminder"), {"event": EVENT, "now": "2027-03-09 18:30:00", "end": END}, is_for_many=True)
def reminder(facts: Facts, to: LetterReader) -> Draft:
    """`now`: when it is sent, which may be long after it was due."""
    event, now = facts["event"], dates.from_text(facts["now"])
    left = dates.from_text(event["start_utc"]) - now
    if left <= timedelta():
        return _of_event(facts, to, N_("It has begun: {title}"), N_("This has begun:"))
    if AN_HOUR <= left < 1.5 * HOUR:
        return _of_event(facts, to, N_("In an hour: {title}"), N_("This begins in an hour:"))
    when = to.in_time(round(left / HOUR) * HOUR if left >= AN_HOUR else left)
    tomorrow = zones.to_local(now, event["timezone"]).date() + timedelta(days=1)
    is_tomorrow = dates.from_text(event["start_local"]).date() == tomorrow
    subject = N_("Tomorrow: {title}") if is_tomorrow else N_("{when}: {title}")
    return _of_event(facts, to, subject, N_("This begins {when}:"), when)


@letter(
    N_("News of an event"),
    {"entries": [{"before": OTHER, "event": {**EVENT, "status": "cancelled"}, "gone": False}], "end": END},
    is_for_many=True,
    gathered=timedelta(minutes=10),
)
def event_news(facts: Facts, to: LetterReader) -> Draft:
    first, *others = facts["entries"]
    if others:
        return Draft(
            subject=to.say(N_("News of {count} events that you follow"), count=len(facts["entries"])),
            paragraphs=[to.say(N_("Something has changed. This is how it looks now:"))],
            items=[_news_item(one, to) for one in facts["entries"]],
            reason=to.say(FOLLOWING),
            end=to.end(facts),
        )
    told = {"event": first["event"], "end": facts["end"], "gone": first["gone"]}
    if first["gone"]:
        return _of_event(told, to, N_("No longer announced: {title}"), N_("This event is no longer announced."))
    lines = _changes(first, to)
    if first["event"]["status"] == "cancelled":
        return _of_event(told, to, N_("Cancelled: {title}"), N_("This event will not take place."), lines=lines)
    said = N_("Something has changed. This is how it looks now:")
    return _of_event(told, to, N_("Changed: {title}"), said, lines=lines)


def _changes(entry: Facts, to: LetterReader) -> list[str]:
    return to.changes(entry["before"], entry["event"]) if entry["before"] else []


def _news_item(entry: Facts, to: LetterReader) -> LetterItem:
    if entry["gone"]:
        return LetterItem(entry["event"]["title"], "", [to.say(N_("This event is no longer announced."))])
    return to.item(entry["event"], *_changes(entry, to))


def _of_event(
    facts: Facts, to: LetterReader, subject: str, said: str, when: str = "", lines: Sequence[str] = ()
) -> Draft:
    """To who follows an event; one that is gone is not shown. `when`: in how many hours it begins."""
    event = facts["event"]
    return Draft(
        subject=to.say(subject, title=event["title"], when=when[:1].upper() + when[1:]),
        paragraphs=[to.say(said, when=when)],
        items=[] if facts.get("gone") else [to.item(event, *lines)],
        reason=to.say(FOLLOWING),
        end=to.end(facts),
    )


LETTERS = [kind for kind in vars().values() if isinstance(kind, LetterKind)]
