"""What the forms of the admin offer beside the fields: a country, what a picture shows, the days of a full month."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World
from tests.pictures import png

import kalends.site

WHEN = {"start_day": "2027-03-02", "start_time": "19:00", "end_day": "2027-03-02", "end_time": "21:00"}
STYLES = sorted((Path(kalends.site.__file__).parent / "static").rglob("*.css"))


def test_a_new_venue_is_in_the_country_of_the_site(make_world: Any) -> None:
    world = make_world(country="IE")
    admin = AdminClient(world, "editor")
    assert 'name="country" type="text" value="Ireland"' in admin.get("/admin/venues/new").text
    assert 'data-country="Ireland"' in admin.get("/admin/events/new").text
    known = world.make("venues", venue="Barn")
    assert 'value="Ireland"' not in admin.get(f"/admin/venues/{known['id']}").text


def test_the_editor_says_what_a_picture_shows(world: World) -> None:
    admin = AdminClient(world, "author")
    sent = {"title": "Regatta", "do": "publish", "image_alt": "Boats", "image_focus": "20% 80%", **WHEN}
    answer = admin.post(
        "/admin/events/new", sent, files={"picture": ("boats.png", png(500, 400, colour="teal"), "image/png")}
    )
    page = admin.get(answer.headers["Location"].removeprefix(BASE_URL)).text
    assert 'name="image_alt" type="text" value="Boats"' in page
    assert 'name="image_focus" type="text" value="20% 80%"' in page
    event = world.get("/events?start_date=2027-01-01").json()["events"][0]
    assert 'alt="Boats"' in world.get(event["url"]).text
    before = world.count()
    wrong = sent | {"do": "save", "title": "Sailing", "image": str(event["image"]["id"]), "image_alt": "x" * 1001}
    page = admin.post(f"/admin/events/{event['id']}", wrong, 400).text
    assert error_beside(page, "image_alt")
    assert world.count() == before


def test_pictures_of_others_are_not_described_by_an_author(world: World) -> None:
    image = world.upload(png(500, 400, colour="teal"))["id"]
    event = world.make("events", who="author", title="Regatta")
    assert world.post(f"/events/{event['id']}", who="editor", json={"image": image}).status_code == 200
    admin = AdminClient(world, "author")
    assert "image_alt" not in admin.get(f"/admin/events/{event['id']}").text
    sent = {"title": "Regatta", "do": "save", "image": str(image), "image_alt": "Taken over", **WHEN}
    admin.post(f"/admin/events/{event['id']}", sent)
    assert "Taken over" not in AdminClient(world, "administrator").get(f"/admin/media/{image}").text


def test_a_full_day_of_the_month_leads_to_all_of_its_events(world: World) -> None:
    for number in range(8):
        world.make("events", title=f"Stall {number}", start_date="2027-03-10 09:00", end_date="2027-03-10 10:00")
    world.make("events", title="Later", start_date="2027-03-11 09:00", end_date="2027-03-11 10:00", status="draft")
    admin = AdminClient(world, "editor")
    page = admin.get("/admin/events/month?month=2027-03").text
    assert len(re.findall(r"<bdi>Stall \d</bdi>", page)) == 6
    assert "is-unpublished" in page
    (more,) = re.findall(r'class="more"><a href="(.*?)">and 2 more', page)
    page = admin.get(more).text
    assert re.findall(r"<bdi>(Stall \d|Later)</bdi>", page) == [f"Stall {n}" for n in range(8)]


def test_the_tabs_count_what_each_status_has(world: World) -> None:
    dates = {"start_date": "2027-03-10 09:00", "end_date": "2027-03-10 10:00"}
    for status, number in (("publish", 3), ("draft", 2), ("pending", 1), ("private", 1)):
        for _ in range(number):
            world.make("events", status=status, **dates)
    world.make("events", hide_from_listings=True, **dates)
    world.make("events", post_password="sesame", **dates)
    admin = AdminClient(world, "editor")
    for query in ("", "?when=all", "?when=2027-03-10"):
        found = re.findall(r'>(\w+) <span class="count">(\d+)</span>', admin.get(f"/admin/events{query}").text)
        assert dict(found) == {"All": "9", "Published": "5", "Drafts": "2", "Waiting": "1", "Private": "1"}
    assert '<span class="count">' not in admin.get("/admin/events?search=event").text


@pytest.mark.parametrize("style", STYLES, ids=lambda path: path.name)
def test_every_rule_of_a_style_sheet_is_closed(style: Path) -> None:
    depth = 0
    for brace in re.findall(r"[{}]", style.read_text(encoding="utf-8")):
        depth += 1 if brace == "{" else -1
        assert 0 <= depth <= 3
    assert depth == 0
