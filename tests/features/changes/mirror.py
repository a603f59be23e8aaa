"""A client that keeps a copy by following changes, and what it should have: a read of every record."""

from dataclasses import dataclass, field
from typing import Any

import msgspec
from tests.conftest import BASE_URL, World

from kalends.calendar.access import ANONYMOUS, Caller
from kalends.calendar.posts import terms
from kalends.calendar.posts.posts import bundle_posts
from kalends.contract.kinds import KINDS
from kalends.contract.operations.model import NAMESPACE
from kalends.contract.roles import Role
from kalends.present import json as representation
from kalends.present.addresses import Addresses, RenderContext
from kalends.store.rows import posts

Copy = dict[tuple[str, int], dict[str, Any]]


@dataclass
class Mirror:
    """A copy of all that somebody can read."""

    world: World
    who: str = "anonymous"
    limit: int = 100
    token: str = ""
    show_hidden: bool = False
    records: Copy = field(default_factory=dict)
    pages: int = 0
    told: list[dict[str, Any]] = field(default_factory=list)  # of the last time

    def follow(self) -> Copy:
        """Reads until there is no more."""
        self.told = []
        while self.read_page():
            pass
        return self.records

    def read_page(self) -> bool:
        """Whether there is more."""
        since = f"&since={self.token}" if self.token else ""
        path = f"/changes?include=records&expand=events&limit={self.limit}{since}"
        path += "&show_hidden=true" if self.show_hidden else ""
        answer = self.world.get(path, self.who)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        self.take(page)
        return bool(page["more"])

    def take(self, page: dict[str, Any]) -> None:
        revs = [change["rev"] for change in page["changes"]]
        keys = [(change["kind"], change["id"]) for change in page["changes"]]
        assert revs == sorted(revs)
        assert len(keys) == len(set(keys))
        assert len(keys) <= self.limit
        for change, key in zip(page["changes"], keys, strict=True):
            if change["change"] == "gone":
                assert self.token, "a page without since has none"
                known = self.records.pop(key, None)  # None: it could be read only between two pages
                if known is not None:
                    assert change["slug"] == known["slug"]
                    told = (change["source"], change["external_id"])
                    assert told == (known.get("source", ""), known.get("external_id", ""))
            else:
                record = change["record"]
                assert change["slug"] == record["slug"]
                assert change["source"] == record.get("source", "")
                self.records[key] = without_count(record)
        self.told += page["changes"]
        self.pages += 1
        self.token = page["next"]


def without_count(record: dict[str, Any]) -> dict[str, Any]:
    """`count` of a term is not part of the invariant."""
    return {name: value for name, value in record.items() if name != "count"}


def caller_of(world: World, who: str) -> Caller:
    if who == "anonymous":
        return ANONYMOUS
    role = who.removeprefix("other_")
    return Caller(world.ids[who], who, Role[role.upper()])


def everything(world: World, who: str = "anonymous", *, show_hidden: bool = False) -> Copy:
    """Every record, as its own address shows it to somebody; what is masked as lists show it. Events that are hidden
    from lists only with `show_hidden`, and if they may change them."""
    calendar = world.calendar
    addresses = Addresses(BASE_URL, f"{BASE_URL}/api", f"{BASE_URL}/api/{NAMESPACE}")
    calendar.revision()
    context = RenderContext(addresses, calendar.settings.timezone, calendar.settings.currency)
    found: Copy = {}
    with calendar.reading(caller_of(world, who)) as work:
        for kind in KINDS:
            ids = work.session.column(f"SELECT id FROM {kind.name}")
            if kind.is_term:
                for id in ids:
                    json = representation.term(kind, terms.read(work, kind, id), 0, context)
                    found[kind.name, id] = json
            else:
                known = posts.find_many(work.session, kind.name, ids).values()
                readable = [post for post in known if work.visibility.can_read(post)]
                if kind.name == "event":
                    own = work.visibility.can_edit if show_hidden else lambda post: False
                    readable = [post for post in readable if not post.hide_from_listings or own(post)]
                for post, bundle in bundle_posts(work, readable):
                    found[kind.name, post.id] = representation.post(post, bundle, context, single=True)
    return {key: without_count(msgspec.json.decode(msgspec.json.encode(json))) for key, json in found.items()}


def difference(copy: Copy, expected: Copy) -> str:
    """What a copy lacks, has too much, and has otherwise; empty where it is exact."""
    parts = [f"lacks {key}" for key in expected.keys() - copy.keys()]
    parts += [f"still has {key}" for key in copy.keys() - expected.keys()]
    for key in copy.keys() & expected.keys():
        names = [name for name, value in expected[key].items() if copy[key].get(name) != value]
        names += [name for name in copy[key] if name not in expected[key]]
        parts += [f"{key}.{name}: {copy[key].get(name)!r} for {expected[key].get(name)!r}" for name in names]
    return "; ".join(parts[:5])
