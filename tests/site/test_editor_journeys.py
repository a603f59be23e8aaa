"""Journeys of organizers in Chromium: new and known venues, pictures of the library and of phones, two editors."""

import io
import os
import re
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from playwright.sync_api import Page, expect
from tests.site.browser_pages import DESK, PHONE, PageMonitor, hasten

NEW = "/admin/events/new"
SHOTS = os.environ.get("KEEP_SCREENSHOTS", "")  # a folder
EXPECTS_HTTP_ERRORS = True  # for `monitor`


def photo(width: int, height: int, noise: int = 0) -> bytes:
    image = Image.effect_noise((width, height), noise).convert("RGB") if noise else Image.new("RGB", (width, height))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=97)
    return out.getvalue()


def opened(monitor: PageMonitor, address: str, **options: Any) -> Page:
    return monitor.open(address, who="administrator", **options)


def shot(page: Page, name: str) -> None:
    """Kept for whoever looks at them, at both widths, light and dark."""
    if not SHOTS:
        return
    for size in (DESK, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.screenshot(path=f"{SHOTS}/{name}-{size['width']}-{scheme}.png", full_page=name != "library")
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="light")


def venues(api: httpx.Client, name: str) -> list[dict[str, Any]]:
    found = api.get("/venues", params={"search": name, "status": "publish,draft,pending"}).json()["venues"]
    return list(found)


def test_a_new_venue_is_made_once_and_a_known_one_is_taken_with_one_tap(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    api.post("/venues", json={"venue": "Old Town Hall", "city": "Kiel"})
    page = opened(monitor, f"{real_service}{NEW}")
    hasten(page)
    page.locator("#field-title").fill("Kites")
    with page.expect_response(lambda answer: "/autosave" in answer.url and answer.ok):
        page.locator("#field-venue").fill("Kite Barn")
        expect(page.locator("#field-venue-options [role=option]")).to_have_count(1)
        page.keyboard.press("Enter")
    page.locator("#field-venue_address").fill("Mill 2")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("The event is public.")).to_be_visible()
    assert [venue["address"] for venue in venues(api, "Kite Barn")] == ["Mill 2"]
    # One that is meant: typed, left, and taken with one tap.
    page.goto(f"{real_service}{NEW}")
    page.locator("#field-title").fill("Ball")
    page.locator("#field-venue").fill("old town")
    expect(page.locator("#field-venue-options [role=option]").first).to_contain_text("Old Town Hall")
    page.locator("#field-title").focus()
    page.get_by_role("button", name="Do you mean “Old Town Hall, Kiel”?").click()
    expect(page.locator("[data-picker-chosen]").first).to_contain_text("Old Town Hall")
    # Typed wrongly and sent at once: the form asks.
    page.goto(f"{real_service}{NEW}")
    page.locator("#field-title").fill("Supper")
    page.locator("#field-venue").fill("Old Town Hal")
    page.evaluate("document.getElementById('editor').requestSubmit(document.querySelector('button[value=publish]'))")
    expect(page.get_by_label("No, “Old Town Hal” is another one")).to_be_checked()
    page.get_by_label("Old Town Hall Kiel").check()
    shot(page, "namesakes")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("The event is public.")).to_be_visible()
    assert len(venues(api, "Old Town")) == 1


