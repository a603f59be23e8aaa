"""The builder of the code that embeds the calendar: narrowed to a venue, an organizer, a category or a tag."""

import html

from tests.admin.admin_client import AdminClient
from tests.conftest import World

SHARE = "/admin/settings/share"


def test_the_code_is_narrowed_by_what_an_event_is_linked_to(world: World) -> None:
    venue = world.make("venues", venue="Green")["id"]
    organizer = world.make("organizers", organizer="Choir")["id"]
    world.make("events", title="Fair", venue=venue, organizer=organizer, tags=["outdoor"])
    chosen = f"venue={venue}&organizer={organizer}&tag=outdoor"
    page = html.unescape(AdminClient(world, "editor").get(f"{SHARE}?{chosen}").text)
    for attribute in (f'venue="{venue}"', f'organizer="{organizer}"', 'tag="outdoor"'):
        assert attribute in page
    assert ">Green</option>" in page
    assert world.get(f"/events?venue={venue}&organizer={organizer}&tags=outdoor").json()["total"] == 1


def test_editors_find_it_below_the_table_and_see_no_settings(world: World) -> None:
    world.make("events", title="Fair")
    editor = AdminClient(world, "editor")
    assert SHARE in editor.get("/admin/events?when=all").text
    assert "/admin/settings/background" not in editor.get(SHARE).text
    assert SHARE not in AdminClient(world, "author").get("/admin/events?when=all").text
