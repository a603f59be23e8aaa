"""Images: upload, by id, by our own address, by address elsewhere, and who sees their bytes."""

import io

import pytest
from PIL import Image

from kalends.calendar import single_records
from kalends.calendar.images import image_store
from kalends.calendar.images.image_files import DistantFiles
from kalends.calendar.images.processing import read_picture
from kalends.contract.kinds import POSTS

PNG = {"Content-Type": "image/png"}
PICTURE = "https://pictures.test/a.png"
SIZES = {"medium": (300, 225), "medium_large": (768, 576), "large": (1024, 768), "thumbnail": (150, 150)}
KINDS = pytest.mark.parametrize("kind", POSTS, ids=lambda kind: kind.name)


def upload(world, data, who="administrator", **more):
    return world.post("/media", who, content=data, headers=PNG, **more)


@pytest.fixture
def world(make_world, media):
    """A calendar with its images in a folder, and one with its images in a bucket: they behave the same."""
    return make_world(**media)


def files(world):
    """All that is kept."""
    if isinstance(world.calendar.files, DistantFiles):
        bucket = world.calendar.files._files
        return [item["Key"] for item in bucket._client.list_objects_v2(Bucket=bucket._bucket).get("Contents", [])]
    root = world.calendar.files._root
    return sorted(path for path in root.rglob("*") if path.is_file()) if root.exists() else []


def stored(world):
    with world.calendar.store.read() as session:
        return session.value("SELECT count(*) FROM media")


def in_format(name, **more):
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(out, name, **more)
    return out.getvalue()


def test_an_upload_answers_201_with_the_image_and_its_location(world, make_png):
    data = make_png(1200, 900)
    for number, response in enumerate((
        upload(world, data),
        world.post("/media", files={"file": ("My Probe.png", data, "image/png")}, data={"title": "ignored"}),
    )):  # fmt: skip
        assert response.status_code == 201, response.text
        image = response.json()
        assert list(image) == ["url", "id", "extension", "width", "height", "filesize", "sizes"]
        assert (image["extension"], image["width"], image["height"]) == ("png", 1200, 900)
        assert image["url"].startswith("http://calendar.test/media/2026/11/" + ("my-probe" if number else ""))
        assert response.headers["Location"] == f"{world.ns}/media/{image['id']}"
        assert world.get(response.headers["Location"], "administrator").json() == image
        read = world.get(image["url"], "administrator")
        assert (read.headers["Content-Type"], len(read.content)) == ("image/png", image["filesize"])


def test_an_image_has_the_sizes_smaller_than_itself(world, make_png):
    sizes = upload(world, make_png(1200, 900)).json()["sizes"]
    assert {name: (size["width"], size["height"]) for name, size in sizes.items()} == SIZES
    for size in sizes.values():
        assert list(size) == ["width", "height", "mime-type", "filesize", "url"]
        read = world.get(size["url"], "administrator")
        assert (len(read.content), read.headers["Content-Type"]) == (size["filesize"], size["mime-type"])
        assert Image.open(io.BytesIO(read.content)).size == (size["width"], size["height"])
    assert set(upload(world, make_png(400, 100)).json()["sizes"]) == {"medium", "thumbnail"}
    assert "sizes" not in upload(world, make_png(20, 10)).json()


def test_a_portrait_of_which_two_sizes_are_one(world, make_png):
    response = upload(world, make_png(1536, 2048))
    assert response.status_code == 201, response.text
    sizes = response.json()["sizes"]
    assert sizes["large"] == sizes["medium_large"]
    assert (sizes["large"]["width"], sizes["large"]["height"]) == (768, 1024)
    assert len(world.get(sizes["large"]["url"], "administrator").content) == sizes["large"]["filesize"]
    assert len(files(world)) == 4


@pytest.mark.parametrize(
    ("name", "extension"), [("PNG", "png"), ("JPEG", "jpg"), ("GIF", "gif"), ("WEBP", "webp"), ("AVIF", "avif")]
)
def test_the_five_formats_are_taken_whatever_type_was_declared(world, name, extension):
    image = upload(world, in_format(name))
    assert image.status_code == 201
    assert image.json()["extension"] in (extension, "jpeg")


@pytest.mark.parametrize(
    ("who", "status"),
    [("anonymous", 401), ("subscriber", 403), ("contributor", 201), ("author", 201), ("editor", 201)],
)
def test_who_may_upload(world, make_png, who, status):
    response = upload(world, make_png(), who)
    assert response.status_code == status
    if status != 201:
        assert response.json()["code"] == "rest_forbidden"
        assert files(world) == []


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>'
NOT_IMAGES = [
    b"",
    b"GIF89a",
    b"hello",
    SVG,
    b"\x89PNG\r\n\x1a\n" + b"\x00" * 50,
    b"<html><img></html>",
    b"\xff\xd8\xff\xe0" * 9,
]


