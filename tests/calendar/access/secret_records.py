"""Two calendars with the same public records. One also has secret records, created last, so that all ids agree."""

from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tests.feature_parts import feature_parts
from tests.pictures import png

# What features have events remember: texts of secrets, and values that are no texts.
OF_FEATURES = feature_parts("secrets")
STATES = ("draft", "pending", "private", "future", "trash")
TEXTS = {
    "events": ("title", "description", "excerpt", "cost", *(name for part in OF_FEATURES for name in part.TEXTS)),
    "venues": (
        *("venue", "description", "excerpt", "address", "city", "country", "province", "state", "zip", "phone"),
        "stateprovince",
    ),
    "organizers": ("organizer", "description", "excerpt", "phone"),
}
ELSEWHERE = "elsewhere"
PLACE = {"geo_lat": 10.0, "geo_lng": 20.0}  # where only secret venues are
DAYS = {"start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 12:00:00"}


@dataclass
class Probe:
    """A calendar, and the ids, slugs and words by which a client could ask for its secret records."""

    world: Any
    ids: dict[str, int] = field(default_factory=dict)  # public records, by their short name
    secrets: dict[str, list[int]] = field(default_factory=lambda: {"events": [], "venues": [], "organizers": []})
    slugs: list[str] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    pictures: dict[int, list[str]] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    series: list[int] = field(default_factory=list)
    external: dict[str, str] = field(default_factory=dict)  # addresses of secret records by their ids at ELSEWHERE

    def new_word(self, state: str) -> str:
        self.words.append(f"leak{len(self.words)}x{state}")
        return self.words[-1]

    def make(self, short: str, kind: str, **body: Any) -> None:
        self.ids[short] = self.world.make(kind, **body)["id"]


