"""Every screen of the admin with something in it is valid HTML, accessible in each appearance, and fits."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.admin.admin_client import AdminClient
from tests.admin.test_ended_sessions import OWN_PAGE, hidden_in
from tests.conftest import BASE_URL, PASSWORD, World
from tests.effort import dealt, effort
from tests.pictures import png
from tests.site.browser_pages import enter
from tests.site.test_accessibility import APPEARANCES, axe, violations
from tests.site.test_admin_in_browser import FEWER_OPTIONS
from tests.site.test_valid_html import READ, problems_in, write
from tests.site.validators import in_language

__all__ = ["axe"]  # fixtures

FILE = (
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:1@test\r\nDTSTAMP:20260101T000000Z\r\n"
    b"DTSTART:20270301T190000Z\r\nDTEND:20270301T200000Z\r\nSUMMARY:Imported\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
TABLE = b"title,start_date,end_date,place\nFair,2027-03-01 10:00,2027-03-01 12:00,Barn\n"
SCREENS = (
    "/admin",
    "/admin/events?when=all",
    "/admin/events?when=all&dates=each",
    "/admin/events/month?month=2027-05",
    "/admin/events/{event}",
    "/admin/events/{date}",
    "/admin/events/{event}/history",
    "/admin/events/{event}/move",
    "/admin/review",
    "/admin/venues",
    "/admin/venues/{venue}",
    "/admin/categories",
    "/admin/categories/{category}",
    "/admin/media",
    "/admin/media/{image}",
    "/admin/trash",
    "/admin/history",
    "/admin/import/1",
    "/admin/import/2",
    "/admin/people",
    "/admin/settings/look",
    "/admin/settings/submissions",
    "/submit",
)
# Forms of which somebody else has saved another version, and what is typed into them.
CONFLICTS = {
    "/admin/venues/{venue}": {"venue": "Mill", "city": "Galway"},
    "/admin/categories/{category}": {"name": "Songs"},
    "/admin/media/{image}": {"alt": "Boats"},
    "/admin/people/1": {"name": "someone"},
    "/admin/profile": {"name": "someone"},
    "/admin/settings/calendar": {"site_description": "What is on"},
}
APPEARANCE_NAMES = effort(["desk", "arabic"], [*APPEARANCES])


def fill(send: Any, upload: Any, contributor: dict[str, str]) -> dict[str, int]:
    """Something for every screen, sent by two functions; the ids that their addresses need."""
    image = upload("/media", content=png(500, 400, colour="teal"), headers={"Content-Type": "image/png"}).json()["id"]
    category = send("/categories", json={"name": "Music"}).json()["id"]
    sub = send("/categories", json={"name": "Folk", "parent": category}).json()["id"]
    days = {"start_date": "2027-05-11 19:00:00", "end_date": "2027-05-11 21:00:00"}
    hall = {"venue": "Town hall", "city": "Cork"}
    event = send("/events", json=days | {"title": "Ball", "image": image, "venue": hall, "categories": [sub]}).json()
    send(f"/events/{event['id']}", json={"title": "Masked ball", "description": "<p>Bring a <b>mask</b>.</p>"})
    date = send("/events", json=days | {"title": "Choir", "recurrence": "FREQ=WEEKLY;COUNT=3"}).json()["id"]
    send("/events", json=days | {"title": "Draft", "status": "draft"})
    send("/events", json=days | {"title": "Waits", "status": "pending"}, headers=contributor)
    barn = {"venue": {"venue": "Barn", "phone": "021 555"}, "recurrence": "FREQ=WEEKLY;COUNT=2"}
    send("/events", json=days | {"title": "Course", "status": "pending"} | barn, headers=contributor)
    trashed = send("/events", json=days | {"title": "Over"}).json()["id"]
    send(f"/events/{trashed}", json={"status": "trash"})
    venue = event["venue"]["id"]
    return {"event": event["id"], "date": date, "venue": venue, "category": category, "image": image}


def test_every_filled_screen_is_valid_html(world: World, tmp_path: Path) -> None:
    places = fill(world.post, world.post, {"Authorization": f"Bearer {world.tokens['contributor']}"})
    admin = AdminClient(world, "administrator")
    admin.post("/admin/settings/submissions", {"submissions": "true"})
    for name, content in (("club.ics", FILE), ("fairs.csv", TABLE)):
        admin.post("/admin/import", files={"file": (name, content)})
    for language in READ:
        for path in SCREENS:
            answer = admin.client.get(BASE_URL + in_language(path.format_map(places), language))
            write(tmp_path / f"{path.replace('/', '-').replace('?', '-')} {language}.html", answer, 200)
    for client, status in ((admin.client, 403), (AdminClient(world).client, 401)):  # without the token, the session
        sent = client.post(f"{BASE_URL}/admin/venues/new", data={"venue": "Mill"}, headers=OWN_PAGE)
        write(tmp_path / f"kept {status}.html", sent, status)
    for path, typed in CONFLICTS.items():
        sent = {"token": admin.token, "version": "another", **typed}
        answer = admin.client.post(BASE_URL + path.format_map(places), data=sent)
        write(tmp_path / f"{path.replace('/', '-')} conflict.html", answer, 409)
    assert problems_in(tmp_path) == []


@pytest.fixture(scope="module")
def filled(real_service: str, template: Any) -> dict[str, int]:
    """The addresses of a running service that has something for every screen."""
    admin, contributor = (
        {"Authorization": f"Bearer {template.tokens[who]}"} for who in ("administrator", "contributor")
    )
    with httpx.Client(base_url=f"{real_service}/api/calendar/events/v1", headers=admin) as client:
        places = fill(client.post, client.post, contributor)
    with httpx.Client(base_url=f"{real_service}/admin", headers=OWN_PAGE) as person:
        person.post("/sign-in", data={"name": "administrator", "password": PASSWORD})
        token = hidden_in(person.get("/import").text)["token"]
        answers = [person.post("/settings/submissions", data={"submissions": "true", "token": token})]
        for name, content in (("club.ics", FILE), ("fairs.csv", TABLE)):
            answers.append(person.post("/import", data={"token": token}, files={"file": (name, content)}))
    assert [answer.status_code for answer in answers] == [303] * 3
    return places


@pytest.mark.parametrize("appearance", APPEARANCE_NAMES)
def test_every_filled_screen_is_accessible_and_fits(
    browser: Browser, real_service: str, filled: dict[str, int], axe: str, appearance: str
) -> None:
    lang, options = APPEARANCES[appearance]
    context = browser.new_context(**options, locale="en-US")
    context.add_init_script(axe)
    enter(context, real_service, "administrator")
    page, problems = context.new_page(), {}
    for path in dealt(SCREENS, appearance, APPEARANCE_NAMES):
        page.goto(real_service + in_language(path.format_map(filled), lang))
        page.evaluate(FEWER_OPTIONS)
        problems[path] = violations(page, appearance) + too_wide(page)
    for path in dealt(CONFLICTS, appearance, APPEARANCE_NAMES):
        page.goto(real_service + in_language(path.format_map(filled), lang))
        page.evaluate(FEWER_OPTIONS)
        page.evaluate("document.querySelector('main [name=version]').value = 'another'")
        page.locator("main form:has([name=version]) button.primary").click()
        expect(page.locator(".conflict")).to_be_visible()
        page.evaluate(FEWER_OPTIONS)
        problems[f"{path} conflict"] = violations(page, appearance) + too_wide(page)
    context.close()
    assert {path: found for path, found in problems.items() if found} == {}


def too_wide(page: Page) -> list[str]:
    width, screen = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return [f"{width} pixels wide on a screen of {screen}"] if width > screen else []