@pytest.mark.parametrize("data", NOT_IMAGES, ids=lambda data: repr(data[:12]))
def test_what_is_no_image_is_415_and_leaves_nothing(world, data):
    count = world.count()
    for response in (
        upload(world, data),
        world.post("/media", files={"file": ("a.png", data, "image/png")}),
        world.post("/media", content=data, headers={"Content-Type": "image/svg+xml"}),
    ):
        assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")
    assert (world.count(), files(world), stored(world)) == (count, [], 0)


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", None])
def test_another_media_type_is_415(world, make_png, content_type):
    headers = {"Content-Type": content_type} if content_type else {}
    assert world.post("/media", content=make_png(), headers=headers).status_code == 415


def test_a_form_without_the_part_file_is_400(world, make_png):
    response = world.post("/media", files={"picture": ("a.png", make_png(), "image/png")})
    assert (response.status_code, response.json()["code"]) == (400, "rest_missing_callback_param")
    assert response.json()["data"]["params"] == ["file"]


def test_an_image_over_the_limit_is_413(make_world, make_png):
    world = make_world(max_image="1KB")
    big = make_png(400, 300)
    padded = big + b"\x00" * 2000
    for response in (upload(world, padded), world.post("/media", files={"file": ("a.png", padded, "image/png")})):
        assert (response.status_code, response.json()["code"]) == (413, "too_large")
    assert (files(world), stored(world)) == ([], 0)


@KINDS
def test_an_image_by_id_and_by_our_own_address(world, web, required, make_png, kind):
    image = upload(world, make_png(400, 300)).json()
    for sent in (image["id"], str(image["id"]), image["url"], image["sizes"]["medium"]["url"]):
        made = world.make(kind.plural, **required[kind.plural], image=sent)
        assert made["image"] == image
    assert web["asked"] == []
    count = world.count()
    for sent in (
        "http://calendar.test/media/2026/11/none.png",
        "http://calendar.test/media/",
        image["id"] + 999,
        made["id"],
    ):
        response = world.post(f"/{kind.plural}", json=required[kind.plural] | {"image": sent})
        assert (response.status_code, list(response.json()["data"]["params"])) == (400, ["image"])
    assert (web["asked"], world.count()) == ([], count)


@KINDS
def test_an_image_by_address_is_fetched_and_stored_once(world, web, required, kind):
    first = world.make(kind.plural, **required[kind.plural], image=web["a"])["image"]
    assert (first["width"], first["height"], set(first["sizes"])) == (400, 300, {"medium", "thumbnail"})
    assert "/media/2026/11/a-" in first["url"]
    second = world.make(kind.plural, **required[kind.plural], image=web["a"])
    changed = world.put(f"/{kind.plural}/{second['id']}", json={"image": web["b"]}).json()["image"]
    assert second["image"] == first
    assert changed["id"] != first["id"]
    assert world.put(f"/{kind.plural}/{second['id']}", json={"image": web["a"]}).json()["image"] == first
    assert web["asked"] == [web["a"], web["b"]]
    assert stored(world) == 2
    assert len(files(world)) == 4


def test_one_request_may_name_one_address_for_several_records(world, web):
    event = world.make("events", image=web["a"], venue={"venue": "V", "image": web["a"]},
                       organizer=[{"organizer": "O", "image": web["b"]}])  # fmt: skip
    assert event["image"] == event["venue"]["image"]
    assert event["organizer"][0]["image"]["width"] == 40
    assert web["asked"] == [web["a"], web["b"]]


# A write that fails, at each of the places where it can.
FAILING = [
    {"image": "https://pictures.test/none.png"},
    {"image": PICTURE, "venue": {"venue": "V", "image": "https://pictures.test/none.png"}},
    {"image": PICTURE, "website": "nope"}, {"image": PICTURE, "categories": [999]},
    {"image": PICTURE, "end_date": "2020-01-01"},
    {"image": PICTURE, "organizer": {"organizer": "O", "date": "9999-12-31T23:59:59-14:00"}},
    {"venue": {"venue": "V", "image": PICTURE, "geo_lat": 1}},
]  # fmt: skip


@pytest.mark.parametrize("body", FAILING, ids=repr)
def test_nothing_is_left_on_disk_or_in_the_store_when_the_write_fails(world, web, required, body):
    event = world.make("events")
    count = world.count()
    assert world.post("/events", json=required["events"] | body).status_code == 400
    assert world.put(f"/events/{event['id']}", json=body).status_code == 400
    assert world.put("/events/999", json={"image": web["a"]}).status_code == 404
    assert world.put(f"/events/{event['id']}", "author", json={"image": web["a"]}).status_code == 403
    assert (world.count(), files(world), stored(world)) == (count, [], 0)