class Names:
    """Replaces the random part in the names of image files, so that both calendars have the same."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def token_hex(self, size: int) -> str:
        return f"{next(self._numbers):0{2 * size}x}"


def picture(shade: int) -> bytes:
    return png(400, 200, shade=shade)


def upload(probe: Probe, name: str, shade: int) -> int:
    made = probe.world.upload(picture(shade), name=f"{name}.png")
    addresses = [made["url"], *(size["url"] for size in made["sizes"].values())]
    probe.pictures[made["id"]] = addresses
    return int(made["id"])


def add_public(probe: Probe, *, full: bool) -> None:
    """Public records. `full`: the protected event has content that the mask hides, and so has a field that is not
    public."""
    inner = probe.new_word("inner") if full else "nothing"
    of_features: dict[str, Any] = {}
    for part in OF_FEATURES:
        of_features |= part.of_public_event(probe.world, inner)
    probe.make("music", "categories", name="Music")
    probe.make("jazz", "categories", name="Jazz", parent=probe.ids["music"])
    probe.make("hollow", "categories", name="Hollow")
    probe.make("loud", "tags", name="Loud")
    probe.make("quiet", "tags", name="Quiet")
    poster = upload(probe, "poster", 1)
    probe.make("hall", "venues", venue="Town hall", geo_lat=40.7, geo_lng=-74.0, image=poster)
    probe.make("club", "venues", venue="Club")
    probe.make("empty", "venues", venue="Empty hall", **PLACE)
    probe.make("olga", "organizers", organizer="Olga")
    probe.make("idle", "organizers", organizer="Idle")
    links = {"venue": probe.ids["hall"], "organizer": probe.ids["olga"], "categories": ["Jazz"], "tags": ["Loud"]}
    probe.make(
        "concert",
        "events",
        title="Open concert",
        image=poster,
        **of_features,
        **links,
    )
    probe.make("lecture", "events", title="Open lecture", venue=probe.ids["club"], featured=True)
    probe.make("series", "events", title="Series", tickets=[{"name": "Seat"}])
    probe.make("part", "events", title="Part one", post_parent=probe.ids["series"])
    probe.make("past", "events", title="Past party", start_date="2020-01-01", end_date="2020-01-02", **links)
    hidden: dict[str, Any] = {"post_password": "another"}
    if full:
        hidden = _words(probe, "events", "masked") | secret_links(probe) | {"post_password": "the secret"}
        hidden |= {"featured": True, "sticky": True, "show_map": False, "tickets": [{"name": probe.words[-1]}]}
        hidden |= from_elsewhere(probe, "events", "masked")
        del hidden["title"]
    probe.make("masked", "events", title="Closed circle", **hidden)


def from_elsewhere(probe: Probe, kind: str, state: str) -> dict[str, str]:
    """Where a secret record comes from, by which it could be asked for."""
    probe.external[f"{kind}-{state}"] = f"/{kind}/by-external/{ELSEWHERE}/{kind}-{state}"
    return {"source": ELSEWHERE, "external_id": f"{kind}-{state}"}


def secret_links(probe: Probe) -> dict[str, Any]:
    """Public records that only secret events are linked to."""
    return {
        "venue": [probe.ids["empty"], probe.ids["hall"]],
        "organizer": [probe.ids["idle"]],
        "categories": ["Hollow"],
        "tags": ["Quiet"],
    }


def add_secrets(probe: Probe) -> None:
    """A record of every kind in every unpublished state, a hidden event, and an unused image."""
    for shade, state in enumerate(STATES, 10):
        for kind in ("venues", "organizers", "events"):
            body = _words(probe, kind, state) | {"image": upload(probe, f"{state}{kind}", shade)}
            body |= {"website": f"https://{probe.words[-1]}.test/"} | from_elsewhere(probe, kind, state)
            if kind == "events":
                body |= DAYS | secret_links(probe) | {"post_parent": probe.ids["series"], "post_password": "open me"}
            if kind == "venues":
                body |= PLACE
            _create(probe, kind, state, body)
    # Without links: the counts of linked records include hidden events, which is allowed.
    body = _words(probe, "events", "hidden") | {"hide_from_listings": True, "featured": True}
    probe.hidden.append(probe.world.make("events", **body, post_parent=probe.ids["series"])["id"])
    upload(probe, "unused", 99)
    _add_series(probe)


def _add_series(probe: Probe) -> None:
    """A draft that repeats, of which nothing is public."""
    body = _words(probe, "events", "series") | DAYS | secret_links(probe) | {"status": "draft"}
    first = probe.world.make("events", **body, recurrence="FREQ=DAILY;COUNT=2")
    status = "&status=draft&start_date=2019-01-01&end_date=2040-01-01"
    found = probe.world.get(f"/events?series={first['series']}{status}", "administrator").json()["events"]
    # In the middle: what is changed first and last are records of other states.
    probe.secrets["events"][2:2] = [event["id"] for event in found]
    probe.slugs += [f"/events/by-slug/{event['slug']}" for event in found]
    probe.series.append(first["series"])


def _create(probe: Probe, kind: str, state: str, body: dict[str, Any]) -> None:
    status = {"trash": "publish"}.get(state, state)
    later = {"date": "2031-01-01"} if state == "future" else {}
    if kind == "events":
        body["venue"] = [*body["venue"], *probe.secrets["venues"]]
    made = probe.world.make(kind, **body | {"status": "draft"})
    probe.world.put(f"/{kind}/{made['id']}", json={"status": status if state != "trash" else "trash", **later})
    assert probe.world.read(kind, made["id"])["status"] == state
    probe.secrets[kind].append(made["id"])
    probe.slugs.append(f"/{kind}/by-slug/{made['slug']}")


def link_public_to_secret(probe: Probe, with_secrets: Probe) -> None:
    """Links public events to secret venues and organizers; without secrets, the same events are written again."""
    mine = probe is with_secrets
    venues = [probe.ids["club"], *(with_secrets.secrets["venues"] if mine else [])]
    organizers = [*(with_secrets.secrets["organizers"] if mine else []), probe.ids["olga"]]
    body = {"venue": venues, "organizer": organizers}
    assert probe.world.put(f"/events/{probe.ids['lecture']}", json=body).status_code == 200
    # A real change in both calendars, since an unchanged record is not written. The mask hides either.
    image = {"image": [*probe.pictures][-1]} if mine else {"sticky": True}
    assert probe.world.put(f"/events/{probe.ids['masked']}", json=image).status_code == 200


def change_secrets(probe: Probe) -> None:
    """Changes secret records: none of it may show."""
    for kind, ids in probe.secrets.items():
        name = TEXTS[kind][0]
        for id in ids[:-1]:
            path = f"/{kind}/{id}"
            assert probe.world.put(path, json={name: f"{probe.words[0]} renamed"}).status_code == 200
        assert probe.world.delete(f"/{kind}/{ids[0]}").status_code == 200
        assert probe.world.delete(f"/{kind}/{ids[1]}?force=true").status_code == 200
        assert probe.world.put(f"/{kind}/{ids[-1]}", json={"status": "private"}).status_code == 200
    change = {"title": f"{probe.words[0]} all", "recurrence": "FREQ=DAILY;COUNT=3"}
    assert probe.world.put(f"/events/{probe.secrets['events'][2]}?scope=all", json=change).status_code == 200


def catch_up(probe: Probe, with_secrets: Probe) -> None:
    """Advances ids and revisions to those of the other calendar: that they grow is no secret."""
    with with_secrets.world.calendar.store.read() as session:
        last = session.value("SELECT last FROM sequence WHERE name = 'rev'")
        post = session.value("SELECT last FROM sequence WHERE name = 'post'")
    with probe.world.calendar.store.write() as session:
        session.run("UPDATE sequence SET last = ? WHERE name = 'rev'", (last,))
        session.run("UPDATE sequence SET last = ? WHERE name = 'post'", (post,))


def _words(probe: Probe, kind: str, state: str) -> dict[str, Any]:
    """Every text of a record, each with a word that occurs nowhere else."""
    found: dict[str, Any] = {name: f"{probe.new_word(state)} {name}" for name in TEXTS[kind]}
    for part in OF_FEATURES if kind == "events" else ():
        found |= part.VALUES
    return found
