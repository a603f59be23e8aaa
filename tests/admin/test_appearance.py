"""The appearance of the site: chosen in the admin, shown on every page, and unable to do harm."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World
from tests.pictures import png

LOOK = "/admin/settings/look"


def page(world: World, path: str = "/events/") -> str:
    return world.client.get(f"{BASE_URL}{path}").text


def sheet(world: World, name: str) -> Any:
    found = re.search(rf'href="(/look/\w+/{name})"', page(world))
    assert found
    return world.client.get(f"{BASE_URL}{found[1]}")


def test_the_appearance_shows_at_once_on_every_node(world: World) -> None:
    neighbour = world.neighbour()
    before = neighbour.get(f"{BASE_URL}/events/").text
    AdminClient(world, "administrator").post(
        LOOK,
        {
            "accent_color": "#ffcc00",
            "typeface": "sans",
            "header_links": "About <us> https://example.org/about?a=1&b=2",
            "legal_links": "Privacy /privacy",
            "footer_text": "First line\nSecond <b>line</b>",
            "custom_css": ".site-header { letter-spacing: 1px }",
            "home_view": "list",
        },
    )
    shown = neighbour.get(f"{BASE_URL}/events/").text
    assert shown != before
    assert '<a href="https://example.org/about?a=1&amp;b=2"><bdi>About &lt;us&gt;</bdi></a>' in shown
    assert '<a href="/privacy"><bdi>Privacy</bdi></a>' in shown
    assert '<p dir="auto">Second &lt;b&gt;line&lt;/b&gt;</p>' in shown
    assert "Upcoming events" in shown  # the first page is the list
    assert '<a class="today"' not in shown, "it begins with today"
    site = sheet(world, "site.css")
    assert site.headers["Content-Type"].startswith("text/css")
    assert "immutable" in site.headers["Cache-Control"]
    assert re.search(r"--accent:light-dark\(#\w{6},#ffcc00\)", site.text)
    assert sheet(world, "custom.css").text == ".site-header { letter-spacing: 1px }"
    assert "style=" not in shown
    assert world.client.get(f"{BASE_URL}/look/0/site.css").headers["Cache-Control"] == "public, max-age=10"
    assert world.client.get(f"{BASE_URL}/look/0/other.css").status_code == 404


def test_a_logo_is_uploaded_shown_and_removed(world: World) -> None:
    admin = AdminClient(world, "administrator")
    admin.post(LOOK, {}, files={"logo": ("logo.png", png(500, 400, colour="teal", mode="RGBA"), "image/png")})
    found = re.search(r'<img class="logo" src="([^"]+)"', page(world))
    assert found
    logo = world.client.get(f"{BASE_URL}{found[1]}")
    assert (logo.status_code, logo.headers["Content-Type"]) == (200, "image/png")
    assert "Remove" in admin.get(LOOK).text
    admin.post(LOOK, {"logo_remove": "1"})
    assert 'class="logo"' not in page(world)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("accent_color", "reddish"),
        ("typeface", "comic"),
        ("header_links", "Click javascript:alert(1)"),
        ("legal_links", "Click //evil.example"),
        ("home_view", "year"),
        ("quick_choices", ",".join("abcdefghijklm")),
        ("custom_css", "@import url(https://evil.example/a.css)"),
        ("custom_css", "a{} </style>"),
        ("map_tiles", "https://tiles.example.org/tile.png"),
        ("footer_text", "x" * 2001),
    ],
)
def test_bad_input_is_refused_with_a_reason(world: World, key: str, value: str) -> None:
    admin, before = AdminClient(world, "administrator"), world.count()
    assert error_beside(admin.post(LOOK, {key: value}, status=400).text, key)
    assert world.count() == before


def test_a_logo_is_chosen_from_the_library(world: World) -> None:
    admin = AdminClient(world, "administrator")
    admin.post("/admin/media", files={"file": ("crest.png", png(500, 400, colour="teal"), "image/png")})
    [image] = set(re.findall(r"/admin/media/([0-9]+)", admin.get("/admin/media").text))
    assert "data-from-library" in admin.get(LOOK).text
    admin.post(LOOK, {"logo_image": image})
    found = re.search(r'<img class="logo" src="([^"]+)"', page(world))
    assert found
    assert world.client.get(f"{BASE_URL}{found[1]}").status_code == 200
    for wrong in ("99999", "x", "9" * 40):
        assert "no longer in the library" in error_beside(
            admin.post(LOOK, {"logo_image": wrong}, status=400).text, "logo"
        )


def test_a_logo_that_is_no_image_is_refused(world: World) -> None:
    admin = AdminClient(world, "administrator")
    sent = {"logo": ("logo.png", b"<svg onload=alert(1)>", "image/png")}
    assert "not an image" in error_beside(admin.post(LOOK, {}, files=sent, status=400).text, "logo")
    assert 'class="logo"' not in page(world)


@pytest.mark.both_stores
def test_categories_have_a_colour(world: World) -> None:
    """Chosen, or one by the id; events are marked with it, and a legend filters by it."""
    music = world.make("categories", name="Music", color="#123ABC")
    talks = world.make("categories", name="Talks")
    assert music["color"] == "#123abc"
    assert re.fullmatch(r"#[0-9a-f]{6}", talks["color"])
    for category in (music, talks):
        world.make("events", title=category["name"], categories=[category["id"]])
    month = page(world, "/events/month/2027-03/")
    assert re.search(r'<li class="chip cat c-123abc">', month)
    assert re.search(r'<a class="cat c-123abc" href="/events/month/2027-03/\?categories=music">', month)
    assert f"cat c-{talks['color'][1:]}" in month
    assert ".c-123abc{--mark:" in sheet(world, "site.css").text
    refused = world.post(f"/categories/{music['id']}", json={"color": "url(x)"})
    assert refused.status_code == 400
    world.post(f"/categories/{music['id']}", json={"color": ""})
    assert world.read("categories", music["id"])["color"] != "#123abc"


@pytest.mark.both_stores
def test_an_event_says_whether_it_takes_place(world: World) -> None:
    made = world.make("events", title="Gig", event_status="cancelled")
    assert made["event_status"] == "cancelled"
    path = f"/event/{made['slug']}"
    assert "This event is cancelled." in page(world, f"{path}/")
    assert "https://schema.org/EventCancelled" in page(world, f"{path}/")
    assert "STATUS:CANCELLED" in page(world, f"{path}.ics")
    for view in ("month/2027-03", "day/2027-03-10", "list/2027-03-10"):
        assert re.search(r'<span class="badge">\s*Cancelled\s*</span>', page(world, f"/events/{view}/"))
    assert world.make("events")["event_status"] == "scheduled"
    assert world.post("/events", json={"title": "x", "event_status": "maybe"}).status_code == 400
    world.post(f"/events/{made['id']}", json={"event_status": "moved_online", "website": "https://meet.example/1"})
    online = page(world, f"{path}/")
    assert re.search(r'href="https://meet.example/1" rel="external">\s*Join online', online)
    assert "https://schema.org/EventMovedOnline" in online
    # What is behind a password stays there.
    world.post(f"/events/{made['id']}", json={"post_password": "sesame"})
    assert world.get(f"/events?include={made['id']}").json()["events"][0]["event_status"] is None


def test_a_map_is_off_until_the_owner_names_its_tiles(world: World) -> None:
    place = {"venue": "Mill", "geo_lat": 51.8, "geo_lng": -8.0}
    made = world.make("events", title="Gig", venue=place)
    world.make("events", title="Nowhere")
    paths = (f"/event/{made['slug']}/", f"/venue/{made['venue']['slug']}/")
    for path in paths:
        shown = world.client.get(f"{BASE_URL}{path}")
        assert "data-map" not in shown.text
        assert "img-src 'self';" in shown.headers["Content-Security-Policy"]
    sent = {"map_tiles": "https://tiles.example.org/{z}/{x}/{y}.png", "map_attribution": "© Example"}
    AdminClient(world, "administrator").post(LOOK, sent)
    for path in paths:
        shown = world.client.get(f"{BASE_URL}{path}")
        assert 'data-point="51.800000,-8.000000"' in shown.text
        assert "© Example" in shown.text
        assert "img-src 'self' https://tiles.example.org;" in shown.headers["Content-Security-Policy"]
    for path in ("/event/nowhere/", "/events/"):
        assert "tiles.example.org" not in world.client.get(f"{BASE_URL}{path}").headers["Content-Security-Policy"]


def test_an_empty_month_names_the_next_event_after_it(world: World) -> None:
    world.make("events", title="Earlier", start_date="2026-12-01", end_date="2026-12-02")
    world.make("events", title="Later", start_date="2027-04-02", end_date="2027-04-03")
    empty = page(world, "/events/month/2027-02/")
    assert "The next event:" in empty
    assert "Later" in empty
    assert "Earlier" not in empty


def test_a_search_says_what_it_found(world: World) -> None:
    world.make("events", title="Concert at night")
    world.make("events", title="Old concert", start_date="2020-01-01", end_date="2020-01-02")
    found = page(world, "/events/list/?search=concert")
    assert "<h1>1 result for “concert”</h1>" in found
    assert "search=concert&amp;past=1" in found


def test_all_venues_organizers_and_categories_have_a_page(world: World) -> None:
    world.make("events", title="Gig", venue={"venue": "Mill"}, organizer={"organizer": "Club"}, categories=["Music"])
    world.make("events", title="Secret", venue={"venue": "Cave"}, status="draft")
    for path, name in (("/venues/", "Mill"), ("/organizers/", "Club"), ("/categories/", "Music")):
        shown = page(world, path)
        assert f"<bdi>{name}</bdi>" in shown
        assert "Upcoming events: 1" in shown
        assert re.search(r"The next event: <span[^>]*><bdi class=\"name\">Gig</bdi></span>", shown)
        assert "Cave" not in shown
        assert "Secret" not in shown
