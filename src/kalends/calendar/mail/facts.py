"""What a message says of an event: what its reader may know, as values that are kept until it is sent."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH
from kalends.store.engine.store import Session
from kalends.store.rows import links, posts
from kalends.store.rows.records import Event

GONE = "gone"  # what followers see of an event that is not public

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
    told = event_facts(event, venue)
    return told if event.password is None else told | {"venue": "", "status": "", "all_day": False}


def is_public(event: Event) -> bool:
    return event.status == PUBLISH


def seen(event: Event | None) -> str:
    """What followers of an event hear of, as a digest: it is another one when there are news."""
    if event is None or not is_public(event):
        return GONE
    told = public_facts(event)
    shown = [told[name] for name in ("title", "start_utc", "end_utc", "timezone", "all_day", "status")]
    return hashlib.blake2b(repr(shown).encode(), digest_size=16).hexdigest()


def venue_names(session: Session, events: Sequence[Event]) -> Mapping[int, str]:
    """The public venue of each event, by its id. What is hidden by a password is not named."""
    shown = [event.id for event in events if event.password is None]
    if not shown:
        return {}
    targets = links.targets_of_many(session, shown).get("venue", {})
    wanted = {id: of[0] for id, of in targets.items() if of}
    venues = posts.find_many(session, "venue", set(wanted.values()))
    return {id: venues[of].name for id, of in wanted.items() if of in venues and venues[of].status == "publish"}
