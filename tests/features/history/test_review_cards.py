"""What the card of a review tells from history."""

import re

from tests.admin.admin_client import AdminClient
from tests.admin.test_review_cards import DAY
from tests.conftest import World


def test_a_card_tells_what_differs_from_what_was_public(world: World) -> None:
    made = world.make("events", "author", title="Fair", description="<p>Old words</p>", status="publish", **DAY)
    world.put(f"/events/{made['id']}", json={"title": "Market", "status": "draft"})
    world.put(f"/events/{made['id']}", json={"description": "<p>New words</p>", "cost": "5"})
    world.put(f"/events/{made['id']}", json={"cost": "", "status": "pending"})
    html = AdminClient(world, "editor").get("/admin/review").text
    told = re.findall(r"<th scope=\"row\">(.*?)</th>.*?<del>(.*?)</del>.*?<ins>(.*?)</ins>", html)
    assert ("Title", "Fair", "Market") in told
    assert ("Description", "Old words", "New words") in told
    assert not [one for one in told if one[0] in ("Price", "Status")]  # as it was
