"""The pages of following and of forgotten passwords, and behind every link of a message: valid and accessible."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import msgspec
import pytest
from playwright.sync_api import Browser, Route
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, PASSWORD, World, client_of
from tests.effort import dealt
from tests.product.test_admin_screens import too_wide
from tests.site.test_accessibility import APPEARANCES, axe, violations
from tests.site.test_valid_html import READ, problems_in, write
from tests.site.validators import in_language

__all__ = ["axe"]  # a fixture

ANNA = "anna.with-a-rather-long-address-that-fits-on-no-phone@a-long-name-of-a-host.example.org"
Pages = Mapping[str, tuple[httpx.Response, int]]
KEPT = f"{BASE_URL}/kept/"


@pytest.fixture
def mailing(make_world: Any) -> World:
    """Mail is set up, and nothing is sent: what messages say is in the store."""
    found: World = make_world(mail_server="smtp://127.0.0.1:9", base_url=BASE_URL)
    return found


def pages_of(world: World, language: str) -> Pages:
    """Every page with the status that it should have, in the order in which somebody meets them."""
    client, name = client_of(world.front), f"{language}.{ANNA}"

    def get(path: str) -> httpx.Response:
        return client.get(BASE_URL + in_language(path, language))

    def post(path: str, **data: str) -> httpx.Response:
        return client.post(BASE_URL + in_language(path, language), data=data)

    def linked(kind: str, address: str = name) -> str:
        with world.calendar.store.read() as session:
            facts = session.column("SELECT facts FROM mail WHERE kind = ? AND address = ?", (kind, address))
        return str(msgspec.json.decode(facts[-1])["path"])

    start = world.clock.now + timedelta(hours=40)
    dates = {"start_date": f"{start}", "end_date": f"{start + timedelta(hours=1)}"}
    event = world.make("events", title="A concert", **dates)["id"]
    found = {
        "follow": (get("/follow"), 200),
        "follow a filter": (get("/follow?search=concert"), 200),
        "follow an event": (get(f"/follow?event={event}"), 200),
        "no address": (post("/follow", address="nothing", rhythm="daily"), 400),
        "asked": (post("/follow", address=name, rhythm="daily"), 200),
    }
    confirm = linked("follow_confirm")
    found["confirm"] = (get(confirm), 200)
    found["confirmed"] = (post(confirm), 200)
    world.clock.move(days=1, minutes=1)
    world.calendar.background.run_due()
    with world.calendar.store.read() as session:
        facts = session.column("SELECT facts FROM mail WHERE kind = 'digest' AND address = ?", (name,))[-1]
    end = str(msgspec.json.decode(facts)["end"])
    found["end"] = (get(end), 200)
    found["ended"] = (post(end), 200)
    found["gone"] = (get(end), 404)
    found["forgotten"] = (get("/admin/forgotten"), 200)
    found["forgotten without a name"] = (post("/admin/forgotten", name=""), 400)
    found["forgotten asked"] = (post("/admin/forgotten", name="author"), 200)
    author = AdminClient(world, "author")
    author.post("/admin/profile/address", {"email": name, "address_password": PASSWORD})
    address = linked("address_confirm")
    found["address"] = (get(address), 200)
    key = unquote(address.partition("key=")[2])
    found["address confirmed"] = (post("/admin/address", key=key), 200)
    found["address gone"] = (get(address), 404)
    found["link gone"] = (get("/admin/link?key=none"), 404)
    found["profile"] = (author.client.get(BASE_URL + in_language("/admin/profile", language)), 200)
    return found


def test_they_are_valid_html(mailing: World, tmp_path: Path) -> None:
    for language in READ:
        for name, (answer, status) in pages_of(mailing, language).items():
            write(tmp_path / f"{name} {language}.html", answer, status)
    assert problems_in(tmp_path) == []


def answering(world: World, pages: Pages) -> Callable[[Route], None]:
    """Gives a browser the pages that were kept, and style sheets and scripts of the calendar."""
    get = cache(client_of(world.front).get)

    def answer(route: Route) -> None:
        url = route.request.url
        found = pages[unquote(url.removeprefix(KEPT))][0] if url.startswith(KEPT) else get(url)
        route.fulfill(status=200, content_type=found.headers["Content-Type"], body=found.content)

    return answer


def test_they_have_no_axe_violations_and_fit(browser: Browser, mailing: World, axe: str) -> None:
    problems = dict[tuple[str, str], list[str]]()
    kept = {language: pages_of(mailing, language) for language in ("en", "ar")}
    for appearance, (language, options) in APPEARANCES.items():
        context = browser.new_context(**options)
        context.add_init_script(axe)
        context.route("**/*", answering(mailing, kept[language]))
        page = context.new_page()
        for name in dealt(kept[language], appearance, [*APPEARANCES]):
            page.goto(KEPT + name)
            problems[appearance, name] = violations(page, appearance) + too_wide(page)
        context.close()
    assert {where: found for where, found in problems.items() if found} == {}
