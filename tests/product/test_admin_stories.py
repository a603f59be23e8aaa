"""Stories of the admin in Chromium: each begins where somebody begins, and ends with what readers see.

Texts differ by language, so controls are found by their names; each story has its own language, size and script.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.clusters import free_port
from tests.conftest import PASSWORD
from tests.effort import effort
from tests.forked import Forked
from tests.product.test_admin_journeys import make, monitor, opened, picture
from tests.site.browser_pages import PageMonitor, until_ready
from tests.waiting import until

__all__ = ["monitor"]  # a fixture

DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
GERMAN = {"locale": "de-DE", "viewport": DESK, "timezone_id": "Europe/Berlin"}
ARABIC = {"locale": "ar", "viewport": PHONE, "java_script_enabled": False}
STATUS = "[role=status] p"
LINK = re.compile(r"http://\S+/admin/link\?key=\S+")
TABS = 120  # until a control is reached with the keyboard


def fits(page: Page) -> bool:
    """Nothing is wider than the screen. Without scripts, the page cannot be asked."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def press(page: Page, button: str) -> None:
    """Presses the main button of a form, which scrolls there as a person does."""
    page.locator(button).first.click()


def tab_to(page: Page, control: str) -> None:
    """Moves the focus with the keyboard alone."""
    for _ in range(TABS):
        if page.evaluate("wanted => Boolean(document.activeElement?.matches(wanted))", control):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {control}")


