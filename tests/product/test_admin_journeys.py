"""Journeys through the admin in Chromium: from the first event to a conflict of two editors."""

import re
from collections.abc import Iterator
from secrets import token_hex
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.pictures import png
from tests.site.browser_pages import DESK, PHONE, PageMonitor, hasten

WORD = (
    "<html><body><p class=MsoNormal><b><span lang=EN>Menu<o:p></o:p></span></b></p><p class=MsoListParagraph"
    ' style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·</span>Soup</p>'
    "<script>alert(1)</script></body></html>"
)
PASTE = """html => {
  const data = new DataTransfer();
  data.setData("text/html", html);
  const area = document.querySelector(".rich-text-area");
  area.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def monitor(browser: Browser, real_service: str) -> Iterator[PageMonitor]:
    found = PageMonitor(browser, expects_http_errors=True)
    yield found
    found.close()
    # Chromium reports the styles that it adds itself to pasted text and takes away again.
    assert [error for error in found.console_errors if "Applying inline style" not in error] == []
    assert found.requests_outside(real_service, "blob:", "about:") == set()


def picture() -> dict[str, Any]:
    return {"name": "poster.png", "mimeType": "image/png", "buffer": png(640, 480, colour="teal")}


def opened(monitor: PageMonitor, address: str, who: str = "administrator", **options: Any) -> Page:
    return monitor.open(address, who=who, **options)


def make(api: httpx.Client, **fields: Any) -> dict[str, Any]:
    dates = {"start_date": "2027-05-11 19:00:00", "end_date": "2027-05-11 21:00:00"}
    made = api.post("/events", json=dates | fields)
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


def test_from_nothing_to_a_public_event_with_a_picture(monitor: PageMonitor, real_service: str) -> None:
    page = opened(monitor, f"{real_service}/admin/events/new")
    page.get_by_label("Title", exact=True).fill("Harvest supper")
    page.locator("[name=start_day]").fill("2027-09-18")
    expect(page.locator("[name=end_day]")).to_have_value("2027-09-18")
    expect(page.locator("[data-when-in-words]")).to_contain_text("Saturday, September 18, 2027")
    page.locator("[name=venue_name]").press_sequentially("Parish hall")
    page.get_by_role("option", name="Add “Parish hall” as a new venue").click()
    page.get_by_label("City").fill("Cork")
    page.get_by_role("textbox", name="Description").click()
    page.keyboard.type("Bring a dish. ")
    page.evaluate(PASTE, WORD)
    page.locator("[name=picture]").set_input_files(
        {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF"}
    )
    expect(page.get_by_role("group", name="Picture").get_by_role("alert")).to_contain_text("not an image")
    page.locator("[name=picture]").set_input_files(picture())
    expect(page.locator(".picture.has-picture img")).to_be_visible()
    expect(page.get_by_role("group", name="Picture").get_by_role("alert")).to_be_hidden()
    page.get_by_role("button", name="Preview").click()
    expect(page.frame_locator("#preview iframe").get_by_role("heading", level=1)).to_have_text("Harvest supper")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("status").first).to_have_text("The event is public.")
    page.get_by_role("link", name="View the public page").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Harvest supper")
    expect(page.locator("article")).to_contain_text("Parish hall")
    expect(page.locator("article li", has_text="Soup").first).to_be_visible()
    expect(page.locator("img.picture")).to_be_visible()


def test_tags_are_typed_as_people_do_and_the_nearest_name_comes_first(
    monitor: PageMonitor, api: httpx.Client, real_service: str
) -> None:
    for name in ("Old books", "Handbooks", "Books"):
        assert api.post("/tags", json={"name": name}).status_code == 201
    page = opened(monitor, f"{real_service}/admin/events/new")
    field = page.locator("[name=tag_names]")
    field.press_sequentially("boo")
    found = page.locator(".picker-options [role=option]")
    expect(found).to_have_text(["Books", "Old books", "Handbooks", re.compile("“boo”")])
    field.fill("")
    field.press_sequentially("choir, winter;")
    field.press_sequentially("late night")
    field.press("Enter")
    tags = page.locator("[name=tags]")
    expect(tags).to_have_count(3)
    assert [tag.input_value() for tag in tags.all()] == ["new:choir", "new:winter", "new:late night"]
    expect(field).to_have_value("")


def test_a_contributor_on_a_phone_without_scripts_and_an_editor(monitor: PageMonitor, real_service: str) -> None:
    options: dict[str, Any] = {"viewport": PHONE, "java_script_enabled": False}
    page = opened(monitor, f"{real_service}/admin/events/new", "contributor", **options)
    page.get_by_label("Title", exact=True).fill("")
    page.get_by_role("button", name="Submit for review").click()
    expect(page.get_by_role("alert")).to_contain_text("Title")
    page.get_by_label("Title", exact=True).fill("Repair café")
    page.locator("[name=venue_name]").fill("Library")
    page.get_by_role("button", name="Submit for review").click()
    expect(page.get_by_role("status").first).to_have_text("The event was submitted for review.")
    editor = opened(monitor, f"{real_service}/admin/review", "editor")
    waiting = editor.get_by_role("article", name="Repair café")
    waiting.get_by_role("button", name="Publish").click()
    expect(editor.get_by_role("status").first).to_contain_text("is public")
    public = monitor.open(f"{real_service}/event/repair-cafe/")
    expect(public.locator("article")).to_contain_text("Library")


def test_the_editor_of_a_contributor_has_its_scripts(monitor: PageMonitor, real_service: str) -> None:
    page = opened(monitor, f"{real_service}/admin/events/new", "contributor", viewport=PHONE)
    expect(page.locator("[data-when-in-words]")).not_to_be_empty()
    expect(page.get_by_label("Interval")).to_be_hidden()
    expect(page.get_by_role("group", name="Picture")).to_have_count(1)
    page.add_init_script("Object.defineProperty(navigator, 'languages', { get: () => ['ar-EG'] })")
    page.goto(f"{real_service}/admin/events/new?lang=ar")
    expect(page.locator("[data-when-in-words]")).to_contain_text("2026")  # in the digits of the rest of the page
    page.goto(f"{real_service}/admin/events/new?lang=en")
    hasten(page)
    page.get_by_label("Price", exact=True).first.fill("5")
    expect(page.locator("[data-save-status]")).to_have_text("Not saved yet")  # there is no title to save
    page.context.clear_cookies()
    page.get_by_label("Title", exact=True).fill("Typed after the session")
    expect(page.locator("[data-save-status]")).to_contain_text("Your session has ended")


def test_an_event_is_dragged_and_the_drag_undone(monitor: PageMonitor, real_service: str, api: httpx.Client) -> None:
    made = make(api, title=f"Choir practice {token_hex(3)}")
    page = opened(monitor, f"{real_service}/admin/events/month?month=2027-05")
    page.locator(f"[data-event='{made['id']}']").drag_to(page.locator("[data-day='2027-05-20']"))
    expect(page.get_by_role("status").first).to_contain_text("The event was moved.")
    assert api.get(f"/events/{made['id']}").json()["start_date"] == "2027-05-20 19:00:00"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").first).to_contain_text("was undone")
    page.wait_for_load_state()
    assert api.get(f"/events/{made['id']}").json()["start_date"] == made["start_date"]
    page.get_by_role("button", name=f"Move: {made['title']}").focus()
    page.keyboard.press("Enter")
    page.locator(f"[id^='day-{made['id']}-']").fill("2027-05-25")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("The event was moved.")


def test_two_editors_at_the_same_event(monitor: PageMonitor, real_service: str, api: httpx.Client) -> None:
    made = make(api, title="Regatta")
    path = f"{real_service}/admin/events/{made['id']}"
    first, second = opened(monitor, path), opened(monitor, path, "editor")
    second.get_by_label("Title", exact=True).fill("Regatta of the second")
    second.get_by_role("button", name="Update").click()
    expect(second.get_by_role("status").first).to_have_text("The event was saved.")
    first.get_by_label("Title", exact=True).fill("Regatta of the first")
    first.get_by_role("button", name="Update").click()
    expect(first.locator(".conflict")).to_contain_text("Regatta of the second")
    first.get_by_role("button", name="Update").click()
    expect(first.get_by_role("status").first).to_have_text("The event was saved.")
    assert api.get(f"/events/{made['id']}").json()["title"] == "Regatta of the first"


def test_a_recurring_event_shows_its_dates_before_it_is_saved(monitor: PageMonitor, real_service: str) -> None:
    page = opened(monitor, f"{real_service}/admin/events/new", "editor")
    page.get_by_label("Title", exact=True).fill("Yoga")
    page.locator("[name=start_day]").fill("2027-03-02")
    page.locator("[name=repeat]").select_option("weekly")
    page.get_by_label("After").check()
    page.get_by_label("Number of dates").fill("3")
    expect(page.locator(".dates li")).to_have_count(3)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("status").first).to_have_text("The event is public.")
    page.get_by_role("radio", name="This and all following dates").check()
    page.get_by_label("Title", exact=True).fill("Gentle yoga")
    page.get_by_role("button", name="Update").click()
    expect(page.get_by_role("status").first).to_contain_text("The event was saved.")


def test_single_dates_are_skipped_added_and_brought_back_with_a_click(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    page = opened(monitor, f"{real_service}/admin/events/new", "editor")
    page.get_by_label("Title", exact=True).fill("Life drawing")
    page.locator("[name=start_day]").fill("2027-03-02")
    page.locator("[name=repeat]").select_option("weekly")
    page.get_by_label("After").check()
    page.get_by_label("Number of dates").fill("4")
    page.get_by_role("button", name="Skip Tuesday, March 9, 2027").click()
    expect(page.get_by_label("Skipped: Tuesday, March 9, 2027")).to_be_checked()
    page.get_by_label("Add a date").fill("2027-03-11")
    page.get_by_label("Add a date").blur()
    expect(page.get_by_label("Added: Thursday, March 11, 2027")).to_be_checked()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("status").first).to_have_text("The event is public.")
    page.get_by_role("button", name=re.compile("^Skip .*Mar.* 16")).click()
    expect(page.get_by_role("button", name=re.compile("^Bring back .*Mar.* 16"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^Bring back .*Mar.* 9")).click()
    expect(page.get_by_role("button", name=re.compile("^Skip .*Mar.* 9"))).to_be_visible()
    found = api.get("/events?search=Life+drawing&start_date=2027-01-01").json()["events"]
    assert [event["start_date"][5:10] for event in found] == ["03-02", "03-09", "03-11", "03-23"]


def test_a_series_is_reviewed_as_one_and_opened_in_the_table(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    made = make(api, title="Tango", status="pending", recurrence="FREQ=WEEKLY;COUNT=5")
    page = opened(monitor, f"{real_service}/admin/review", "editor", viewport=PHONE, java_script_enabled=False)
    waiting = page.get_by_role("article", name="Tango")
    expect(waiting).to_have_count(1)
    waiting.get_by_role("link", name="Decide date by date").click()
    expect(page.get_by_role("article", name="Tango")).to_have_count(5)
    page.get_by_role("article", name="Tango").nth(1).get_by_role("button", name="Decline").click()
    page.get_by_role("dialog", name="Decline “Tango”?").get_by_role("button", name="Decline").click()
    expect(page.get_by_role("article", name="Tango")).to_have_count(4)
    page.get_by_role("link", name="Everything waiting").click()
    page.get_by_role("article", name="Tango").get_by_role("button", name="Publish all dates").click()
    expect(page.get_by_role("status").first).to_contain_text("“Tango” is public on 4 dates.")
    desk = opened(monitor, f"{real_service}/admin/events?search=tango", "editor")
    desk.get_by_role("link", name="Show each date: Tango, 4 dates").click()
    expect(desk.get_by_role("row", name="Tango")).to_have_count(4)
    desk.get_by_role("checkbox", name="Select: Tango").first.check()
    desk.get_by_label("Action").select_option("draft")
    desk.get_by_role("button", name="Apply").click()
    expect(desk.get_by_role("status").first).to_contain_text("Back to draft: 1.")
    desk.get_by_role("link", name="Show each series once").click()
    desk.get_by_role("checkbox", name="Select: Tango, 4 dates").check()
    desk.get_by_label("Action").select_option("trash")
    desk.get_by_role("button", name="Apply").click()
    expect(desk.get_by_role("status").first).to_contain_text("Moved to the trash: 4.")
    desk.get_by_role("button", name="Undo").click()
    expect(desk.get_by_role("status").first).to_contain_text("was undone")
    query = f"series={made['series']}&status=publish,draft,trash&start_date=2027-01-01"
    statuses = [event["status"] for event in api.get(f"/events?{query}").json()["events"]]
    assert statuses == ["draft", "trash", "publish", "publish", "publish"]


def test_the_bar_of_the_editor_covers_nothing(monitor: PageMonitor, real_service: str, api: httpx.Client) -> None:
    id = make(api, title="Choir", recurrence="FREQ=WEEKLY;COUNT=3")["id"]
    page = opened(monitor, f"{real_service}/admin/events/{id}", viewport=PHONE)
    page.get_by_role("button", name="Move to the trash").first.click()
    page.get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_role("link", name="History").last.click()
    expect(page.get_by_role("heading", name="History")).to_be_visible()


@pytest.mark.parametrize(("lang", "viewport"), [("de", DESK), ("ar", PHONE)])
def test_the_editor_fits_in_other_languages(
    monitor: PageMonitor, real_service: str, lang: str, viewport: dict[str, int]
) -> None:
    page = opened(monitor, f"{real_service}/admin/events/new", viewport=viewport)
    page.goto(f"{real_service}/admin/events/new?lang={lang}")
    assert page.locator("html").get_attribute("dir") == ("rtl" if lang == "ar" else "ltr")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert re.search("[^ -~]", page.locator("h1").inner_text()) or lang == "de"


def test_leaving_with_unsaved_changes_asks_first(monitor: PageMonitor, real_service: str, api: httpx.Client) -> None:
    made = make(api, title="Lecture")
    page = opened(monitor, f"{real_service}/admin/events/{made['id']}")
    page.get_by_label("Title", exact=True).fill("Lecture, changed")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    assert asked == ["beforeunload"]
