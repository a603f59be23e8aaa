"""The first days of a calendar: steps with their states, passwords that can be shown, and the way back in."""

import re

from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.calendar import site_settings
from kalends.calendar.access import SERVICE


def steps(html: str) -> dict[str, bool]:
    """Each step of the list, and whether it is done."""
    part = html.partition('aria-labelledby="first-steps"')[2].partition("</section>")[0]
    rows = re.findall(r"<li( class=\"is-done\")?>.*?<div><a[^>]*>(.*?)</a>", part, re.DOTALL)
    return {label: bool(done) for done, label in rows}


def test_the_empty_overview_lists_the_first_steps_with_their_state(world: World) -> None:
    owner = AdminClient(world, "administrator")
    expected = {
        **{"Name and logo": False, "Colours": False, "First event": False},
        **{"People": True, "Embed code": False, "Subscribe": False},  # this world has people
    }
    assert steps(owner.get("/admin").text) == expected
    for role in ("editor", "author", "contributor"):
        assert steps(AdminClient(world, role).get("/admin").text) == {}
        AdminClient(world, role).post("/admin/first-steps", {"step": "embed"}, status=403)

    for path in re.findall(r'<div><a href="([^"#]+)', owner.get("/admin").text):
        owner.get(path)
    with world.calendar.writing(SERVICE) as work:
        site_settings.change(work, {"accent_color": "#205080"})
    world.make("events", title="Fair", start_date="2027-01-01", end_date="2027-01-01")
    owner.post("/admin/first-steps", {"step": "embed"})
    owner.post("/admin/first-steps", {"step": "nothing such"})
    done = steps(owner.get("/admin").text)
    assert done == expected | {"Colours": True, "First event": True, "Embed code": True}
    assert "Your calendar is empty" not in owner.get("/admin").text

    owner.post("/admin/first-steps", {"step": ""})
    assert steps(owner.get("/admin").text) == {}


def test_later_the_list_is_not_in_the_way(world: World) -> None:
    for number in range(5):
        world.make("events", title=f"Fair {number}", start_date="2027-01-01", end_date="2027-01-01")
    assert steps(AdminClient(world, "administrator").get("/admin").text) == {}


def test_a_password_can_be_shown_and_a_sole_administrator_reads_the_way_in(world: World) -> None:
    html = AdminClient(world).get("/admin/sign-in").text
    assert re.search(r'<button type="button"[^>]*data-show-password="field-password"[^>]*>Show</button>', html)
    assert "kalends user passwd" in html
    own = AdminClient(world, "author").get("/admin/profile").text
    assert own.count("data-show-password=") == own.count('type="password"') > 1
