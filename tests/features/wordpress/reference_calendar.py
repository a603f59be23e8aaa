"""The calendar of which the recordings of The Events Calendar were made, as far as its addresses show it."""

from typing import Any

# title: start, end, categories, tags, further fields
EVENTS: dict[str, tuple[str, str, list[str], list[str], dict[str, Any]]] = {
    "First Concert": ("2024-05-20 19:00", "2024-05-20 21:00", [], [], {}),
    "Old Fair": ("2025-06-01", "2025-06-01", [], [], {"all_day": True}),
    "Summer Jazz": ("2026-08-15 20:00", "2026-08-15 22:00", ["jazz"], ["outdoor"], {}),
    "Harvest Supper": ("2026-10-03 18:00", "2026-10-03 21:00", ["food"], [], {}),
    "Running Exhibition": ("2026-11-10 10:00", "2026-11-30 18:00", [], [], {}),
    "Plain Meeting": ("2026-11-18 09:00", "2026-11-18 10:00", [], [], {}),
    "Jazz Jam": ("2026-11-20 20:00", "2026-11-21 01:00", ["jazz"], [], {"timezone": "America/Toronto"}),
    "Bebop Night": ("2026-11-27 21:00", "2026-11-27 23:00", ["bebop"], [], {}),
    "Autumn Gala Concert": ("2026-12-05 19:30", "2026-12-05 22:00", ["music"], [], {"featured": True}),
    "Author Reading": ("2026-12-09 19:00", "2026-12-09 20:00", [], [], {}),
    "Wine Tasting at the Café": ("2026-12-12 18:00", "2026-12-12 21:00", ["wine"], [], {"timezone": "Europe/Berlin"}),
    "Winter Market": ("2026-12-18", "2026-12-20", ["food", "kids"], ["outdoor"], {"all_day": True}),
    "Secret Party": ("2026-12-24 20:00", "2026-12-24 23:00", [], [], {"post_password": "opensesame"}),
    "New Year Walk": ("2027-01-01", "2027-01-01", [], ["outdoor"], {"all_day": True}),
    "Puppet Theatre": ("2027-01-15 10:00", "2027-01-15 11:00", ["kids"], [], {}),
    "Online Talk: Calendars": ("2027-01-20 17:00", "2027-01-20 18:00", [], [], {}),
    "Symphony No. 5": ("2027-01-29 19:30", "2027-01-29 22:00", ["classical"], [], {}),
    "February Social": ("2027-02-14 18:00", "2027-02-14 20:00", [], [], {}),
    "Spring Festival": ("2027-04-10", "2027-04-11", ["music"], ["outdoor"], {"all_day": True}),
    "Summer Picnic": ("2027-07-04 12:00", "2027-07-04 15:00", [], ["outdoor"], {}),
    "Far Away Conference": ("2028-03-01 09:00", "2028-03-01 17:00", [], [], {}),
    "Draft Evening": ("2026-12-01 19:00", "2026-12-01 20:00", ["music"], ["outdoor"], {"status": "draft"}),
    "Board Meeting": ("2026-12-02 19:00", "2026-12-02 20:00", ["music"], ["outdoor"], {"status": "private"}),
}
PARENTS = {
    "music": "",
    "jazz": "music",
    "bebop": "jazz",
    "classical": "music",
    "food": "",
    "wine": "food",
    "kids": "",
}

VENUES = {
    "Lakeside Hall": ("First Concert", "Running Exhibition", "Autumn Gala Concert", "Secret Party", "Puppet Theatre",
                      "Symphony No. 5"),
    "Old Barn": ("Harvest Supper", "Winter Market", "February Social"),
}  # fmt: skip
ORGANIZERS = {
    "Lake Music Society": ("First Concert", "Autumn Gala Concert", "Symphony No. 5"),
    "Ada Brown": ("Harvest Supper", "Autumn Gala Concert", "Winter Market", "Puppet Theatre"),
}


def fill(world: Any) -> dict[str, int]:
    """Makes the records; their ids by title or name, those of categories by slug."""
    ids = {"": 0}
    for name, parent in PARENTS.items():
        ids[name] = world.make("categories", name=name.title(), slug=name, parent=ids[parent])["id"]
    world.make("categories", name="Empty Shelf")
    venues = {name: world.make("venues", venue=name)["id"] for name in VENUES}
    organizers = {name: world.make("organizers", organizer=name)["id"] for name in ORGANIZERS}
    made = ids | venues | organizers
    for title, (start, end, categories, tags, more) in EVENTS.items():
        linked = {
            "venue": [venues[name] for name, titles in VENUES.items() if title in titles],
            "organizer": [organizers[name] for name, titles in ORGANIZERS.items() if title in titles],
            "categories": [ids[name] for name in categories],
            "tags": tags,
        }
        made[title] = world.make("events", title=title, start_date=start, end_date=end, **linked, **more)["id"]
    return made
