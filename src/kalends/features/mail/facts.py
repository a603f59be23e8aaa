"""What a message says of an event: what its reader may know, as values that are kept until it is sent."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import msgspec

from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH
from kalends.store.engine.store import Session
from kalends.store.rows import links, merges, posts
from kalends.store.rows.records import Event, Post
from kalends.values import dates, zones

GONE = "gone"  # what followers see of an event that is not public
SEEN = ("title", "start_local", "end_local", "timezone", "all_day", "status")
COMPARED = (*SEEN, "venue")

Facts = dict[str, Any]


def page_of(event: Event) -> str:
    return f"/{EVENT.page}/{quote(event.slug, safe='')}/"


def editor_of(event: Event) -> str:
    return f"/admin/events/{event.id}"


def event_facts(event: Event, venue: str = "", path: str = "") -> Facts:
    """One event; `path` is where it leads, by default to its page."""
    return {
        "title": event.name,
        "path": path or page_of(event),
        "start_local": event.start_local,
        "end_local": event.end_local,
        "start_utc": event.start_utc,
        "end_utc": event.end_utc,
        "timezone": event.timezone,
        "all_day": event.all_day,
        "venue": venue,
        "status": event.event_status,
    }


def public_facts(event: Event, venue: str = "") -> Facts:
    """Those of a public event that everybody can see, also of one behind a password."""
    found = event_facts(event, venue)
    return found if event.password is None else found | {"venue": "", "status": "", "all_day": False}


def is_public(event: Event) -> bool:
    return event.status == PUBLISH


def is_listed(event: Event | None) -> bool:
    """Whether lists for everybody have an event, and all of it."""
    return event is not None and is_public(event) and event.password is None and not event.hide_from_listings


def seen(session: Session, events: Sequence[Event]) -> dict[int, str]:
    """What followers of public events hear of, by id: it is another text when there are news. The wall clock counts,
    not UTC, which follows the rules of time zones; and the venue itself, not how it is called."""
    public = [event for event in events if is_public(event)]
    venues, found = _venues(session, public), {}
    for event in public:
        described = public_facts(event)
        shown = [described[name] for name in SEEN]
        found[event.id] = msgspec.json.encode([*shown, venues[event.id].id if event.id in venues else 0]).decode()
    return found


def known(session: Session, seen: str) -> Facts | None:
    """What such a text says, with the venue that is meant by now (`place`, and its name if everybody can read it);
    None for an event that is gone."""
    if seen == GONE:
        return None
    *shown, id = msgspec.json.decode(seen)
    found: Facts = dict(zip(SEEN, shown, strict=True))
    place = merges.merged_into(session, "venue", [id]).get(id, id)
    venue = posts.find(session, "venue", place)
    zone = str(found["timezone"])
    return found | {
        "place": place,
        "venue": venue.name if venue is not None and venue.status == PUBLISH else "",
        "start_utc": dates.text(zones.to_utc(dates.from_text(found["start_local"]), zone)),
        "end_utc": dates.text(zones.to_utc(dates.from_text(found["end_local"]), zone)),
    }


def venue_names(session: Session, events: Sequence[Event]) -> Mapping[int, str]:
    """The name of the public venue of each event, by its id. What is hidden by a password is not named."""
    return {id: venue.name for id, venue in _venues(session, events).items()}


def _venues(session: Session, events: Sequence[Event]) -> dict[int, Post]:
    shown = [event.id for event in events if event.password is None]
    if not shown:
        return {}
    targets = links.targets_of_many(session, shown).get("venue", {})
    wanted = {id: of[0] for id, of in targets.items() if of}
    venues = posts.find_many(session, "venue", set(wanted.values()))
    return {id: venues[of] for id, of in wanted.items() if of in venues and venues[of].status == PUBLISH}