def test_a_room_is_changed_to_another_room_of_the_house(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    """With scripts; without them in tests/admin/test_namesakes.py."""
    for number in (3, 30):
        api.post("/venues", json={"venue": f"VHS Raum {number}"})
    room = venues(api, "VHS Raum 3")[0]
    course = {"title": "Yoga", "start_date": "2027-05-04 18:00", "end_date": "2027-05-04 19:00", "venue": room["id"]}
    event = api.post("/events", json=course | {"recurrence": "FREQ=WEEKLY;COUNT=3"}).json()
    page = opened(monitor, f"{real_service}/admin/events/{event['id']}")
    page.locator("[data-picker-chosen] input[name=venue]").uncheck()
    page.locator("#field-venue").fill("VHS Raum 7")
    page.locator("#field-title").focus()
    expect(page.get_by_role("button", name="Do you mean")).to_have_count(0)
    page.get_by_role("button", name="Update").click()
    expect(page.get_by_text("The event was saved.")).to_be_visible()
    assert api.get(f"/events/{event['id']}").json()["venue"]["venue"] == "VHS Raum 7"
    # Room 1 is not what Enter makes Room 10 of.
    api.post("/venues", json={"venue": "Atelier 10"})
    page.locator("#field-venue").fill("Atelier 1")
    expect(page.locator("#field-venue-options [role=option]").first).to_contain_text("Atelier 10")
    expect(page.locator("#field-venue-options [aria-selected=true]")).to_contain_text("“Atelier 1”")


def test_pictures_come_from_the_library_into_the_box_and_the_text(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    for name in ("Hafen bei Nacht.jpg", "Mole.jpg"):
        headers = {"Content-Type": "image/jpeg", "Content-Disposition": f'attachment; filename="{name}"'}
        assert api.post("/media", content=photo(640, 480, len(name)), headers=headers).is_success
    page = opened(monitor, f"{real_service}{NEW}")
    page.locator("#field-title").fill("Harbour")
    page.locator("#field-image").get_by_role("button", name="From the library").click()
    dialog = page.locator("#library")
    dialog.get_by_role("searchbox").fill("hafen")
    expect(dialog.locator("[data-choose]")).to_have_count(1)
    shot(page, "library")
    dialog.get_by_role("button", name="Hafen bei Nacht.jpg").click()
    expect(page.locator("#field-image_alt")).to_be_focused()  # what it shows is asked for
    page.locator("#field-image_alt").fill("The harbour at night")
    box = page.locator("#field-image img").bounding_box()
    assert box is not None
    page.locator("#field-image img").click(position={"x": box["width"] * 0.25, "y": box["height"] * 0.75})
    expect(page.locator("#field-image_focus")).to_have_value("25% 75%")
    page.locator(".rich-text-area").click()
    page.get_by_role("button", name="Picture", exact=True).click()
    page.locator(".rich-text-prompt").get_by_role("button", name="From the library").click()
    dialog.get_by_role("searchbox").fill("mole")
    expect(dialog.locator("[data-choose]")).to_have_count(1)
    dialog.locator("[data-choose]").click()
    expect(page.locator(".rich-text-area img")).to_have_count(1)
    shot(page, "editor")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("The event is public.")).to_be_visible()
    expect(page.locator("#field-image_alt")).to_have_value("The harbour at night")


def test_a_photo_of_a_phone_is_made_smaller_before_it_is_sent(
    monitor: PageMonitor, real_service: str, tmp_path: Path
) -> None:
    page = opened(monitor, f"{real_service}{NEW}")
    large = tmp_path / "IMG_1.jpg"
    assert large.write_bytes(photo(3600, 900, 60)) > 3_000_000
    with page.expect_response(lambda answer: answer.url.endswith("/media")) as answer:
        page.locator("#field-image input[type=file]").set_input_files(large)
    stored = answer.value.json()
    assert (stored["width"], stored["height"]) == (3200, 800)


def test_a_slow_upload_shows_how_much_has_arrived_and_a_wrong_file_is_named_beside_it(
    monitor: PageMonitor, real_service: str
) -> None:
    page = opened(monitor, f"{real_service}{NEW}")
    line = page.context.new_cdp_session(page)
    field = page.locator("#field-image")
    text = {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no picture"}
    field.locator("input[type=file]").set_input_files(files=[text])  # type: ignore[list-item]
    expect(field.get_by_role("alert")).to_contain_text("This file is not an image")
    speed = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 100_000}
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", speed)
    chosen = {"name": "sea.jpg", "mimeType": "image/jpeg", "buffer": photo(1200, 400, 60)}
    field.locator("input[type=file]").set_input_files(files=[chosen])  # type: ignore[list-item]
    bar = field.get_by_role("progressbar", name="Uploading the picture")
    expect(bar).to_be_visible()
    expect(bar).to_have_attribute("value", re.compile(r"[1-9]\d?"))
    shot(page, "upload")
    line.send("Network.emulateNetworkConditions", speed | {"uploadThroughput": -1})
    expect(field.locator("img")).to_have_attribute("src", re.compile("/media/"))
    expect(bar).to_be_hidden()
    expect(field.get_by_role("alert")).to_be_hidden()


def test_what_is_decided_most_is_in_sight_and_only_the_page_scrolls(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    repeated = {"recurrence": "FREQ=WEEKLY;COUNT=8", "start_date": "2027-05-11 19:00", "end_date": "2027-05-11 21:00"}
    made = api.post("/events", json=repeated | {"title": "Course", "event_status": "cancelled"}).json()
    page = opened(monitor, f"{real_service}/admin/events/{made['id']}", viewport={"width": 1440, "height": 900})
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cancelled")
    for _ in range(2):
        for name in ("event_status", "featured", "date"):
            expect(page.locator(f"#field-{name}")).to_be_in_viewport()
        expect(page.get_by_role("button", name="Update")).to_be_in_viewport()
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    scrollers = "[...document.querySelectorAll('main *')].filter((one) => one.scrollHeight > one.clientHeight + 1 && "
    scrollers += (
        "['auto', 'scroll'].includes(getComputedStyle(one).overflowY) && one.clientHeight).map((one) => one.id)"
    )
    assert page.evaluate(scrollers) == []
    page.set_viewport_size({"width": 390, "height": 844})
    bar = page.locator(".panel.save").bounding_box()
    buttons = [button.bounding_box() for button in page.locator(".panel.save button").all()]
    assert bar is not None
    assert bar["height"] < 844 / 4
    assert len({round(button["y"]) for button in buttons if button}) == 2
    assert all(button and button["x"] >= 0 and button["x"] + button["width"] <= 390 for button in buttons)


def test_two_editors_are_asked_only_for_what_both_changed(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    dates = {"start_date": "2027-05-11 19:00:00", "end_date": "2027-05-11 21:00:00"}
    made = api.post("/events", json=dates | {"title": "Ball", "description": "<p>With a band.</p>"}).json()
    page = opened(monitor, f"{real_service}/admin/events/{made['id']}")
    page.locator("#field-title").fill("My ball")
    page.locator("#field-website").fill("https://example.org/")
    api.post(f"/events/{made['id']}", json={"title": "Their ball", "cost": "12", "description": "<p>With two.</p>"})
    page.get_by_role("button", name="Update", exact=False).first.click()
    expect(page.locator("section.conflict tbody tr")).to_have_count(1)
    shot(page, "conflict")
    page.get_by_label("Their ball").check()
    page.get_by_role("button", name="Update", exact=False).first.click()
    expect(page.locator("section.conflict")).to_have_count(0)
    now = api.get(f"/events/{made['id']}").json()
    assert (now["title"], now["website"], now["cost"]) == ("Their ball", "https://example.org/", "$12")
    assert "With two." in now["description"]
