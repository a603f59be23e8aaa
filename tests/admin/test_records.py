"""Venues, organizers, categories and tags in the admin: lists, forms, and two records made into one."""

import re

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World

from kalends.admin.records import record_list

NAMES = {"venues": "venue", "organizers": "organizer", "categories": "name", "tags": "name"}


def names(page: str) -> list[str]:
    return re.findall(r'<th scope="row"[^>]*>(?:<svg.*?</svg>)?<a[^>]*><bdi>(.*?)</bdi>', page)


@pytest.mark.parametrize("plural", NAMES)
def test_a_record_is_added_changed_and_deleted(world: World, plural: str) -> None:
    admin = AdminClient(world, "editor")
    path = f"/admin/{plural}"
    admin.post(f"{path}/new", {NAMES[plural]: "Old mill", "description": "By the river"})
    found = world.get(f"/{plural}?hide_empty=false").json()[plural]
    assert [record[NAMES[plural]] for record in found] == ["Old mill"]
    id = found[0]["id"]
    assert names(admin.get(path).text) == ["Old mill"]
    assert names(admin.get(f"{path}?search=mill").text) == ["Old mill"]
    assert names(admin.get(f"{path}?unused=1").text) == ["Old mill"]
    assert "By the river" in admin.get(f"{path}/{id}").text
    admin.post(f"{path}/{id}", {NAMES[plural]: "New mill"})
    assert names(admin.get(path).text) == ["New mill"]
    assert error_beside(admin.post(f"{path}/{id}", {NAMES[plural]: " "}, status=400).text, NAMES[plural])
    admin.post(f"{path}/{id}/delete")
    assert names(admin.get(path).text) == []


@pytest.mark.both_stores
def test_venues_and_organizers_are_listed_by_name(world: World) -> None:
    admin = AdminClient(world, "editor")
    for plural in ("venues", "organizers"):
        for name in ("Town hall", "abbey", "Éire hall", "Mill"):
            world.make(plural, **{NAMES[plural]: name})
        for query in ("", "?unused=1"):
            assert names(admin.get(f"/admin/{plural}{query}").text) == ["abbey", "Éire hall", "Mill", "Town hall"]
        assert names(admin.get(f"/admin/{plural}?search=hall").text) == ["Éire hall", "Town hall"]


def test_everything_of_a_venue_is_in_its_form(world: World) -> None:
    made = world.make("venues", venue="Hall", city="Cork", geo_lat=51.9, geo_lng=-8.4, phone="1", state="Munster")
    admin = AdminClient(world, "editor")
    page = admin.get(f"/admin/venues/{made['id']}").text
    sent = dict(re.findall(r'<input id="field-\w+" name="(\w+)"[^>]*value="([^"]*)"', page))
    assert (sent["city"], sent["geo_lat"], sent["stateprovince"]) == ("Cork", "51.9", "Munster")
    admin.post(f"/admin/venues/{made['id']}", sent | {"geo_lat": "", "geo_lng": "", "description": ""})
    changed = world.get(f"/venues/{made['id']}").json()
    assert (changed.get("geo_lat"), changed["city"]) == (None, "Cork")


@pytest.mark.parametrize("plural", NAMES)
def test_merged_records_have_all_events_and_the_old_address_leads_on(world: World, plural: str) -> None:
    one, two = (world.make(plural, **{NAMES[plural]: name}) for name in ("Town hall", "The town hall"))
    field = {"venues": "venue", "organizers": "organizer"}.get(plural, plural)
    events = [world.make("events", **{field: [record["id"]]})["id"] for record in (one, two)]
    both = world.make("events", **{field: [one["id"], two["id"]]})["id"]
    path = {"venues": "venue", "organizers": "organizer", "categories": "events/category", "tags": "events/tag"}[
        plural
    ]
    slugs = [record["slug"] for record in (one, two)]
    AdminClient(world, "editor").post(f"/admin/{plural}/merge", {"id": str(one["id"]), "into": str(two["id"])})
    for id in (*events, both):
        linked = world.get(f"/events/{id}").json()[field]
        linked = linked if isinstance(linked, list) else [linked]
        assert [record["id"] for record in linked] == [two["id"]]
    moved = world.get(f"{BASE_URL}/{path}/{slugs[0]}/")
    assert (moved.status_code, moved.headers["Location"]) == (301, f"/{path}/{slugs[1]}/")
    assert world.get(f"{BASE_URL}/{path}/{slugs[1]}/").status_code == 200