def test_nothing_is_fetched_for_a_request_that_fails_anyway(world, web, required):
    for who, body in (("administrator", {"website": "nope"}), ("author", {"author": world.ids["editor"]}),
                      ("contributor", {"tags": ["new"]}), ("anonymous", {})):  # fmt: skip
        assert world.post("/events", who, json=required["events"] | body | {"image": web["a"]}).status_code >= 400
    foreign = world.make("events")
    for path in ("/events/999", "/events/by-slug/nothing", f"/events/{foreign['id']}"):
        assert world.put(path, "author", json={"image": web["a"]}).status_code in (403, 404)
    assert web["asked"] == []


def test_more_than_a_few_addresses_in_one_request_are_400(world, web, required):
    venues = [{"venue": f"V{n}", "image": f"https://pictures.test/{n}.png"} for n in range(11)]
    assert world.post("/events", json=required["events"] | {"venue": venues}).status_code == 400
    assert web["asked"] == []


def test_bytes_are_seen_by_who_sees_a_record_that_shows_them_and_by_the_uploader(world, make_png):
    image = upload(world, make_png(400, 300), "author").json()
    paths = [f"/media/{image['id']}", image["url"], image["sizes"]["medium"]["url"]]

    def who_sees():
        people = ("anonymous", "contributor", "other_author", "author", "editor")
        visibility = [[who for who in people if world.get(path, who).status_code == 200] for path in paths]
        refused = world.get(paths[0]).json().get("code", "rest-media-not-found")
        assert refused == "rest-media-not-found"
        assert visibility[0] == visibility[1] == visibility[2]
        return visibility[0]

    assert who_sees() == ["author", "editor"]
    event = world.make("events", "author", image=image["id"], status="draft")
    assert who_sees() == ["author", "editor"]
    world.put(f"/events/{event['id']}", json={"status": "publish"})
    assert who_sees() == ["anonymous", "contributor", "other_author", "author", "editor"]
    world.put(f"/events/{event['id']}", json={"post_password": "s3cret"})
    assert who_sees() == ["author", "editor"]
    world.delete(f"/events/{event['id']}")
    world.make("venues", "contributor", venue="V", status="draft")
    assert who_sees() == ["author", "editor"]


def test_an_image_that_the_caller_may_not_see_is_unknown_to_him(world, make_png, required):
    image = upload(world, make_png()).json()
    for sent in (image["id"], image["url"]):
        assert world.post("/events", "author", json=required["events"] | {"image": sent}).status_code == 400
    world.make("events", image=image["id"])
    assert world.post("/events", "author", json=required["events"] | {"image": image["id"]}).status_code == 201


@KINDS
def test_the_address_of_an_image_that_the_caller_may_not_see_is_fetched_anew(world, web, required, kind):
    """Whether it was stored for a hidden record is nothing that naming its address tells, and no way to its bytes."""
    hidden = world.make(kind.plural, **required[kind.plural], image=web["a"], status="private")["image"]
    world.put(f"/media/{hidden['id']}", json={"alt": "A secret"})
    for _ in range(2):
        own = world.make(kind.plural, "author", **required[kind.plural], image=web["a"], status="draft")["image"]
        assert own["id"] != hidden["id"]
    assert world.get(hidden["url"], "author").status_code == 404
    assert world.make(kind.plural, **required[kind.plural], image=web["a"])["image"]["id"] == hidden["id"]
    assert world.make(kind.plural, "author", **required[kind.plural], image=web["a"])["image"]["id"] == hidden["id"]
    nested = {"title": "T", "venue": {"venue": "Nested", "image": web["b"]}, "status": "draft"}
    secret = world.make("events", **nested)["venue"]["image"]["id"]
    assert world.make("events", "author", **nested)["venue"]["image"]["id"] != secret


def test_the_headers_of_the_bytes(world, make_png):
    image = upload(world, make_png()).json()
    world.make("events", image=image["id"])
    public = world.get(image["url"])
    assert public.headers["Cache-Control"].startswith("public, max-age=")
    assert public.headers["X-Content-Type-Options"] == "nosniff"
    assert world.get(image["url"], headers={"If-None-Match": public.headers["ETag"]}).status_code == 304
    assert world.get(image["url"], "author").headers["Cache-Control"] == "private, no-store"
    assert world.ask("HEAD", image["url"]).headers["Content-Length"] == str(image["filesize"])


