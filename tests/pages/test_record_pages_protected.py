"""The page of a password-protected event."""

from typing import Any

import pytest
from tests.pages.record_html import BASE, VENUE, Page, enter, get


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


def test_the_password_unlocks_one_response_only(supper) -> None:
    response = enter(supper, "sesame")
    assert response.status_code == 200
    assert "Under the bridge." in response.text
    assert "Old Mill" in response.text
    assert response.headers["Cache-Control"] == "private, no-store"
    assert "ETag" not in response.headers
    assert "sesame" not in response.text
    assert "Set-Cookie" not in response.headers
    assert "application/ld+json" not in response.text
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
