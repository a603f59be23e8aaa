"""What is typed and chosen in an editor is saved once, whatever the timing, and nothing that was saved is offered
again: pictures on a slow line, the background save, two tabs, a session that ends."""

import io
import re
from typing import Any

import httpx
import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect
from tests.site.browser_pages import PageMonitor, enter
from tests.waiting import until

DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
BOTH = pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
SLOW = {"offline": False, "latency": 20, "downloadThroughput": 150_000, "uploadThroughput": 150_000}
EXPECTS_HTTP_ERRORS = True  # for `monitor`


def photo(color: str = "navy", width: int = 500) -> dict[str, Any]:
    """Of 150 KB: a second on a slow line."""
    image = Image.blend(
        Image.effect_noise((width, 400), 60).convert("RGB"), Image.new("RGB", (width, 400), color), 0.3
    )
    out = io.BytesIO()
    image.save(out, "JPEG", quality=95)
    return {"name": f"{color}.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}


def made(api: httpx.Client, title: str, **fields: Any) -> dict[str, Any]:
    sent = {"title": title, "start_date": "2027-05-06 18:00", "end_date": "2027-05-06 20:00"} | fields
    return dict(api.post("/events", json=sent).raise_for_status().json())


def opened(monitor: PageMonitor, address: str, viewport: dict[str, int] = DESK, who: str = "administrator") -> Page:
    page = monitor.open(address, who=who, viewport=viewport)
    page.on("dialog", lambda dialog: dialog.accept())
    return page


def slow(page: Page, **speed: float) -> None:
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", SLOW | speed)


def hold_pause(page: Page) -> None:
    """The pause after which something is kept or saved in the background ends when `pauseEnds` is called."""
    page.evaluate(
        """(() => {
          const [wait, clear, held] = [setTimeout, clearTimeout, new Map()];
          let last = 0;
          window.setTimeout = (work, pause) => (pause === 3000 ? (held.set(--last, work), last) : wait(work, pause));
          window.clearTimeout = (id) => (held.delete(id), clear(id));
          window.pauseEnds = () => [...held].forEach(([id, work]) => (held.delete(id), work()));
        })()"""
    )


def end_pause(page: Page) -> None:
    page.evaluate("pauseEnds()")


def press_while_pause_ends(page: Page, value: str, *, is_before: bool = False) -> None:
    """In one go: the button with this value is pressed right before or after the pause ends."""
    press_it = f"document.querySelector('#editor button.primary[value={value}]').click();"
    page.evaluate(f"{press_it} pauseEnds()" if is_before else f"pauseEnds(); {press_it}")


def choose(page: Page, *pictures: dict[str, Any]) -> None:
    page.locator("#field-image input[type=file]").first.set_input_files(files=list(pictures))  # type: ignore[arg-type]


def arrived(page: Page) -> None:
    expect(page.locator("#field-image img")).to_have_attribute("src", re.compile("/media/"))


def library(api: httpx.Client) -> int:
    """How many pictures are stored."""
    answer = api.get(str(api.base_url.copy_with(path="/wp-json/wp/v2/media")), params={"per_page": 1})
    return int(answer.raise_for_status().headers["X-WP-Total"])


def offer(page: Page) -> Any:
    return page.locator("[data-kept-changes]")


def press(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).first.click()


def is_settled(page: Page, address: str) -> None:
    """Nothing is offered: once the script of the page has heard of the save, after a reload, and when somebody goes
    back and forth."""
    until(lambda: page.evaluate("sessionStorage.getItem('kalends-sent') === null"))
    expect(offer(page)).to_be_hidden()
    for go in (page.reload, page.go_back, page.go_forward, lambda: page.goto(address)):
        go()
        page.wait_for_load_state()
        expect(offer(page)).to_be_hidden()


@pytest.mark.parametrize(
    ("moment", "viewport"),
    [("uploading", DESK), ("uploading", PHONE), ("before", DESK), ("at", PHONE), ("after", DESK)],
)
def test_a_picture_is_stored_once_whenever_update_is_pressed(
    monitor: PageMonitor, real_service: str, api: httpx.Client, viewport: dict[str, int], moment: str
) -> None:
    event = made(api, "Fair")
    stored, address = library(api), f"{real_service}/admin/events/{event['id']}"
    page = opened(monitor, address, viewport)
    slow(page)
    hold_pause(page)
    page.locator("#field-title").fill("Summer fair")
    choose(page, photo())
    if moment != "uploading":
        arrived(page)
    if moment == "after":
        end_pause(page)
        press(page, "Update")
    else:
        press_while_pause_ends(page, "save", is_before=moment != "at")
    expect(page.get_by_text("The event was saved.")).to_be_visible()
    is_settled(page, address)
    saved = api.get(f"/events/{event['id']}").json()
    assert saved["title"] == "Summer fair"
    assert saved["image"]
    assert library(api) == stored + 1


@pytest.mark.parametrize(("moment", "viewport"), [("before", DESK), ("during", PHONE)])
def test_a_new_event_is_made_once_beside_its_background_save(
    monitor: PageMonitor, real_service: str, api: httpx.Client, viewport: dict[str, int], moment: str
) -> None:
    page = opened(monitor, f"{real_service}/admin/events/new", viewport)
    title = f"Regatta {moment} {viewport['width']}"
    held: list[Route] = []
    page.route("**/autosave", lambda route: held.append(route))
    hold_pause(page)
    page.locator("#field-title").fill(title)
    choose(page, photo("teal"))
    arrived(page)
    if moment == "during":
        end_pause(page)
        expect(page.locator("[data-save-status]")).to_have_text("Saving…")
    press(page, "Publish")
    for route in held:
        route.continue_()
    expect(page.get_by_text("The event is public.")).to_be_visible()
    here = page.url
    is_settled(page, here)
    page.goto(f"{real_service}/admin/events/new")
    expect(offer(page)).to_be_hidden()
    found = api.get("/events", params={"search": title, "status": "publish,draft"}).json()["events"]
    assert [(event["title"], event["status"], bool(event["image"])) for event in found] == [(title, "publish", True)]


@BOTH
def test_restoring_a_text_keeps_a_picture_that_was_saved_meanwhile(
    monitor: PageMonitor, real_service: str, api: httpx.Client, viewport: dict[str, int]
) -> None:
    event = made(api, "Lecture")
    address = f"{real_service}/admin/events/{event['id']}"
    page = opened(monitor, address, viewport)
    page.locator("#field-title").fill("Lecture of the year")
    page.goto(f"{real_service}/admin")
    picture = api.post("/media", content=photo("red")["buffer"], headers={"Content-Type": "image/jpeg"}).json()
    api.post(f"/events/{event['id']}", json={"image": picture["id"], "cost": "5"})
    page.goto(address)
    offer(page).get_by_role("button", name="Restore them").click()
    expect(page.locator("#field-title")).to_have_value("Lecture of the year")
    press(page, "Update")
    expect(page.get_by_text("The event was saved")).to_be_visible()
    is_settled(page, address)
    saved = api.get(f"/events/{event['id']}").json()
    assert (saved["title"], "5" in saved["cost"]) == ("Lecture of the year", True)
    assert saved["image"]["id"] == picture["id"]


def test_what_both_changed_is_asked_when_it_is_restored(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    event = made(api, "Reading")
    address = f"{real_service}/admin/events/{event['id']}"
    page = opened(monitor, address)
    page.locator("#field-title").fill("Reading, mine")
    page.goto(f"{real_service}/admin")
    api.post(f"/events/{event['id']}", json={"title": "Reading, theirs"})
    page.goto(address)
    offer(page).get_by_role("button", name="Restore them").click()
    press(page, "Update")
    expect(page.get_by_role("heading", name="changed this event while you were editing it")).to_be_visible()
    assert api.get(f"/events/{event['id']}").json()["title"] == "Reading, theirs"


def test_a_second_tab_saves_and_the_first_still_has_what_was_typed_in_it(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    event = made(api, "Walk")
    address = f"{real_service}/admin/events/{event['id']}"
    first = opened(monitor, address)
    second = first.context.new_page()
    second.goto(address)
    second.locator("#field-website").fill("https://walk.example/")
    hold_pause(first)
    first.locator("#field-title").fill("Long walk")
    end_pause(first)
    expect(first.locator("[data-save-status]")).to_have_text("Kept in this browser, not saved yet")
    press(second, "Update")
    expect(second.get_by_text("The event was saved.")).to_be_visible()
    first.goto(f"{real_service}/admin")
    first.goto(address)
    expect(offer(first)).to_be_visible()  # the other tab's save did not remove it
    offer(first).get_by_role("button", name="Restore them").click()
    expect(first.locator("#field-website")).to_have_value("https://walk.example/")
    press(first, "Update")
    expect(first.get_by_text("The event was saved")).to_be_visible()
    saved = api.get(f"/events/{event['id']}").json()
    assert (saved["title"], saved["website"]) == ("Long walk", "https://walk.example/")
    for page in (first, second):
        page.goto(address)
        expect(offer(page)).to_be_hidden()


def test_what_was_typed_outlives_a_session_that_ended(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    event = made(api, "Supper")
    address = f"{real_service}/admin/events/{event['id']}"
    page = opened(monitor, address)
    page.locator("#field-title").fill("Harvest supper")
    page.context.clear_cookies()
    press(page, "Update")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    enter(page.context, real_service, "administrator")
    page.goto(address)
    offer(page).get_by_role("button", name="Restore them").click()
    press(page, "Update")
    expect(page.get_by_text("The event was saved.")).to_be_visible()
    is_settled(page, address)
    assert api.get(f"/events/{event['id']}").json()["title"] == "Harvest supper"


def test_the_last_of_two_pictures_is_taken_and_a_removed_one_does_not_come_back(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    event = made(api, "Parade")
    page = opened(monitor, f"{real_service}/admin/events/{event['id']}")
    stored = library(api)
    slow(page)
    choose(page, photo("olive"))
    expect(page.locator("#field-image progress")).to_be_visible()
    choose(page, photo("white", 200))
    arrived(page)
    press(page, "Update")
    expect(page.get_by_text("The event was saved.")).to_be_visible()
    assert "white" in api.get(f"/events/{event['id']}").json()["image"]["url"]
    assert library(api) == stored + 1
    choose(page, photo("olive"))
    press(page, "Remove the picture")
    with page.expect_navigation():  # the sentence is still there from the save before
        press(page, "Update")
    expect(page.get_by_text("The event was saved.")).to_be_visible()
    assert not api.get(f"/events/{event['id']}").json()["image"]


def test_a_picture_that_was_refused_does_not_let_the_rest_go_without_it(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    event = made(api, "Vigil")
    page = opened(monitor, f"{real_service}/admin/events/{event['id']}")
    page.locator("#field-title").fill("Night vigil")
    held: list[Route] = []
    page.route("**/media", lambda route: held.append(route))
    choose(page, photo())
    press(page, "Update")
    expect(page.locator("[data-save-status]")).to_have_text("Saved as soon as the picture has arrived…")
    held[0].fulfill(status=413, json={"message": "Too large"})
    expect(page.locator("#field-image").get_by_role("alert")).to_contain_text("too large")
    expect(page.locator("[data-save-status]")).to_have_text("Not saved yet")
    assert api.get(f"/events/{event['id']}").json()["title"] == "Vigil"
    page.unroute("**/media")
    press(page, "Update")
    expect(page.get_by_text("The event was saved.")).to_be_visible()


@pytest.mark.parametrize(("kind", "viewport"), [("venues", DESK), ("organizers", PHONE)])
def test_the_picture_of_a_venue_is_stored_once_too(
    monitor: PageMonitor, real_service: str, api: httpx.Client, viewport: dict[str, int], kind: str
) -> None:
    record = api.post(f"/{kind}", json={kind[:-1]: f"Barn {viewport['width']}"}).json()
    stored = library(api)
    page = opened(monitor, f"{real_service}/admin/{kind}/{record['id']}", viewport)
    slow(page)
    choose(page, photo())
    press(page, "Save")
    expect(page.locator(".message")).to_be_visible()
    assert api.get(f"/{kind}/{record['id']}").json()["image"]
    assert library(api) == stored + 1


def test_one_date_and_all_dates_get_the_picture_that_is_still_on_its_way(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    event = made(api, "Tango", recurrence="FREQ=WEEKLY;COUNT=3")
    address = f"{real_service}/admin/events/{event['id']}"
    for scope, pictures in (("This date", 1), ("All dates", 3)):
        stored = library(api)
        page = opened(monitor, address)
        slow(page)
        page.get_by_label(scope, exact=True).first.check()
        choose(page, photo("black" if pictures == 3 else "gray"))
        press(page, "Update")
        expect(page.locator(".message")).to_be_visible()
        is_settled(page, address)
        dates = api.get("/events", params={"series": event["series"]}).json()["events"]
        assert sum(bool(date["image"]) for date in dates) == pictures
        assert library(api) == stored + 1


def test_a_contributor_sends_an_event_with_its_picture_to_review_once(
    monitor: PageMonitor, real_service: str, api: httpx.Client
) -> None:
    stored = library(api)
    page = opened(monitor, f"{real_service}/admin/events/new", PHONE, "contributor")
    slow(page)
    hold_pause(page)
    page.locator("#field-title").fill("Street theatre")
    choose(page, photo("purple"))
    end_pause(page)
    press(page, "Submit for review")
    expect(page.get_by_text("The event was submitted for review.")).to_be_visible()
    is_settled(page, page.url)
    found = api.get("/events", params={"search": "street theatre", "status": "publish,draft,pending"}).json()[
        "events"
    ]
    assert [(event["status"], bool(event["image"])) for event in found] == [("pending", True)]
    assert library(api) == stored + 1
