"""Link headers of lists (next, prev), what scripts of other sites may send and read, and log-ins."""

import base64

import pytest

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import credentials, users

API = '<http://calendar.test/api/>; rel="https://api.w.org/"'


@pytest.mark.parametrize("plural", ["events", "venues", "organizers", "categories", "tags"])
def test_lists_link_to_the_pages_beside_them(world, plural):
    field = {"events": "title", "venues": "venue", "organizers": "organizer"}.get(plural, "name")
    for number in range(3):
        world.make(plural, **{field: f"Number {number}"})
    for who in ("anonymous", "editor"):
        for _ in range(2):  # the second time from what was kept
            for page, beside in ((1, {"next": 2}), (2, {"next": 3, "prev": 1}), (3, {"prev": 2})):
                answer = world.get(f"/{plural}", who, params={"per_page": 1, "page": page, "hide_empty": 0})
                links = answer.links
                assert links["https://api.w.org/"]["url"] == "http://calendar.test/api/"
                assert {name for name in links if name in ("next", "prev")} == set(beside)
                json = answer.json()
                assert links.get("next", {}).get("url") == json.get("next_rest_url")
                assert links.get("prev", {}).get("url") == json.get("previous_rest_url")
                for name in beside:
                    followed = world.get(links[name]["url"], who)
                    assert followed.status_code == 200
    assert "Link" in answer.headers["Access-Control-Expose-Headers"]


def test_a_plain_list_of_events_links_too(world):
    for number in range(13):
        world.make("events", title=f"Number {number}", start_date="2026-12-01", end_date="2026-12-02")
    for path in ("/events", "/events?page=2", "/events?start_date=2026-11-20"):
        answer = world.get(path)
        expected = {"next"} if "page=2" not in path else {"prev"}
        assert {name for name in answer.links if name in ("next", "prev")} == expected


def test_a_list_of_one_page_has_the_link_of_the_interface_alone(world):
    world.make("events")
    assert world.get("/events").headers["Link"] == API
    assert world.get("/events/1").headers["Link"] == API


def test_a_script_of_another_site_may_send_a_nonce_and_the_vendors_header(world):
    asked = {"Origin": "https://elsewhere.test", "Access-Control-Request-Method": "POST"}
    allowed = world.ask("OPTIONS", "/events", headers=asked).headers["Access-Control-Allow-Headers"]
    assert {"X-WP-Nonce", "X-TEC-EEA", "Authorization", "Content-Type"} <= set(allowed.split(", "))


def test_a_nonce_without_a_session_is_ignored(world):
    event = world.make("events")
    for headers in ({"X-WP-Nonce": "wrong"}, {"X-WP-Nonce": ""}, {"X-TEC-EEA": "anything"}):
        assert world.get(f"/events/{event['id']}", headers=headers).status_code == 200
        assert world.get("/users/me", "editor", headers=headers).status_code == 200
    assert world.get("/users/me", headers={"X-WP-Nonce": "wrong"}).status_code == 401
    assert world.get("/events", params={"_wpnonce": "wrong"}).status_code == 200


def test_an_application_password_may_be_written_with_or_without_spaces(world):
    with world.calendar.writing(SERVICE) as work:
        user = users.find_user_by_name(work, "editor")
        clear, _ = credentials.add_token(work, user, "app", purpose=credentials.APPLICATION)
    grouped = " ".join(clear[start : start + 4] for start in range(0, len(clear), 4))
    for written in (clear, grouped, f" {grouped} "):
        header = "Basic " + base64.b64encode(f"editor:{written}".encode()).decode()
        answer = world.get("/users/me", headers={"Authorization": header})
        assert (answer.status_code, answer.json()["name"]) == (200, "editor")
