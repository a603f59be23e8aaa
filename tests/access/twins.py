"""Two calendars with the same public records. One has secrets besides, made last, so that all numbers agree."""

import io
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from PIL import Image

STATES = ("draft", "pending", "private", "future", "trash")
TEXTS = {
    "events": ("title", "description", "excerpt", "cost"),
    "venues": (
        *("venue", "description", "excerpt", "address", "city", "country", "province", "state", "zip", "phone"),
        "stateprovince",
    ),
    "organizers": ("organizer", "description", "excerpt", "phone"),
}
PLACE = {"geo_lat": 10.0, "geo_lng": 20.0}  # where only secret venues are
DAYS = {"start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 12:00:00"}


@dataclass
class Twin:
    """A calendar, and what a spy who has seen everything could ask it for."""

    world: Any
    ids: dict[str, int] = field(default_factory=dict)  # public records, by their short name
    secrets: dict[str, list[int]] = field(default_factory=lambda: {"events": [], "venues": [], "organizers": []})
    slugs: list[str] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    pictures: dict[int, list[str]] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)

    def make(self, short: str, kind: str, **body: Any) -> None:
        self.ids[short] = self.world.make(kind, **body)["id"]


class Names:
    """Takes the place of chance in the names of image files."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def token_hex(self, size: int) -> str:
        return f"{next(self._numbers):0{2 * size}x}"


def picture(shade: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (400, 200), (shade, 90, 160)).save(out, "PNG")
    return out.getvalue()


def upload(twin: Twin, name: str, shade: int) -> int:
    headers = {"Content-Type": "image/png", "Content-Disposition": f'attachment; filename="{name}.png"'}
    made = twin.world.post("/media", content=picture(shade), headers=headers).json()
    addresses = [made["url"], *(size["url"] for size in made["sizes"].values())]
    twin.pictures[made["id"]] = addresses
    return int(made["id"])


def add_public(twin: Twin, *, full: bool) -> None:
    """What everybody may see. `full`: the protected event has something to hide."""
    twin.make("music", "categories", name="Music")
    twin.make("jazz", "categories", name="Jazz", parent=twin.ids["music"])
    twin.make("hollow", "categories", name="Hollow")
    twin.make("loud", "tags", name="Loud")
    twin.make("quiet", "tags", name="Quiet")
    poster = upload(twin, "poster", 1)
    twin.make("hall", "venues", venue="Town hall", geo_lat=40.7, geo_lng=-74.0, image=poster)
    twin.make("club", "venues", venue="Club")
    twin.make("empty", "venues", venue="Empty hall", **PLACE)
    twin.make("olga", "organizers", organizer="Olga")
    twin.make("idle", "organizers", organizer="Idle")
    links = {"venue": twin.ids["hall"], "organizer": twin.ids["olga"], "categories": ["Jazz"], "tags": ["Loud"]}
    twin.make("concert", "events", title="Open concert", image=poster, **links)
    twin.make("lecture", "events", title="Open lecture", venue=twin.ids["club"], featured=True)
    twin.make("series", "events", title="Series", tickets=[{"name": "Seat"}])
    twin.make("part", "events", title="Part one", post_parent=twin.ids["series"])
    twin.make("past", "events", title="Past party", start_date="2020-01-01", end_date="2020-01-02", **links)
    hidden: dict[str, Any] = {"post_password": "another"}
    if full:
        hidden = _words(twin, "events", "masked") | secret_links(twin) | {"post_password": "the secret"}
        hidden |= {"featured": True, "sticky": True, "show_map": False, "tickets": [{"name": twin.words[-1]}]}
        del hidden["title"]
    twin.make("masked", "events", title="Closed circle", **hidden)


def secret_links(twin: Twin) -> dict[str, Any]:
    """Public records that only secret events lead to."""
    return {
        "venue": [twin.ids["empty"], twin.ids["hall"]],
        "organizer": [twin.ids["idle"]],
        "categories": ["Hollow"],
        "tags": ["Quiet"],
    }


def add_secrets(twin: Twin) -> None:
    """A record of every kind in every state but the public one, an event that is hidden, and an unused image."""
    for shade, state in enumerate(STATES, 10):
        for kind in ("venues", "organizers", "events"):
            body = _words(twin, kind, state) | {"image": upload(twin, f"{state}{kind}", shade)}
            body |= {"website": f"https://{twin.words[-1]}.test/"}
            if kind == "events":
                body |= DAYS | secret_links(twin) | {"post_parent": twin.ids["series"], "post_password": "open me"}
            if kind == "venues":
                body |= PLACE
            _keep(twin, kind, state, body)
    # It has no links: the counts of what a hidden event is linked to tell of it, and may.
    body = _words(twin, "events", "hidden") | {"hide_from_listings": True, "featured": True}
    twin.hidden.append(twin.world.make("events", **body, post_parent=twin.ids["series"])["id"])
    upload(twin, "unused", 99)


def _keep(twin: Twin, kind: str, state: str, body: dict[str, Any]) -> None:
    status = {"trash": "publish"}.get(state, state)
    later = {"date": "2031-01-01"} if state == "future" else {}
    if kind == "events":
        body["venue"] = [*body["venue"], *twin.secrets["venues"]]
    made = twin.world.make(kind, **body | {"status": "draft"})
    twin.world.put(f"/{kind}/{made['id']}", json={"status": status if state != "trash" else "trash", **later})
    assert twin.world.read(kind, made["id"])["status"] == state
    twin.secrets[kind].append(made["id"])
    twin.slugs.append(f"/{kind}/by-slug/{made['slug']}")


def link_public_to_secret(twin: Twin, spied: Twin) -> None:
    """Public events lead to secret places too; in the twin without secrets the same events are written again."""
    mine = twin is spied
    venues = [twin.ids["club"], *(spied.secrets["venues"] if mine else [])]
    organizers = [*(spied.secrets["organizers"] if mine else []), twin.ids["olga"]]
    body = {"venue": venues, "organizer": organizers}
    assert twin.world.put(f"/events/{twin.ids['lecture']}", json=body).status_code == 200
    # Both are changes, for what is sent back unchanged is not written; the mask hides either.
    image = {"image": [*twin.pictures][-1]} if mine else {"sticky": True}
    assert twin.world.put(f"/events/{twin.ids['masked']}", json=image).status_code == 200


def change_secrets(twin: Twin) -> None:
    """A busy day behind the curtain."""
    for kind, ids in twin.secrets.items():
        name = TEXTS[kind][0]
        for id in ids[:-1]:
            path = f"/{kind}/{id}"
            assert twin.world.put(path, json={name: f"{twin.words[0]} renamed"}).status_code == 200
        assert twin.world.delete(f"/{kind}/{ids[0]}").status_code == 200
        assert twin.world.delete(f"/{kind}/{ids[1]}?force=true").status_code == 200
        assert twin.world.put(f"/{kind}/{ids[-1]}", json={"status": "private"}).status_code == 200


def catch_up(twin: Twin, spied: Twin) -> None:
    """Uses up as many numbers as the other twin has: that numbers grow is no secret."""
    with spied.world.calendar.store.read() as session:
        last = session.value("SELECT last FROM sequence WHERE name = 'rev'")
        post = session.value("SELECT last FROM sequence WHERE name = 'post'")
    with twin.world.calendar.store.write() as session:
        session.run("UPDATE sequence SET last = ? WHERE name = 'rev'", (last,))
        session.run("UPDATE sequence SET last = ? WHERE name = 'post'", (post,))


def _words(twin: Twin, kind: str, state: str) -> dict[str, Any]:
    """Every text of a record, with a word in it that is nowhere else."""
    found = {}
    for name in TEXTS[kind]:
        twin.words.append(f"leak{len(twin.words)}x{state}")
        found[name] = f"{twin.words[-1]} {name}"
    return found
