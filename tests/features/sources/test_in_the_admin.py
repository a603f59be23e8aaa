"""The screens of sources: list, preview, state, last reads, pause, read now, undo, remove."""

import re

from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.sources.calendars import Elsewhere, add, elsewhere, entry, events, read, run, titles

PATH = "/admin/sources"
FORM = {"name": "The town", "every": "1h", "publish": "at_once", "when_gone": "trash", "back": "1", "ahead": "12"}


def test_a_preview_and_then_the_source(world: World, remote: Elsewhere) -> None:
    admin = AdminClient(world, "administrator")
    assert "There are no sources yet." in admin.get(PATH).text
    remote.show(entry("1@town", "20270310T190000", "Brass band"), entry("2@town", "20270311T190000", "Choir"))
    page = admin.post(f"{PATH}/new", FORM | {"address": remote.url, "do": "preview"}, status=200).text
    assert "Brass band" in page
    assert "Choir" in page
    assert titles(world) == []
    assert world.get("/sources", "administrator").json()["total"] == 0
    admin.post(f"{PATH}/new", FORM | {"address": remote.url, "do": "add", "images": "1"})
    assert titles(world) == ["Brass band", "Choir"]
    (made,) = world.get("/sources", "administrator").json()["sources"]
    assert (made["name"], made["images"], made["every"]) == ("The town", True, "1h")
    assert "The town" in admin.get(PATH).text


def test_a_preview_of_what_is_no_calendar(world: World, remote: Elsewhere) -> None:
    remote.body, remote.content_type = b"<!doctype html><html><body>Sign in</body></html>", "text/html"
    admin = AdminClient(world, "administrator")
    page = admin.post(f"{PATH}/new", FORM | {"address": remote.url, "do": "preview"}, status=200).text
    assert "no events were found" in page


def test_what_is_wrong_stands_beside_the_field(world: World) -> None:
    admin = AdminClient(world, "administrator")
    page = admin.post(f"{PATH}/new", FORM | {"address": "nonsense", "do": "add"}, status=400).text
    assert 'id="error-address"' in page
    assert 'value="nonsense"' in page


def test_state_pause_and_read_now(world: World, remote: Elsewhere) -> None:
    remote.status = 500
    made, admin = add(world, remote, name="The town"), AdminClient(world, "administrator")
    run(world)
    for path in (PATH, f"{PATH}/{made['id']}"):
        assert "answers with status 500" in admin.get(path).text
    remote.status = 200
    remote.show(entry("1@town", "20270310T190000", "Brass band"))
    admin.post(f"{PATH}/{made['id']}/read", {})
    page = admin.get(f"{PATH}/{made['id']}").text
    assert "status 500" in page  # among the last reads
    assert "Brass band" in page
    admin.post(f"{PATH}/{made['id']}/switch", {"active": "0"})
    assert "Paused" in admin.get(PATH).text
    admin.post(f"{PATH}/{made['id']}/switch", {"active": "1"})
    admin.post(f"{PATH}/{made['id']}", FORM | {"address": remote.url, "every": "1d", "take": "brass, choir"})
    found = world.get(f"/sources/{made['id']}", "administrator").json()
    assert (found["every"], found["take"]) == ("1d", ["brass", "choir"])
    admin.post(f"{PATH}/{made['id']}/remove", {})
    assert titles(world) == ["Brass band"]


def test_a_login_is_kept_unless_it_is_written(world: World, remote: Elsewhere) -> None:
    made = add(world, remote, login={"user": "reader", "password": "very secret"})
    admin = AdminClient(world, "administrator")
    page = admin.get(f"{PATH}/{made['id']}").text
    assert "very secret" not in page
    assert "There is one. It is not shown." in page
    admin.post(f"{PATH}/{made['id']}", FORM | {"address": remote.url})
    assert world.get(f"/sources/{made['id']}", "administrator").json()["has_login"] is True
    admin.post(f"{PATH}/{made['id']}", FORM | {"address": remote.url, "no_login": "1"})
    assert world.get(f"/sources/{made['id']}", "administrator").json()["has_login"] is False