@pytest.fixture
def new_service(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The first start of a service: its address, and the link that it tells the operator."""
    port, console = free_port(), tmp_path / "console"
    service = Forked("serve", "--port", port, "--data", tmp_path, environ=os.environ, out=console)
    try:
        until_ready(address := f"http://127.0.0.1:{port}")
        until(lambda: LINK.search(console.read_text()))
        link = LINK.search(console.read_text())
        assert link
        yield address, link[0]
    finally:
        service.terminate()
        service.wait(30)


def test_with_the_keyboard_from_the_first_start_to_an_event_with_a_picture(
    browser: Browser, new_service: tuple[str, str]
) -> None:
    address, link = new_service
    pages = PageMonitor(browser)
    page = pages.open(link, **GERMAN)
    tab_to(page, "[name=password]")
    page.keyboard.type("ein langer Satz")
    page.keyboard.press("Enter")
    expect(page.locator("#set-up")).to_be_visible()
    expect(page.locator("[name=timezone]")).to_have_value("Europe/Berlin")  # guessed from the browser
    tab_to(page, "[name=site_name]")
    page.keyboard.press("Control+a")
    page.keyboard.type("Rathaus")
    page.keyboard.press("Enter")
    expect(page.locator(".empty")).to_be_visible()
    tab_to(page, ".empty a")
    page.keyboard.press("Enter")
    expect(page.locator("[name=title]")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    tab_to(page, "[name=title]")
    page.keyboard.type("Tag der offenen Tür")
    tab_to(page, "[name=venue_name]")
    page.keyboard.type("Rathaussaal")
    tab_to(page, ".rich-text-area")
    page.keyboard.type("Alle sind willkommen.")
    page.locator("[name=picture]").set_input_files(picture())  # the dialog of the system cannot be typed into
    expect(page.locator(".picture.has-picture img")).to_be_visible()
    tab_to(page, ".focus-point")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[name=image_focus]")).to_have_value("50% 45%")
    tab_to(page, "[name=image_alt]")
    page.keyboard.type("Das Rathaus mit Fahnen")
    page.locator("[name=title]").focus()
    page.keyboard.press("Shift+Tab")
    tab_to(page, "button[value=publish]")
    page.keyboard.press("Enter")
    expect(page.locator(STATUS)).to_be_visible()
    assert fits(page)
    tab_to(page, ".heading .actions a")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Tag der offenen Tür")
    expect(page.get_by_role("img", name="Das Rathaus mit Fahnen").first).to_be_visible()
    assert pages.console_errors == []
    assert pages.requests_outside(address, "blob:") == set()
    pages.close()


@pytest.mark.parametrize("options", [ARABIC, *effort([], [GERMAN])], ids=lambda options: options["locale"])
def test_a_contributor_is_asked_for_a_change_before_the_event_is_public(
    monitor: PageMonitor, real_service: str, options: dict[str, Any]
) -> None:
    title = f"Repair café {options['locale']}"
    writer = monitor.open(f"{real_service}/admin/events/new", **options)
    sign_in(writer, "contributor")
    writer.locator("[name=title]").fill(title)
    press(writer, "button[value=submit]")
    expect(writer.locator(STATUS)).to_be_visible()
    editor = opened(monitor, f"{real_service}/admin/review", "editor")
    waiting = editor.get_by_role("article", name=title)
    waiting.get_by_role("button", name="Send back").first.click()
    waiting.get_by_label("What should change?").fill("Which room?")
    waiting.get_by_role("button", name="Send back").last.click()
    expect(editor.locator(STATUS)).to_contain_text("was sent back")
    writer.reload()
    expect(writer.get_by_role("note")).to_contain_text("Which room?")
    writer.locator("[name=venue_name]").fill("Library")
    press(writer, "button[value=submit]")
    editor.goto(f"{real_service}/admin/review")
    editor.get_by_role("article", name=title).get_by_role("button", name="Publish").click()
    public = monitor.open(f"{real_service}/events/list/?search=Repair", **options)
    expect(public.get_by_role("link", name=title)).to_be_visible()


@pytest.mark.parametrize("options", [GERMAN, *effort([], [ARABIC])], ids=lambda options: options["locale"])
def test_anybody_sends_an_event_and_an_editor_publishes_it(
    monitor: PageMonitor, real_service: str, options: dict[str, Any]
) -> None:
    admin = opened(monitor, f"{real_service}/admin/settings/submissions", viewport=DESK)
    admin.get_by_label("Anybody can send an event").check()
    admin.get_by_role("button", name="Save").click()
    expect(admin.locator(STATUS)).to_be_visible()
    title = f"Flohmarkt {options['locale']}"
    sender = monitor.open(f"{real_service}/submit", **options)
    sender.locator("[name=title]").fill(title)
    sender.locator("[name=start_day]").fill("2027-06-05")
    sender.locator("[name=start_time]").fill("10:00")
    sender.locator("[name=end_day]").fill("2027-06-05")
    sender.locator("[name=end_time]").fill("14:00")
    sender.locator("[name=venue_name]").fill("Marktplatz")
    sender.locator("[name=picture]").set_input_files(picture())
    sender.locator("[name=sender_name]").fill("Eva")
    sender.locator("[name=sender_email]").fill("eva@example.org")
    press(sender, "article form button")
    expect(sender.locator("article form")).to_have_count(0)
    assert monitor.open(f"{real_service}/events/list/?search=Flohmarkt").get_by_text(title).count() == 0
    admin.goto(f"{real_service}/admin/review")
    waiting = admin.get_by_role("article", name=title)
    expect(waiting).to_contain_text("eva@example.org")
    waiting.get_by_role("button", name="Publish").click()
    expect(admin.locator(STATUS)).to_contain_text("is public")
    sender.goto(f"{real_service}/events/list/?search=Flohmarkt")
    sender.get_by_role("link", name=title).first.click()
    expect(sender.locator("article")).to_contain_text("Marktplatz")
    expect(sender.locator("img.picture")).to_be_visible()


def test_a_recurring_event_is_changed_in_three_ways(monitor: PageMonitor, real_service: str, api: Any) -> None:
    days = {"start_date": "2027-02-02 19:00:00", "end_date": "2027-02-02 21:00:00"}
    made = make(api, title="Yoga", recurrence="FREQ=WEEKLY;COUNT=4", **days)
    asked = "/events?start_date=2027-02-01&end_date=2027-03-01&per_page=50"
    ids = [event["id"] for event in api.get(asked).json()["events"]]
    page = opened(monitor, f"{real_service}/admin/events/{made['id']}", viewport=DESK)
    for id, scope, name in (
        (ids[0], "this", "First yoga"),
        (ids[2], "following", "Gentle yoga"),
        (ids[1], "all", ""),
    ):
        page.goto(f"{real_service}/admin/events/{id}")
        page.locator(f".save [name=scope][value={scope}]").check()
        if name:
            page.locator("[name=title]").fill(name)
        else:
            page.locator("[name=cost]").fill("12")
        press(page, ".save button.primary")
        expect(page.get_by_role("status").first).to_contain_text("The event was saved.")
    found = api.get(asked).json()["events"]
    assert [event["title"] for event in found] == ["First yoga", "Yoga", "Gentle yoga", "Gentle yoga"]
    # "following" made another series, which "all" of the first one leaves alone
    assert [event["cost"] for event in found] == ["$12", "$12", "", ""]


def test_two_venues_become_one_and_a_change_is_taken_back(monitor: PageMonitor, real_service: str, api: Any) -> None:
    old, new = (api.post("/venues", json={"venue": name}).json() for name in ("Town Hal", "Town Hall"))
    made = make(api, title="Council", venue=[old["id"]])
    other = make(api, title="Ball", venue=[new["id"]])
    page = opened(monitor, f"{real_service}/admin/venues/{old['id']}", viewport=DESK)
    page.locator("[name=into]").select_option(str(new["id"]))
    page.get_by_role("button", name="Merge…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Merge")
    page.get_by_role("button", name="Merge").click()
    expect(page.locator(STATUS)).to_contain_text("Events that followed: 1.")
    assert api.get(f"/events/{made['id']}").json()["venue"]["venue"] == "Town Hall"
    page.goto(f"{real_service}/venue/town-hal/")
    expect(page).to_have_url(f"{real_service}/venue/town-hall/")
    page.goto(f"{real_service}/admin/events/{other['id']}")
    page.locator("[name=title]").fill("Masked ball")
    press(page, ".save button.primary")
    expect(page.locator(STATUS)).to_have_text("The event was saved.")
    page.locator(f"a[href$='/{other['id']}/history']").click()
    expect(page.locator("table")).to_contain_text("Masked ball")
    page.get_by_role("button", name="Restore the version before this change").click()
    expect(page.locator("[name=title]")).to_have_value("Ball")
    page.get_by_role("button", name="Move to the trash").click()
    expect(page.locator(STATUS)).to_contain_text("in the trash")
    assert monitor.open(f"{real_service}/event/ball/").get_by_role("heading", level=1).inner_text() != "Ball"
    page.goto(f"{real_service}/admin/trash")
    page.get_by_label("Select: Ball").check()
    page.get_by_role("button", name="Restore").click()
    expect(page.locator(STATUS)).to_contain_text("Restored: 1.")
    expect(monitor.open(f"{real_service}/event/ball/").get_by_role("heading", level=1)).to_have_text("Ball")


def test_an_invited_person_joins_and_signs_in_again(monitor: PageMonitor, real_service: str) -> None:
    admin = opened(monitor, f"{real_service}/admin/people/invite", viewport=DESK)
    admin.get_by_label("For whom").fill("Grace")
    admin.get_by_label("Author").check()
    admin.get_by_role("button", name="Create a link").click()
    guest = monitor.open(admin.locator("#secret").text_content() or "", **ARABIC)
    guest.locator("[name=name]").fill("grace")
    guest.locator("[name=password]").fill("short")
    press(guest, "button.primary")
    expect(guest.locator("#error-password")).to_be_visible()
    expect(guest.locator("[name=name]")).to_have_value("grace")
    guest.locator("[name=password]").fill("a longer sentence")
    press(guest, "button.primary")
    expect(guest.locator("h1")).to_be_visible()
    guest.context.clear_cookies()
    guest.goto(f"{real_service}/admin/events")
    guest.locator("[name=name]").fill("grace")
    guest.locator("[name=password]").fill("a longer sentence")
    press(guest, "button.primary")
    expect(guest).to_have_url(f"{real_service}/admin/events")
    expect(guest.locator("html")).to_have_attribute("dir", "rtl")


def sign_in(page: Page, name: str) -> None:
    """In any language."""
    page.locator("[name=name]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    press(page, "button.primary")
    expect(page.locator(".side")).to_be_attached()
