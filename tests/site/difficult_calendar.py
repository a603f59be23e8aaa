"""A calendar that is hard to show: forty events on one day, every state, long titles, three scripts."""

from typing import Any

import httpx
from tests.pictures import png
from tests.site.validators import made

MONTH, WEEK, DAY = "2037-03", "2037-W11", "2037-03-10"
CROWD = 40
HIDDEN = "Known to few"
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenausstellungseröffnung"
TITLES = (
    "Chess",
    LONG_WORD,
    "أمسية شعرية مع موسيقى العود في حديقة المتحف",
    "春の夜の音楽会と屋台、川辺の公園でのんびり過ごす一日",
    "A long evening of chamber music with many guests and a talk beforehand",
)
STATES = ("scheduled", "cancelled", "postponed", "rescheduled", "moved_online", "sold_out")
HALL = {
    "venue": f"The Great Hall of the {LONG_WORD} beside the old harbour",
    "slug": "hall",
    "address": "1 Quay",
    "city": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
}
CLUB = {"organizer": f"Friends of the {LONG_WORD}", "slug": "club"}


def crowd() -> list[dict[str, Any]]:
    """Events of one day, at hours that overlap."""
    return [
        {
            "title": f"{TITLES[number % 5]} {number}",
            "slug": f"crowd-{number}",
            "event_status": STATES[number % 6],
            "featured": number % 9 == 0,
            "start_date": f"{DAY} {9 + number % 11:02}:{15 * (number % 4):02}",
            "end_date": f"{DAY} {11 + number % 11:02}:00",
            "cost": ("", "0", "12-180", "7.50")[number % 4],
            "categories": [("Music", "Games", LONG_WORD)[number % 3]],
            "tags": ["Outdoors"],
        }
        for number in range(CROWD)
    ]


def others() -> list[dict[str, Any]]:
    """What lasts for days, returns, is over, needs a password or is listed nowhere, and days with twelve and
    with thirteen events."""
    evening = {"start_date": f"{DAY} 19:00", "end_date": f"{DAY} 21:00"}
    return [
        {"title": "Fair", "start_date": "2037-03-08", "end_date": "2037-03-17", "all_day": True},
        {"title": TITLES[2], "slug": "fair", "start_date": "2037-03-10", "end_date": "2037-03-12", "all_day": True},
        {"title": "Market", "start_date": DAY, "end_date": DAY, "all_day": True, "event_status": "cancelled"},
        {"title": "Night walk", "start_date": f"{DAY} 23:00", "end_date": "2037-03-11 02:00"},
        {"title": "Camp", "start_date": "2037-03-27 10:00", "end_date": "2037-04-03 16:00"},
        {"title": "Supper", **evening, "post_password": "sesame"},
        {"title": HIDDEN, **evening, "hide_from_listings": True},
        {"title": "Choir", **evening, "recurrence": "FREQ=WEEKLY;COUNT=4", "event_status": "sold_out"},
        {"title": "Long ago", "start_date": "2020-03-10 19:00", "end_date": "2020-03-10 21:00"},
        *(
            {
                "title": f"{day} {TITLES[number % 5]}",
                "start_date": f"{day} 18:{number:02}",
                "end_date": f"{day} 20:00",
            }
            for day, most in (("2037-03-20", 12), ("2037-03-24", 13))
            for number in range(most)
        ),
    ]


def fill(client: httpx.Client) -> None:
    picture = client.post("/media", files={"file": ("poster.png", png(640, 400, colour="teal"), "image/png")})
    image = made(picture)["id"]
    venue = made(client.post("/venues", json=HALL))["id"]
    organizer = made(client.post("/organizers", json=CLUB))["id"]
    for number, event in enumerate([*crowd(), *others()]):
        picture_too = {"image": image} if number % 3 == 0 else {}
        made(client.post("/events", json={"venue": venue, "organizer": organizer} | picture_too | event))
