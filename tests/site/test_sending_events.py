"""The way to the public form for events: offered by the pages of the calendar while the form is open."""

import pytest
from tests.admin.admin_client import AdminClient
from tests.site.calendar_html import Element, Reader, World, event

PAGES = (
    "/events/month/2026-11/",
    "/events/week/2026-W47/",
    "/events/day/2026-11-16/",
    "/events/list/",
    "/events/list/?search=nothing-like-this",
)
SENTENCE = "Send us an event"


@pytest.fixture
def owner(world: World) -> AdminClient:
    event(world, "Chess", "2026-11-16 19:00")
    return AdminClient(world, "administrator")


def offers(page: Element) -> tuple[list[str], list[str]]:
    """The links beside those to subscribe: below the events, and in the footer."""
    parts = (page.one("p", "actions"), page.one("footer"))
    above, below = ([a.attributes["href"] for a in part.all("a") if a.text == SENTENCE] for part in parts)
    return above, below


def test_pages_offer_the_form_while_it_is_open_on_every_node(world: World, owner: AdminClient) -> None:
    nodes = (world.client, world.neighbour())

    def offered() -> list[tuple[list[str], list[str]]]:
        found = []
        for node in nodes:
            for path in PAGES:
                # The second one is a kept response.
                found += [offers(Reader(node.get(path).text).page) for _ in range(2)]
        return found

    closed, opened = ([], []), (["/submit"], ["/submit"])
    assert offered() == [closed] * 20
    owner.post("/admin/settings/submissions", {"submissions": "true"})
    assert offered() == [opened] * 20
    assert nodes[1].get("/submit").status_code == 200
    owner.post("/admin/settings/submissions", {})
    assert offered() == [closed] * 20


def test_the_form_opens_in_the_language_that_was_asked_for(world: World, owner: AdminClient) -> None:
    owner.post("/admin/settings/submissions", {"submissions": "true"})
    page = Reader(world.client.get("/events/list/?lang=de").text).page
    (link,) = [a for a in page.one("p", "actions").all("a") if a.attributes["href"].startswith("/submit")]
    assert link.attributes["href"] == "/submit?lang=de"
    assert link.text == Reader(world.client.get("/submit?lang=de").text).page.one("h1").text != SENTENCE