@pytest.mark.parametrize(
    "path", ["/media/..%2fkalends.db", "/media/../kalends.db", "/media/2026/11/none.png", "/media/%00", "/media/.x"]
)
def test_no_other_file_can_be_read(world, path):
    for who in ("anonymous", "administrator"):
        assert world.get(f"http://calendar.test{path}", who).status_code == 404


@pytest.mark.parametrize("nested", [False, True])
def test_a_picture_that_is_deleted_while_an_event_names_its_address(world, monkeypatch, make_png, nested):
    """It was stored when the pictures to fetch were looked for, and is not there when the event is written."""
    world.pictures[PICTURE] = read_picture(make_png())
    image = world.make("events", title="First", image=PICTURE)["image"]
    fetched = single_records.fetched

    def meanwhile(*given):
        with world.calendar.writing(world.caller("administrator")) as work:
            image_store.delete(work, image["id"])
        return fetched(*given)

    monkeypatch.setattr(single_records, "fetched", meanwhile)
    shown = {"venue": {"venue": "Hall", "image": PICTURE}} if nested else {"image": PICTURE}
    dates = {"start_date": "2027-01-01", "end_date": "2027-01-02"}
    refused = world.post("/events", json={"title": "Second", **dates, **shown})
    assert (refused.status_code, refused.json()["data"]["params"]) == (
        400,
        {"image": "image was deleted a moment ago: send it again."},
    )
    monkeypatch.undo()
    assert world.post("/events", json={"title": "Second", **dates, **shown}).status_code == 201


def test_a_picture_that_the_text_of_a_public_event_shows_is_public(world, make_png):
    image = upload(world, make_png(1200, 900), "author").json()
    other = upload(world, make_png(40, 30), "author").json()
    text = f'<p>Look: <img src="{image["sizes"]["medium"]["url"]}" alt=""></p>'
    draft = world.make("events", "author", title="Show", description=text, status="draft")
    addresses = [image["url"], image["sizes"]["large"]["url"], f"/media/{image['id']}"]
    assert [world.get(one).status_code for one in addresses] == [404] * 3
    world.post(f"/events/{draft['id']}", "author", json={"status": "publish"})
    assert [world.get(one).status_code for one in addresses] == [200] * 3
    assert world.get(other["url"]).status_code == 404
    world.post(f"/events/{draft['id']}", "author", json={"description": "none"})
    assert world.get(image["url"]).status_code == 404
    world.make("events", "author", title="Masked", description=text, post_password="secret")
    assert [world.get(one).status_code for one in addresses] == [404] * 3, "a masked text shows nothing"


def test_naming_a_hidden_picture_of_another_does_not_show_it(world, make_png):
    image = upload(world, make_png(40, 30), "editor").json()
    text = f'<p><img src="{image["url"]}" alt=""></p>'
    event = world.make("events", "author", title="Guess", description=text)
    assert world.get(image["url"]).status_code == 404
    world.make("events", "administrator", title="Known", description=text)
    assert world.get(image["url"]).status_code == 200
    assert event["status"] == "publish"


@KINDS
def test_the_image_itself_in_a_form(world, make_png, kind):
    title = {"event": "title"}.get(kind.name, kind.name)
    more = {"start_date": "2027-01-01", "end_date": "2027-01-01"} if kind.name == "event" else {}
    file = {"image": ("Poster of mine.png", make_png(40, 30), "image/png")}
    made = world.post(f"/{kind.plural}", "author", data={title: "With a picture", **more}, files=file)
    assert made.status_code == 201, made.text
    assert (made.json()["image"]["width"], "poster-of-mine" in made.json()["image"]["url"]) == (40, True)
    other = {"image": ("other.png", make_png(20, 10), "image/png")}
    changed = world.post(f"/{kind.plural}/{made.json()['id']}", "author", files=other)
    assert (changed.status_code, changed.json()["image"]["width"]) == (200, 20)
    before = stored(world), len(files(world))
    refused = world.post(f"/{kind.plural}", "author", data={title: "x", **more, "status": "wrong"}, files=file)
    assert (refused.status_code, list(refused.json()["data"]["params"])) == (400, ["status"])
    assert (stored(world), len(files(world))) == before, "what was refused stores no image"
    text = {"image": ("note.png", b"no picture", "image/png")}
    assert world.post(f"/{kind.plural}", "author", data={title: "x", **more}, files=text).status_code == 415
    assert world.post(f"/{kind.plural}", "anonymous", data={title: "x", **more}, files=file).status_code == 401


def test_bytes_without_a_type_are_an_upload(world, make_png):
    response = world.post("/media", content=make_png(40, 30), headers={"Content-Type": "application/octet-stream"})
    assert (response.status_code, response.json()["width"]) == (201, 40)
