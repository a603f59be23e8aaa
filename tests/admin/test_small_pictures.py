"""A picture smaller than every size: wherever a size would be shown, the original stands in."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World
from tests.pictures import png


def icon(width: int, height: int) -> bytes:
    return png(width, height, colour="teal")


@pytest.fixture(params=[(40, 30), (1, 1), (149, 149)], ids=["wide", "dot", "largest"])
def shown(request: pytest.FixtureRequest, world: World) -> dict[str, Any]:
    """The small picture, and a record of every kind that shows it."""
    data = icon(*request.param)
    image = world.upload(data)
    venue = world.make("venues", venue="Hall", image=image["id"])
    organizer = world.make("organizers", organizer="Club", image=image["id"])
    event = world.make("events", title="Fair", image=image["id"], venue=venue["id"], organizer=organizer["id"])
    world.make("events", title="Weekly", image=image["id"], recurrence="FREQ=WEEKLY;COUNT=2")
    return {"image": image, "event": event, "venue": venue, "organizer": organizer}


def test_the_admin_shows_it(world: World, shown: dict[str, Any]) -> None:
    admin = AdminClient(world, "administrator")
    image = shown["image"]
    paths = ["/admin/media", f"/admin/media/{image['id']}"]
    paths += [f"/admin/{kind}s/{shown[kind]['id']}" for kind in ("event", "venue", "organizer")]
    for path in paths:
        assert image["url"].removeprefix(BASE_URL) in admin.get(path).text, path


def test_it_is_the_logo(world: World, shown: dict[str, Any]) -> None:
    admin = AdminClient(world, "administrator")
    admin.post("/admin/settings/look", {}, files={"logo": ("logo.png", icon(41, 31), "image/png")})
    (logo,) = re.findall(r'src="([^"]+/logo)"', world.get(f"{BASE_URL}/events/").text)[:1]
    assert world.get(f"{BASE_URL}{logo}").content
    assert re.search(r"/media/2026/11/logo-\w+\.png", admin.get("/admin/media").text)


def test_every_way_out_shows_it(world: World, shown: dict[str, Any]) -> None:
    image, event = shown["image"], shown["event"]
    file = image["url"].removeprefix(BASE_URL)
    assert event["image"]["url"] == image["url"]
    assert world.get(f"{BASE_URL}/oembed?url={event['url']}").json()["thumbnail_url"] == image["url"]
    pages = [shown[kind]["url"] for kind in ("event", "venue", "organizer")]
    pages += [f"{BASE_URL}{path}" for path in ("/events/list/", "/events/month/2027-03/", "/events/day/2027-03-10/")]
    feeds = ["/events.ics", "/events.rss", "/events.json", f"/event/{event['slug']}.ics"]
    interface = [f"/events/{event['id']}", "/events", "/venues", "/organizers", f"/media/{image['id']}"]
    addresses = [*pages, *(BASE_URL + path for path in feeds), *(world.ns + path for path in interface)]
    for address in addresses:
        assert world.get(address, "administrator").status_code == 200, address
    for address in pages[:3]:
        assert file in world.get(address).text, address
