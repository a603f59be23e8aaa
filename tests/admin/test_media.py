"""The media library of the admin."""

import io
import random
import re
from typing import Any

from PIL import Image
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World

MEDIA = "/admin/media"


def png(colour: str = "teal") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (500, 400), colour).save(file, "PNG")
    return file.getvalue()


def upload(admin: AdminClient, *names: str) -> list[int]:
    files: Any = [("file", (f"{name}.png", png(), "image/png")) for name in names]
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
    assert world.get(f"{BASE_URL}/wp-json/wp/v2/media/{first}").json()["alt_text"] == "Boats in the harbour"
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
    admin.post("/admin/settings/look", {}, files={"logo": ("logo.png", png(), "image/png")})
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
    AdminClient(world, "contributor").get(MEDIA, status=403)


def test_files_that_are_no_images_are_named(world: World) -> None:
    admin = AdminClient(world, "author")
    admin.post(MEDIA, files=[("file", ("note.txt", b"text", "text/plain")), ("file", ("a.png", png(), "image/png"))])
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
