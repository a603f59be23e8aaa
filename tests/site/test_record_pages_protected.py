"""The page of a password-protected event."""

from typing import Any

import pytest
from tests.site.record_html import BASE, VENUE, Page, enter, get


@pytest.fixture
def supper(world: Any) -> Any:
    world.make(
        "events", title="Supper", description="Under the bridge.", post_password="sesame", venue=VENUE, all_day=True
    )
    return world


def test_a_protected_event_shows_a_password_form(supper) -> None:
    response = get(supper, "/event/supper/", 403)
    page = Page(response.text)
    assert "Supper" in page.text
    for secret in ("bridge", "Old Mill", "All day", "sesame"):
        assert secret not in response.text
    form = page.all("form", method="post")[0]
    assert form["action"] == "/event/supper/"
    assert page.all("input", type="password")[0]["name"] == "password"
    assert response.headers["Cache-Control"] == "private, no-store"


@pytest.mark.both_stores
def test_the_password_is_remembered_for_the_visit(make_world) -> None:
    """By a cookie of the session that tells nothing of it, for every date of a series, until it is another one."""
    world = make_world()
    made = world.make(
        "events",
        title="Supper",
        slug="supper",
        post_password="sesame",
        recurrence="FREQ=WEEKLY;COUNT=2",
        description="Bridge.",
    )
    world.make("events", title="Ball", post_password="other")
    cookie = enter(world, "sesame", f"/event/{made['slug']}/").headers["Set-Cookie"]
    world.client.cookies.clear()
    kept, *attributes = cookie.split("; ")
    assert {one.partition("=")[0] for one in attributes} == {"HttpOnly", "Path", "SameSite"}, (
        "no longer than the visit"
    )
    dates = [
        one["slug"] for one in world.get("/events", "administrator", params={"search": "Supper"}).json()["events"]
    ]
    assert len(dates) == 2
    for slug in dates:
        page = world.ask("GET", f"{BASE}/event/{slug}/", headers={"Cookie": kept})
        assert (page.status_code, page.headers["Cache-Control"]) == (200, "private, no-store")
        assert "Bridge." in page.text
        assert world.ask("GET", f"{BASE}/event/{slug}/").status_code == 403
    assert world.ask("GET", f"{BASE}/event/ball/", headers={"Cookie": kept}).status_code == 403
    assert world.ask("GET", f"{BASE}/event/{dates[0]}/", headers={"Cookie": f"{kept[:-1]}x"}).status_code == 403
    both = world.ask(
        "POST",
        f"{BASE}/event/ball/",
        content=b"password=other",
        headers={"Cookie": kept, "Content-Type": "application/x-www-form-urlencoded"},
    )
    kept = both.headers["Set-Cookie"].split("; ")[0]
    world.client.cookies.clear()
    for slug in (*dates, "ball"):
        assert world.ask("GET", f"{BASE}/event/{slug}/", headers={"Cookie": kept}).status_code == 200
    world.put(f"/events/{made['id']}", json={"post_password": "changed"})
    assert world.ask("GET", f"{BASE}/event/{made['slug']}/", headers={"Cookie": kept}).status_code == 403


def test_the_password_unlocks_nothing_for_others(supper) -> None:
    response = enter(supper, "sesame")
    assert response.status_code == 200
    assert "Under the bridge." in response.text
    assert "Old Mill" in response.text
    assert response.headers["Cache-Control"] == "private, no-store"
    assert "ETag" not in response.headers
    assert "sesame" not in response.text
    assert "application/ld+json" not in response.text
    supper.client.cookies.clear()
    get(supper, "/event/supper/", 403)
    get(supper, "/event/supper/?password=sesame", 403)


def test_a_wrong_password_shows_a_message(supper) -> None:
    response = enter(supper, "wrong")
    assert response.status_code == 403
    page = Page(response.text)
    assert "Wrong password." in page.text
    assert page.all("input", type="password")[0]["aria-invalid"] == "true"


def test_guessing_is_throttled_as_in_the_api(supper) -> None:
    for _ in range(10):
        assert enter(supper, "wrong").status_code == 403
    blocked = enter(supper, "sesame")
    assert blocked.status_code == 429
    assert int(blocked.headers["Retry-After"]) > 0
    assert "Too many attempts" in blocked.text
    id = supper.get("/events", "administrator").json()["events"][0]["id"]
    assert supper.get(f"/events/{id}", params={"password": "sesame"}).status_code == 429
    supper.clock.move(seconds=5)
    assert enter(supper, "sesame").status_code == 200


def test_a_password_is_accepted_by_event_pages_only(supper) -> None:
    supper.make("events", title="Draft", status="draft", post_password="sesame")
    assert enter(supper, "sesame", "/event/draft/").status_code == 404
    assert supper.ask("POST", f"{BASE}/event/supper/", content=b"x" * 20_000).status_code == 413
    assert supper.ask("POST", f"{BASE}/venue/old-mill/").status_code == 405