def test_merging_needs_the_right_to_edit_others(world: World) -> None:
    one, two = (world.make("venues", who="author", venue=name) for name in ("Hall", "The hall"))
    AdminClient(world, "author").post(
        "/admin/venues/merge", {"id": str(one["id"]), "into": str(two["id"])}, status=403
    )
    assert world.get(f"/venues/{one['id']}").json()["status"] == "publish"


def test_a_category_is_not_merged_into_one_below_it(world: World) -> None:
    top = world.make("categories", name="Music")["id"]
    below = world.make("categories", name="Jazz", parent=top)["id"]
    admin = AdminClient(world, "editor")
    admin.post("/admin/categories/merge", {"id": str(top), "into": str(below)}, 400)
    admin.post("/admin/categories/merge", {"id": str(top), "into": str(top)}, 400)
    assert world.get(f"/categories/{top}").status_code == 200
    other = world.make("categories", name="Sounds")["id"]
    admin.post("/admin/categories/merge", {"id": str(top), "into": str(other)})
    assert world.get(f"/categories/{below}").json()["parent"] == other


def test_a_new_slug_leaves_a_redirect_that_tells_nothing_of_drafts(world: World) -> None:
    made = world.make("events", title="Fair", slug="fair")
    world.post(f"/events/{made['id']}", json={"slug": "autumn-fair"})
    moved = world.get(f"{BASE_URL}/event/fair/")
    assert (moved.status_code, moved.headers["Location"]) == (301, "/event/autumn-fair/")
    world.post(f"/events/{made['id']}", json={"status": "draft"})
    assert world.get(f"{BASE_URL}/event/fair/").status_code == 404
    other = world.make("events", title="Fair", slug="fair")
    assert world.get(f"{BASE_URL}/event/fair/").status_code == 200
    assert other["slug"] == "fair"


@pytest.mark.parametrize(
    ("who", "allowed"),
    [
        ("subscriber", ()),
        ("contributor", ("venues", "organizers")),
        ("author", ("venues", "organizers", "categories")),
    ],
)
def test_screens_follow_the_rights(world: World, who: str, allowed: tuple[str, ...]) -> None:
    admin = AdminClient(world, who)
    for plural in NAMES:
        expected = 200 if plural in allowed else 403
        admin.get(f"/admin/{plural}", status=expected)
        admin.get(f"/admin/{plural}/new", status=expected)
        assert (f'href="/admin/{plural}"' in admin.get("/admin/profile").text) == (plural in allowed)


@pytest.mark.parametrize("number", ["²", "0", "-1", "9" * 30, "x"])
def test_a_page_that_there_is_not_is_no_error(world: World, number: str) -> None:
    """`²` is a digit to Python and no number."""
    for path in ("venues", "tags", "media", "events"):
        assert AdminClient(world, "editor").client.get(f"{BASE_URL}/admin/{path}?page={number}").status_code in (
            200,
            303,
        )


def test_the_form_of_a_new_category_suggests_a_colour(world: World) -> None:
    """A browser has no empty colour: it would show black, and send that."""
    admin = AdminClient(world, "editor")
    suggested = []
    for name in ("Music", "Sports"):
        found = re.search(
            r'name="color" type="color" value="(#[0-9a-f]{6})"', admin.get("/admin/categories/new").text
        )
        assert found
        suggested.append(found[1])
        admin.post("/admin/categories/new", {"name": name, "color": found[1]})
    assert len({*suggested, "#000000"}) == 3


def test_what_is_used_nowhere_has_no_empty_pages(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_list, "PER_PAGE", 2)
    for name in ("late", "loud", "free"):
        world.make("events", title=name, tags=[name])
    world.make("tags", name="rare")
    page = AdminClient(world, "editor").get("/admin/tags?unused=1").text
    assert names(page) == ["rare"]
    assert "page=2" not in page
