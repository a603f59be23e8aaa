"""Data of the HTML and accessibility validators: where they are installed, and every kind of page."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.pictures import png

MODULES = Path(__file__).parents[2] / ".venv" / "npm" / "node_modules"

CONCERT = {
    "title": "A Concert & a Rather Long Name Under the <Open> Sky",
    "description": "<h2>Bring a coat</h2><p>And a <a href='https://far.example/'>lamp</a>.</p><ul><li>One</li></ul>",
    "start_date": "2037-03-10 19:30:00",
    "end_date": "2037-03-10 21:00:00",
    "timezone": "Europe/Berlin",
    "cost": "10-20",
    "website": "https://concert.example/",
    "featured": True,
    "venue": {
        "venue": "Old Mill",
        "description": "By the water.",
        "address": "1 Mill Lane",
        "city": "Merrow",
        "phone": "+353 20 1234",
        "website": "https://mill.example/",
        "geo_lat": 51.8,
        "geo_lng": -8.0,
    },
    "organizer": {"organizer": "Mill Friends", "email": "hello@mill.example", "phone": "555 1234"},
    "categories": ["Music"],
    "tags": ["Outdoors"],
    "tickets": [{"name": "Early", "price": "10", "currency": "EUR", "url": "https://tickets.example/1"}],
}
SUPPER = {
    "title": "Supper",
    "start_date": "2037-03-11 19:30:00",
    "end_date": "2037-03-11 21:00:00",
    "post_password": "sesame",
}
FAIR = {"title": "Fair", "start_date": "2037-03-12", "end_date": "2037-03-17", "all_day": True, "tags": ["Outdoors"]}
CHOIR = {
    "title": "Choir",
    "start_date": "2037-03-10 19:00",
    "end_date": "2037-03-10 20:00",
    "recurrence": "FREQ=WEEKLY;COUNT=8",
}
STALLS = [
    {
        "title": f"Stall {number}",
        "start_date": "2037-03-10 09:00",
        "end_date": "2037-03-10 17:00",
        "tags": ["Outdoors"],
    }
    for number in range(21)
]

PAGES = {
    "month": "/events/month/2037-03/",
    "chosen month": "/events/month/2037-03/?categories=music&search=concert",
    "empty month": "/events/month/2041-03/",
    "week": "/events/week/2037-W11/",
    "day": "/events/day/2037-03-10/",
    "list": "/events/list/2037-03-10/",
    "folded list": "/events/list/2037-03-10/?collapse=series",
    "occurrence": "/event/choir-2037-03-17/",
    "event": "/event/a-concert-a-rather-long-name-under-the-sky/",
    "venue": "/venue/old-mill/",
    "organizer": "/organizer/mill-friends/",
    "category": "/events/category/music/",
    "tag": "/events/tag/outdoors/",
    "cards": "/events/list/2037-03-10/?layout=cards",
    "venues": "/venues/",
    "categories": "/categories/",
    "protected event": "/event/supper/",
    "no such day": "/events/day/2037-02-30/",
    "no such event": "/event/none/",
    "subscribing": "/subscribe?categories=music",
    "offline": "/offline",
    "API reference": "/docs",
}
STATUSES = {"protected event": 403, "no such day": 404, "no such event": 404}


def installed(name: str) -> Path:
    """The folder of an npm package; without it the test is skipped."""
    if not (MODULES / name).is_dir():
        pytest.skip(f"{name} is not installed here: `make test` does it where there is npm (Debian's package `npm`)")
    return MODULES / name


def in_language(path: str, language: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}lang={language}"


def fill(post: Callable[..., httpx.Response]) -> None:
    """One of everything, with all that a page can show of it. `post` takes a path below the namespace."""
    drawn = png(640, 400, colour="teal")
    image = made(post("/media", files={"file": ("poster.png", drawn, "image/png")}))
    made(post("/events", json=CONCERT | {"image": image["id"]}))
    for event in (SUPPER, FAIR, CHOIR, *STALLS):
        made(post("/events", json=event))


def made(response: httpx.Response) -> dict[str, Any]:
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()
    return found
