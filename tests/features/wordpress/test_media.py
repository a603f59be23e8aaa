"""Pictures of the library, as clients of WordPress read and delete them."""

import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.test_media import REFUSED, upload
from tests.conftest import BASE_URL, World

MEDIA = f"{BASE_URL}/wp-json/wp/v2/media"


@pytest.mark.both_stores
@pytest.mark.parametrize("kind", ["events", "venues", "organizers"])
def test_a_picture_that_others_show_stays_theirs(world: World, kind: str) -> None:
    [picture] = upload(AdminClient(world, "author"), "own.png")
    name = {"events": "title", "venues": "venue", "organizers": "organizer"}[kind]
    theirs = world.make(kind, **{name: "Theirs"}, image=picture)["id"]
    refused = world.delete(f"{MEDIA}/{picture}?force=true", "author")
    assert (refused.status_code, REFUSED in refused.text) == (403, True)
    assert world.read(kind, theirs)["image"]["id"] == picture


def test_a_picture_has_its_description(world: World) -> None:
    admin = AdminClient(world, "author")
    [picture] = upload(admin, "harbour")
    world.make("events", who="author", title="Regatta", image=picture)
    admin.post(f"/admin/media/{picture}", {"alt": "Boats in the <b>harbour</b>", "focus": "30% 70%"})
    assert world.get(f"{MEDIA}/{picture}").json()["alt_text"] == "Boats in the harbour"
