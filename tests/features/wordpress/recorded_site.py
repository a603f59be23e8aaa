"""The site that the exchanges of wp/v2 were recorded from: the same records with the same ids."""

from typing import Any

from tests.pictures import png

ACTORS = {
    "admin": "administrator", "ed": "editor", "auth": "author", "contrib": "contributor", "sub": "subscriber",
    "anon": "anonymous",
}  # fmt: skip
TERMS = [
    ("categories", {"name": "Music"}), ("categories", {"name": "Jazz", "parent": 2, "description": "Jazz events"}),
    ("categories", {"name": "Bebop", "parent": 3, "description": "Bebop events"}),
    ("categories", {"name": "Classical", "parent": 2, "description": "Classical events"}),
    ("categories", {"name": "Food & Drink"}), ("categories", {"name": "Wine", "parent": 6}),
    ("categories", {"name": "Kids"}), ("categories", {"name": "Empty Shelf"}),
    ("tags", {"name": "Free"}), ("tags", {"name": "Outdoor"}), ("tags", {"name": "Family"}),
    ("tags", {"name": "Evening"}), ("tags", {"name": "Members"}), ("tags", {"name": "Unused"}),
]  # fmt: skip
PLACES = [
    ("venues", {"venue": "Lakeside Hall", "description": "A <em>large</em> hall by the lake."}),
    ("venues", {"venue": "Blue Door Club"}), ("venues", {"venue": "Old Barn"}), ("venues", {"venue": "Café Größe"}),
    ("venues", {"venue": "Somewhere Online"}), ("venues", {"venue": "Unopened Venue", "status": "draft"}),
    ("organizers", {"organizer": "Lake Music Society"}), ("organizers", {"organizer": "Town Council"}),
    ("organizers", {"organizer": "Club Team"}),
]  # fmt: skip
GALA = {
    "description": "An evening of <strong>music</strong> by the lake.\n\nDoors open at seven.",
    "excerpt": "An evening of music.", "image": 5, "venue": 6, "organizer": [12, 13], "cost": "$25 - $40",
}  # fmt: skip
# By id from 15 on: title, first day, categories, tags and the rest.
EVENTS: list[tuple[str, str, list[int], list[int], dict[str, Any]]] = [
    ("Autumn Gala Concert", "2026-12-05", [2, 5], [13, 14], GALA),
    ("Jazz Jam", "2026-11-20", [3], [10, 13], {"venue": 7}),
    ("Bebop Night", "2026-11-27", [4], [13], {}),
    ("Wine Tasting at the Café", "2026-12-10", [7], [13], {}),
    ("Winter Market", "2026-12-18", [6, 8], [10, 11, 12], {"all_day": True}),
    ("Zoo Day", "2027-01-10", [8], [11], {}),
    ("Tea Party", "2027-01-11", [6], [12], {}),
    ("Tasting", "2027-01-12", [6], [], {}),
    ("Plain Meeting", "2026-11-18", [], [], {}),
    ("Running Now", "2026-11-15", [8], [], {}),
    ("Symphony No. 5", "2027-02-05", [5], [], {}),
    ("Reading", "2027-02-06", [], [], {}),
    ("Spring Festival", "2027-04-01", [2], [11], {}),
    ("Summer Picnic Two", "2027-06-01", [8], [11, 12], {}),
    ("Big Parade", "2027-07-01", [], [], {}),
    ("Harvest Supper", "2026-10-01", [6], [11], {}),
    ("Summer Jazz", "2026-07-01", [3], [10], {}),
    ("Old Fair", "2025-07-01", [], [], {}),
    ("First Concert", "2024-05-20", [], [], {"venue": 6}),
    ("Draft Workshop", "2027-02-01", [2], [], {"status": "draft"}),
    ("Draft of the Editor", "2027-02-02", [], [], {"status": "draft", "author": "editor"}),
    ("Board Meeting", "2027-02-03", [], [], {"status": "private"}),
    ("Secret Party", "2026-12-24", [], [], {"post_password": "opensesame", "description": "The secret text."}),
    ("Contributed Reading", "2027-02-04", [], [], {"status": "pending", "author": "contributor"}),
    ("Author Reading", "2027-02-05", [], [], {"author": "author"}),
]  # fmt: skip


def picture() -> bytes:
    return png(400, 300, shade=20)


def build(world: Any) -> None:
    """Fills an empty calendar. The clock goes on, so that the order of publication is that of the ids."""
    advance(world, "post", 4)
    advance(world, "term", 1)
    for plural, body in TERMS:
        world.make(plural, **body)
    upload = {"Content-Type": "image/png", "Content-Disposition": 'attachment; filename="poster.png"'}
    assert world.post("/media", content=picture(), headers=upload).json()["id"] == 5
    for plural, body in PLACES:
        world.clock.move(seconds=1)
        world.make(plural, **body)
    for number, (title, day, categories, tags, more) in enumerate(EVENTS, 15):
        world.clock.move(seconds=1)
        times = {"start_date": f"{day} 06:00", "end_date": f"{day} 22:00"}
        body = times | {"title": title, "categories": categories, "tags": tags} | more
        if "author" in body:
            body["author"] = world.ids[body["author"]]
        assert world.make("events", **body)["id"] == number
    advance(world, "post", 40)


def advance(world: Any, name: str, last: int) -> None:
    """The next record of a sequence gets the number after `last`."""
    with world.calendar.store.write() as session:
        session.run("UPDATE sequence SET last = ? WHERE name = ?", (last, name))