def test_undo_a_read(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000", "Brass band"))
    made, admin = add(world, remote), AdminClient(world, "administrator")
    read(world, made)
    world.clock.move(minutes=5)
    remote.show(entry("1@town", "20270310T200000", "Brass band"), entry("2@town", "20270311T190000", "Choir"))
    read(world, made)
    number = re.search(r'name="run" value="([0-9]+)"', admin.get(f"{PATH}/{made['id']}").text)
    assert number is not None
    response = admin.post(f"{PATH}/{made['id']}/undo", {"run": number[1]})
    assert world.get(f"/sources/{made['id']}", "administrator").json()["active"] is False
    where = response.headers["Location"]
    assert "/admin/import/undo/" in where
    admin.post(where[where.index("/admin/") :], {})
    run(world)
    assert [(one["title"], one["start_date"]) for one in events(world)] == [("Brass band", "2027-03-10 19:00:00")]
    world.put(f"/sources/{made['id']}", json={"active": True})
    run(world)
    assert titles(world) == ["Brass band", "Choir"]


def test_only_administrators(world: World) -> None:
    editor = AdminClient(world, "editor")
    assert editor.get(PATH, status=403).status_code == 403
    assert "/admin/sources" not in editor.get("/admin").text


def test_what_fails_is_listed_first(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000"))
    add(world, remote, name="Alpha")
    with elsewhere() as broken:
        broken.status = 500
        add(world, broken, name="Omega")
        run(world)
    page = AdminClient(world, "administrator").get(PATH).text
    assert page.index("Omega") < page.index("Alpha")


def test_what_its_events_have_besides_is_entered_by_name(world: World, remote: Elsewhere) -> None:
    hall, band = world.make("venues", venue="Town Hall"), world.make("organizers", organizer="The band")
    for name in ("Music", "Free"):
        world.make("tags", name=name)
    author = world.ids["author"]
    admin = AdminClient(world, "administrator")
    given = {"tags": "free, Music", "venue": "town hall", "organizer": "The band", "author": str(author)}
    remote.show(entry("1@town", "20270310T190000"))
    page = admin.post(f"{PATH}/new", FORM | given | {"address": remote.url, "do": "preview"}, status=200).text
    assert 'value="free, Music"' in page
    admin.post(f"{PATH}/new", FORM | given | {"address": remote.url, "do": "add"})
    (made,) = world.get("/sources", "administrator").json()["sources"]
    assert (made["venue"], made["organizer"], made["author"]) == (hall["id"], band["id"], author)
    (event,) = events(world)
    assert [one["name"] for one in event["tags"]] == ["Free", "Music"]
    assert (event["venue"]["venue"], event["organizer"][0]["organizer"]) == ("Town Hall", "The band")
    assert int(event["author"]) == author
    page = admin.get(f"{PATH}/{made['id']}").text
    assert 'value="Town Hall"' in page
    page = admin.post(f"{PATH}/{made['id']}", FORM | {"address": remote.url, "venue": "Elsewhere"}, status=400).text
    assert "There is none with the name “Elsewhere”." in page
    admin.post(f"{PATH}/{made['id']}", FORM | {"address": remote.url, "venue": "", "tags": "Music"})
    changed = world.get(f"/sources/{made['id']}", "administrator").json()
    assert (changed["venue"], len(changed["tags"]), changed["organizer"]) == (0, 1, band["id"])


def test_what_is_held_stands_on_the_page_of_its_source(world: World, remote: Elsewhere) -> None:
    remote.show(
        entry("1@town", "20270310T190000", "Choir", RRULE="FREQ=WEEKLY;COUNT=3"),
        entry("2@town", "20270311T190000", "Fair"),
    )
    made = add(world, remote, publish="review")
    read(world, made)
    page = AdminClient(world, "administrator").get(f"{PATH}/{made['id']}").text
    held = page[page.index('id="held"') :]
    assert re.findall(r"<bdi>(Choir|Fair)</bdi></a>", held[: held.index("</section>")]) == ["Choir", "Fair"]
