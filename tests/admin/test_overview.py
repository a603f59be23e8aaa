"""The overview: what is on, what waits, and where its links lead."""

import re

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World


@pytest.mark.parametrize("who", ["contributor", "author", "editor"])
def test_every_link_leads_to_a_page_that_the_person_may_see(world: World, who: str) -> None:
    for author in ("administrator", "author"):
        for day in ("2026-11-16", "2027-03-01"):
            world.make("events", who=author, title=f"Fair of {author}", start_date=day, end_date=day)
    world.make("events", who=who, title="Draft", status="draft")
    admin = AdminClient(world, who)
    paths = set(re.findall(r'<a href="([^"]*)"><bdi>', admin.get("/admin").text))
    assert len(paths) == 5
    for path in paths:
        admin.get(path)
    assert (
        sum(path.startswith("/admin/events/") for path in paths) == {"contributor": 1, "author": 3, "editor": 5}[who]
    )


def test_a_published_event_of_a_contributor_is_shown_and_not_moved(world: World) -> None:
    made = world.make("events", who="contributor", title="Fair", start_date="2026-11-16", end_date="2026-11-16")
    world.put(f"/events/{made['id']}", json={"status": "publish"})
    admin = AdminClient(world, "contributor")
    for path in ("/admin/events", "/admin/events/month"):
        page = admin.get(path).text
        assert 'href="/event/fair/"' in page
        assert f'"/admin/events/{made["id"]}' not in page


def test_a_scheduled_event_of_a_contributor_leads_nowhere_yet(world: World) -> None:
    """Its author may no longer edit it, and nobody sees its page before the day of its publication."""
    made = world.make("events", who="contributor", title="Soon", status="pending", start_date="2026-11-20 19:00:00")
    world.put(f"/events/{made['id']}", json={"status": "future", "date": "2026-11-18 12:00:00"})
    admin = AdminClient(world, "contributor")
    for path in ("/admin", "/admin/events", "/admin/events/month"):
        html = admin.get(path).text
        assert "<bdi>Soon</bdi>" in html, path
        for link in re.findall(r'<a href="([^"]*)">(?:<small>[^<]*</small> )?<bdi>Soon', html):
            admin.get(link)
