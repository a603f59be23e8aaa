"""The card of a review shows what was mended since the event was sent back."""

from tests.admin.admin_client import AdminClient
from tests.admin.test_review_conversation import decide, submitted
from tests.conftest import World


def test_the_card_shows_what_was_mended(world: World) -> None:
    event = submitted(world, cost="5", website="https://fair.example/")
    assert "was sent back" in decide(world, event, "send_back", note="Please add the place.")
    world.put(f"/events/{event}", who="contributor", json={"title": "Spring fair", "status": "pending"})
    page = AdminClient(world, "editor").get("/admin/review").text
    for told in ("Mended since it was sent back", "<del>Fair</del>", "<ins>Spring fair</ins>"):
        assert told in page, told
