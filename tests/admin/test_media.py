"""The media library of the admin."""

import io
import random
import re
from typing import Any

import pytest
from PIL import Image
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World
from tests.pictures import png

MEDIA = "/admin/media"


def upload(admin: AdminClient, *names: str) -> list[int]:
    files: Any = [("file", (f"{name}.png", png(500, 400, colour="teal"), "image/png")) for name in names]
    admin.post(MEDIA, files=files)
    return ids(admin)


def ids(admin: AdminClient, query: str = "") -> list[int]:
    return [int(id) for id in re.findall(r'name="image" value="(\d+)"', admin.get(f"{MEDIA}{query}").text)]


def test_many_pictures_are_added_found_and_described(world: World) -> None:
    admin = AdminClient(world, "author")
    second, first = upload(admin, "harbour", "market")
    assert ids(admin, "?search=harb") == [first]
    path = f"{MEDIA}/{first}"
    event = world.make("events", who="author", title="Regatta", image=first)
    assert "Regatta" in admin.get(path).text
    assert ids(admin, "?unused=1") == [second]
    admin.post(path, {"alt": "Boats in the <b>harbour</b>", "focus": "30% 70%"})
    assert 'alt="Boats in the harbour"' in world.get(event["url"]).text
    refused = admin.post(path, {"alt": "x" * 1001, "focus": "0% 0%"}, status=400).text
    assert error_beside(refused, "alt")
    assert error_beside(admin.post(path, {"alt": "", "focus": "left"}, status=400).text, "focus")


def test_only_what_is_unused_is_deleted_together(world: World) -> None:
    admin = AdminClient(world, "author")
    unused, used = upload(admin, "one", "two")
    world.make("events", who="author", image=used)
    admin.post(MEDIA, {"action": "delete", "image": [str(unused), str(used), "99999"]})
    assert ids(admin) == [used]
    admin.post(f"{MEDIA}/{used}/delete")
    assert ids(admin) == []


def test_the_logo_of_the_site_is_in_use(world: World) -> None:
    admin = AdminClient(world, "administrator")
    admin.post("/admin/settings/look", {}, files={"logo": ("logo.png", png(500, 400, colour="teal"), "image/png")})
    (logo,) = ids(admin)
    assert ids(admin, "?unused=1") == []
    admin.post(MEDIA, {"action": "delete", "image": [str(logo)]})
    assert ids(admin) == [logo]
    assert "The logo of the site" in admin.get(f"{MEDIA}/{logo}").text
    # Who may not choose the logo may not delete it either.
    AdminClient(world, "editor").post(f"{MEDIA}/{logo}/delete", status=403)
    assert 'class="logo"' in world.client.get(f"{BASE_URL}/events/").text
    admin.post(f"{MEDIA}/{logo}/delete")
    assert 'class="logo"' not in world.client.get(f"{BASE_URL}/events/").text


def test_pictures_of_others_are_out_of_reach(world: World) -> None:
    (id,) = upload(AdminClient(world, "editor"), "secret")
    author = AdminClient(world, "author")
    assert ids(author) == []
    author.get(f"{MEDIA}/{id}", status=404)
    author.post(f"{MEDIA}/{id}", {"alt": "mine", "focus": ""}, status=404)
    author.post(f"{MEDIA}/{id}/delete", status=404)
    author.post(MEDIA, {"action": "delete", "image": str(id)})
    assert ids(AdminClient(world, "editor")) == [id]
    assert ids(AdminClient(world, "contributor")) == []
    AdminClient(world, "subscriber").get(MEDIA, status=403)


def test_files_that_are_no_images_are_named(world: World) -> None:
    admin = AdminClient(world, "author")
    admin.post(
        MEDIA,
        files=[
            ("file", ("note.txt", b"text", "text/plain")),
            ("file", ("a.png", png(500, 400, colour="teal"), "image/png")),
        ],
    )
    assert "note.txt" in admin.get(MEDIA).text
    assert len(ids(admin)) == 1


def test_the_name_of_a_file_has_its_ending_once(world: World) -> None:
    admin = AdminClient(world, "editor")
    upload(admin, "old mill")
    assert re.search(r"/old-mill-[0-9a-f]{8}(-\d+x\d+)?\.png", admin.get(MEDIA).text)


def test_a_picture_larger_than_the_setting_is_refused_in_every_form(make_world: Any) -> None:
    world = make_world(max_image="1KB")
    admin = AdminClient(world, "administrator")
    noise = io.BytesIO()
    Image.frombytes("RGB", (40, 40), random.Random(1).randbytes(4800)).save(noise, "PNG")
    file = ("mill.png", noise.getvalue(), "image/png")
    admin.post(MEDIA, files={"file": file})
    assert "too large" in admin.message()
    when = {"title": "Fair", "start_day": "2027-03-02"}
    assert "too large" in error_beside(
        admin.post("/admin/events/new", when, 400, files={"picture": file}).text, "image"
    )
    look = admin.post("/admin/settings/look", {}, 400, files={"logo": file}).text
    assert "too large" in error_beside(look, "logo")
    assert ids(admin) == []


REFUSED = "Records that you may not edit show this picture"


@pytest.mark.both_stores
@pytest.mark.parametrize("kind", ["events", "venues", "organizers"])
def test_a_picture_that_others_show_stays_theirs(world: World, kind: str) -> None:
    author = AdminClient(world, "author")
    [picture] = upload(author, "own.png")
    name = {"events": "title", "venues": "venue", "organizers": "organizer"}[kind]
    theirs = world.make(kind, **{name: "Theirs"}, image=picture)["id"]
    author.post(f"/admin/media/{picture}/delete")
    assert REFUSED in author.message()
    assert world.read(kind, theirs)["image"]["id"] == picture
    # His own show it no less, and editors may.
    own = world.make(kind, "author", **{name: "Own"}, image=picture)["id"]
    AdminClient(world, "editor").post(f"/admin/media/{picture}/delete")
    assert [world.read(kind, id).get("image", False) for id in (theirs, own)] == [False, False]


def test_an_own_picture_of_own_records_is_deleted(world: World) -> None:
    author = AdminClient(world, "author")
    [picture] = upload(author, "own.png")
    own = world.make("events", "author", image=picture)["id"]
    author.post(f"/admin/media/{picture}/delete")
    assert author.message() == "The picture was deleted."
    assert world.read("events", own)["image"] is False


def test_a_picture_that_a_series_of_others_will_show_stays(world: World) -> None:
    author = AdminClient(world, "author")
    [picture] = upload(author, "own.png")
    first = world.make("events", image=picture, recurrence="FREQ=DAILY;COUNT=2")
    listed = world.get(f"/events?series={first['series']}").json()["events"]
    for one in listed:  # every date has another picture now; later ones would have this one
        world.put(f"/events/{one['id']}", json={"image": ""})
    author.post(f"/admin/media/{picture}/delete")
    assert REFUSED in author.message()
