"""Journeys of an organizer in Chromium, on a desk, on a phone, and without scripts: a table is imported and
published, what a contributor has sent is sent back, waits again, and is published, two venues become one and two
again, and a visitor sends an event that repeats."""

from secrets import token_hex
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.effort import effort
from tests.features.importing.spreadsheets import xlsx
from tests.site.browser_pages import PageMonitor
from tests.stores import Template

WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
WAYS = {"desk": (WIDE, True), "phone": (NARROW, True), "phone, no script": (NARROW, False)}
ROWS = "Titel;Datum;Ort\n{0} eins;01.05.2028 10:00;Halle\n{0} zwei;02.05.2028;Halle\n{0} drei;32.12.2027;Halle\n"


def in_ways(usual: str) -> pytest.MarkDecorator:
    """A journey is usually made in one way."""
    names = effort([usual], [*WAYS])
    return pytest.mark.parametrize(("viewport", "script"), [WAYS[name] for name in names], ids=names)


def fits(page: Page) -> bool:
    """Whether nothing is wider than the window."""
    width = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    return bool(width[0] <= width[1])


@in_ways("phone, no script")
def test_a_spreadsheet_is_mended_on_its_preview(
    monitor: PageMonitor, real_service: str, viewport: dict[str, int], script: bool
) -> None:
    page = monitor.open(
        f"{real_service}/admin/import", who="administrator", viewport=viewport, java_script_enabled=script
    )
    name = f"Fest{token_hex(3)}"
    rows = [
        ["Feuerwehrfest Neudorf"],
        ["Datum", "Uhrzeit", "Was?", "Wo?", ""],
        ["Fr, 16.06.2028", "18 Uhr", f"{name} Anstich", "Zelt", "laut"],
        ["", "ab 20 Uhr", f"{name} Tanz", "Zelt", ""],
        ["Mo, 17.06.2028", "9-12 Uhr", f"{name} Übung", "Hof", ""],
        ["18.06.", "mittags", f"{name} Essen", "Zelt", "leise"],
    ]
    file = {"name": f"{name}.xlsx", "mimeType": "application/octet-stream", "buffer": xlsx(rows, merged=["A3:A4"])}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Show a preview").click()
    expect(page.get_by_text("With a problem: 2")).to_be_visible()
    expect(page.get_by_text("A4 as in A3")).to_be_visible()
    expect(page.get_by_text("laut, leise")).to_be_visible()
    assert fits(page)
    page.get_by_label("A5 Datum").fill("Sa, 17.06.2028")
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_text("With a problem: 1")).to_be_visible()
    page.get_by_label("B6 Uhrzeit").fill("12 Uhr")
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_text("Mended here: 2")).to_be_visible()
    expect(page.get_by_text("With a problem")).to_have_count(0)
    assert fits(page)
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_role("link", name="Show them").click()
    for title in ("Anstich", "Tanz", "Übung", "Essen"):
        expect(page.get_by_text(f"{name} {title}").first).to_be_visible()


@in_ways("phone, no script")
def test_an_event_is_sent_back_waits_again_and_is_published(
    monitor: PageMonitor,
    real_service: str,
    template: Template,
    api: httpx.Client,
    viewport: dict[str, int],
    script: bool,
) -> None:
    title = f"Chor {viewport['width']} {script}"
    sent: dict[str, Any] = {"title": title, "status": "pending", "cost": "5"}
    sent |= {"start_date": "2028-06-01 19:00:00", "end_date": "2028-06-01 21:00:00"}
    made = api.post("/events", json=sent, headers={"Authorization": f"Bearer {template.tokens['contributor']}"})
    assert made.status_code == 201, made.text
    page = monitor.open(f"{real_service}/admin/review", who="editor", viewport=viewport, java_script_enabled=script)
    card = page.get_by_role("article", name=title)
    expect(card).to_contain_text("5")
    assert fits(page)
    card.get_by_role("button", name="Send back", exact=True).first.click()
    card.get_by_label("What should change?").fill("Please add the place.")
    card.get_by_role("button", name="Send back", exact=True).last.click()
    expect(page.get_by_role("status").first).to_contain_text(f"“{title}” was sent back.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").first).to_contain_text(f"“{title}” waits for review again.")
    card.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("status").first).to_contain_text(f"“{title}” is public.")
    assert api.get(f"/events/{made.json()['id']}").json()["status"] == "publish"


