"""Pictures from the library: found by the name as it was uploaded, and only by people with the right to use them."""

import re

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World
from tests.pictures import png


def upload(client: AdminClient, name: str, shade: int = 0) -> None:
    client.post("/admin/media", files={"file": (name, png(shade=shade), "image/png")})


def named(client: AdminClient, search: str = "") -> list[str]:
    page = client.get(f"/admin/media/choose?search={search}").text
    return re.findall(r"<bdi>(.*?)</bdi>", page)


@pytest.mark.both_stores
def test_pictures_are_listed_and_found_by_the_name_of_their_file(world: World) -> None:
    editor = AdminClient(world, "editor")
    upload(editor, "Frühling am Fluß 2.PNG", 1)
    upload(editor, "IMG_0001.png", 2)
    assert named(editor) == ["IMG_0001.png", "Frühling am Fluß 2.PNG"]
    assert named(editor, "FRUHLING") == ["Frühling am Fluß 2.PNG"]
    id = re.findall(r'data-choose="(\d+)"', editor.get("/admin/media/choose?search=IMG").text)[0]
    editor.post(f"/admin/media/{id}", {"alt": "Boote im Hafen", "focus": "30% 70%"})
    assert named(editor, "boote") == ["IMG_0001.png"]
    page = editor.get("/admin/media/choose?search=hafen").text
    assert 'data-focus="30% 70%"' in page
    assert "IMG_0001.png" in editor.get("/admin/media?search=hafen").text
    # Also one that came through the interface.
    headers = {"Content-Type": "image/png", "Content-Disposition": "attachment; filename*=UTF-8''Caf%C3%A9.png"}
    assert world.post("/media", who="author", content=png(shade=3), headers=headers).status_code == 201
    assert named(editor, "cafe") == ["Café.png"]


@pytest.mark.parametrize("typed", ["cafe", "CAF%C3%89", "cafe-concert", "concert,cafe", "cafe%20concert", "lete"])
def test_pictures_are_found_by_what_people_type(world: World, typed: str) -> None:
    editor = AdminClient(world, "editor")
    upload(editor, "Café-Concert de l’Été.png")
    upload(editor, "Harbour.png", 40)
    assert named(editor, typed) == ["Café-Concert de l’Été.png"]


def test_contributors_add_pictures_to_their_drafts_and_see_no_others(world: World) -> None:
    editor, contributor = AdminClient(world, "editor"), AdminClient(world, "contributor")
    upload(editor, "secret.png", 1)
    assert named(contributor) == []
    assert "From the library" in contributor.get("/admin/events/new").text
    sent = {"title": "Ball", "start_day": "2027-03-02", "start_time": "19:00", "do": "draft", "image_alt": "Dancers"}
    answer = contributor.post("/admin/events/new", sent, files={"picture": ("own.png", png(shade=2), "image/png")})
    path = answer.headers["Location"].removeprefix(BASE_URL)
    image = world.get(f"/events/{path.rpartition('/')[2]}", who="administrator").json()["image"]
    assert named(contributor) == ["own.png"]
    assert world.client.get(image["url"]).status_code == 404  # a draft's picture is nobody's
    assert world.get(f"/media/{image['id']}", who="other_contributor").status_code == 404
    # Once it is public, they change nothing of it any more.
    editor.post(path, sent | {"image": str(image["id"]), "do": "publish"})
    contributor.post(f"/admin/media/{image['id']}", {"alt": "Something else", "focus": ""}, status=403)
    contributor.post(f"/admin/media/{image['id']}/delete")
    assert world.client.get(image["url"]).status_code == 200
    assert 'data-alt="Dancers"' in editor.get("/admin/media/choose?search=own").text
    AdminClient(world, "subscriber").get("/admin/media/choose", status=403)