@in_ways("phone")
def test_two_venues_become_one_and_two_again(
    monitor: PageMonitor, real_service: str, api: httpx.Client, viewport: dict[str, int], script: bool
) -> None:
    names = [f"{name} {viewport['width']} {script}" for name in ("Old Mill", "The Mill")]
    old, new = (api.post("/venues", json={"venue": name}).json()["id"] for name in names)
    for venue, day in ((old, 1), (new, 2), (new, 3)):
        sent = {"start_date": f"2028-07-0{day} 19:00:00", "end_date": f"2028-07-0{day} 20:00:00", "venue": venue}
        assert api.post("/events", json=sent | {"title": f"Fair at {names[0]}"}).status_code == 201
    address = f"{real_service}/admin/venues?search=Mill"
    page = monitor.open(address, who="administrator", viewport=viewport, java_script_enabled=script)
    for name in names:
        page.get_by_role("checkbox", name=f"Select: {name}", exact=True).check()
    assert fits(page)
    page.get_by_role("button", name="Merge…").click()
    expect(page.get_by_role("radio", name=names[1])).to_be_checked()  # it has more events
    expect(page.get_by_text("Events: 1 ·")).to_be_visible()
    assert fits(page)
    page.get_by_role("button", name="Merge", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("Events that followed: 1")
    assert api.get("/events", params={"venue": new, "start_date": "2028-01-01"}).json()["total"] == 3
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").first).to_contain_text("The merge is undone.")
    for venue, count in ((old, 1), (new, 2)):
        assert api.get("/events", params={"venue": venue, "start_date": "2028-01-01"}).json()["total"] == count
    page.goto(f"{real_service}/admin/history?kind=venue")
    expect(page.get_by_text(f"“{names[0]}” was taken out of it again").first).to_be_visible()
    expect(page.get_by_text(f"“{names[0]}” was merged into it").first).to_be_visible()
    assert fits(page)


def test_a_visitor_without_scripts_sends_an_event_that_repeats(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    admin = monitor.open(f"{real_service}/admin/settings/submissions", who="administrator", viewport=WIDE)
    admin.get_by_label("Anybody can send an event").check()
    admin.get_by_role("button", name="Save").click()
    expect(admin.get_by_role("status").first).to_be_visible()
    page = monitor.open(f"{real_service}/submit", viewport=NARROW, java_script_enabled=False)
    title = "Knitting in the open"
    page.get_by_label("Title *").fill(title)
    page.get_by_label("Start *").fill("2028-08-01")
    page.get_by_label("Start time").fill("18:00")
    page.get_by_label("Repeats", exact=True).select_option(label="Every week")
    page.get_by_label("Last day, if it repeats").fill("2028-08-20")
    page.get_by_label("Your name *").fill("Eva")
    page.get_by_label("Your e-mail address *").fill("eva@example.org")
    assert fits(page)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    admin.goto(f"{real_service}/admin/review")
    card = admin.get_by_role("article", name=title)
    expect(card).to_contain_text("eva@example.org")
    card.get_by_role("button", name="Publish").first.click()
    expect(admin.get_by_role("status").first).to_contain_text("public")
    asked = {"search": title, "start_date": "2028-08-01"}
    assert [event["start_date"] for event in api.get("/events", params=asked).json()["events"]] == [
        "2028-08-01 18:00:00",
        "2028-08-08 18:00:00",
        "2028-08-15 18:00:00",
    ]
