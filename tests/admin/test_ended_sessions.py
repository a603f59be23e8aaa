"""A form that is sent after its session has ended: what was typed is kept, and sent again after signing in."""

import re
from collections import deque
from html import unescape
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import PASSWORD, World

from kalends.contract.errors import ApiError
from kalends.http.messages import multipart

NEW_VENUE = "/admin/venues/new"
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
TYPED = {"venue": 'The "Old" Mill', "city": "Cork", "description": "<p>Two\nlines</p>"}


def hidden_in(html: str) -> dict[str, str]:
    return {
        name: unescape(value) for name, value in re.findall(r'type="hidden" name="(.*?)" value="(.*?)"', html, re.S)
    }


def test_what_was_typed_survives_the_end_of_the_session(world: World) -> None:
    admin = AdminClient(world)
    asked = admin.post(NEW_VENUE, TYPED | {"token": "of the old session"}, 401, headers=OWN_PAGE)
    assert "of the old session" not in asked.text
    kept = hidden_in(asked.text)
    wrong = admin.post("/admin/sign-in", kept | {"name": "editor", "password": "wrong"}, 401)
    signed_in = admin.post("/admin/sign-in", hidden_in(wrong.text) | {"name": "editor", "password": PASSWORD}, 200)
    assert f'action="{NEW_VENUE}"' in signed_in.text
    assert world.get("/venues").json()["total"] == 0
    admin.post(NEW_VENUE, hidden_in(signed_in.text), token=hidden_in(signed_in.text)["token"], headers=OWN_PAGE)
    [venue] = world.get("/venues").json()["venues"]
    assert {name: venue[name] for name in ("venue", "city")} == {"venue": 'The "Old" Mill', "city": "Cork"}


def test_what_was_typed_survives_a_second_signing_in_in_another_tab(world: World) -> None:
    admin = AdminClient(world, "editor")
    kept = admin.post(NEW_VENUE, TYPED, 403, token="of the old session", headers=OWN_PAGE).text
    assert world.get("/venues").json()["total"] == 0
    admin.post(NEW_VENUE, hidden_in(kept), token=hidden_in(kept)["token"], headers=OWN_PAGE)
    assert world.get("/venues").json()["total"] == 1


def test_a_file_has_to_be_chosen_again(world: World) -> None:
    admin = AdminClient(world)
    files = {"picture": ("mill.png", b"bytes of a picture")}
    asked = admin.post("/admin/events/new", {"title": "Fair"}, 401, files=files, headers=OWN_PAGE)
    signed_in = admin.post("/admin/sign-in", hidden_in(asked.text) | {"name": "editor", "password": PASSWORD}, 200)
    assert "choose it again" in signed_in.text
    assert "bytes of a picture" not in signed_in.text


def test_the_texts_of_a_form_with_a_large_file_are_kept(world: World) -> None:
    files = {"picture": ("mill.png", b"\r\n--bytes of a picture" * 100_000), "other": ("", b"")}
    asked = AdminClient(world).post("/admin/events/new", {"title": "Fair"}, 401, files=files, headers=OWN_PAGE)
    kept = hidden_in(asked.text)
    assert (kept["kept"], kept["kept_files"]) == ("title=Fair&other=", "1")
    assert "choose it again" in asked.text
    assert "bytes of a picture" not in asked.text


def test_no_more_is_kept_than_anybody_may_send(make_world: Any) -> None:
    world = make_world(max_image="1000000")
    too_many = {"description": "x" * 1_000_001}, {"picture": ("mill.png", b"bytes")}
    too_large = {"title": "Fair"}, {"picture": ("mill.png", b"x" * 2_100_000)}
    for texts, files in (too_many, too_large):
        answer = AdminClient(world).post("/admin/events/new", texts, 303, files=files, headers=OWN_PAGE)
        assert answer.headers["Location"] == "/admin/sign-in"


def test_files_are_dropped_however_a_form_arrives() -> None:
    def part(head: str, content: bytes) -> bytes:
        return b"--b\r\nContent-Disposition: form-data; " + head.encode() + content + b"\r\n"

    body = (
        part('name="title"', b"\r\n\r\nFair\r\n--a")
        + part('name="empty"', b"\r\n\r\n")
        + part('name="bare"', b"")
        + part('name="picture"; filename="a.png"', b"\r\n\r\n" + b"\r\n--\r\n--a picture" * 40)
        + part('name="nothing"; filename="a.png"', b"\r\n\r\n")
        + part('name="city"', b"\r\n\r\nCork")
    )
    content_type = "multipart/form-data; boundary=b"
    whole = b"before\r\n" + body + b"--b--\r\nafter"
    expected = [
        part._replace(content=b"") if part.file_name else part for part in multipart.read_parts(content_type, whole)
    ]
    assert [part.content for part in expected] == [b"Fair\r\n--a", b"", b"", b"", b"", b"Cork"]
    for data in (whole, body + b"--b--"):
        for size in (1, 2, 3, 7, 50, 10_000):
            drop = multipart.FileDropper(content_type, 1000)
            kept = b"".join(drop(data[at : at + size]) for at in range(0, len(data), size))
            assert multipart.read_parts(content_type, kept) == expected
    for bad in (b"--b\r\n" + b"x" * 20_000, part('name="title"', b"\r\n\r\n" + b"x" * 2000)):
        with pytest.raises(ApiError):
            deque(map(multipart.FileDropper(content_type, 1000), (bad[:900], bad[900:])))


def test_only_forms_of_the_own_pages_are_kept(world: World) -> None:
    """Else another site could have its own text saved by whoever signs in."""
    for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        answer = AdminClient(world).post(NEW_VENUE, TYPED, 303, headers=headers)
        assert answer.headers["Location"] == "/admin/sign-in"
        answer = AdminClient(world, "editor").post(NEW_VENUE, TYPED, 403, token="wrong", headers=headers)
        assert "Cork" not in answer.text


def test_passwords_are_never_kept(world: World) -> None:
    typed = {"current": PASSWORD, "password": "another horse"}
    answer = AdminClient(world).post("/admin/profile/password", typed, 303, headers=OWN_PAGE)
    assert answer.headers["Location"] == "/admin/sign-in"
    answer = AdminClient(world, "editor").post("/admin/profile/password", typed, 403, token="wrong", headers=OWN_PAGE)
    assert "another horse" not in answer.text


def test_signing_out_of_a_session_that_has_ended_needs_no_signing_in(world: World) -> None:
    answer = AdminClient(world).post("/admin/sign-out", {}, 303, headers=OWN_PAGE)
    assert answer.headers["Location"] == "/admin/sign-in"


def test_only_what_signing_in_can_take_along_is_kept(world: World) -> None:
    """Letters of other scripts are three times as long there. A form that is not kept is one step back."""
    for size, status in ((100_000, 401), (120_000, 303)):
        typed = TYPED | {"description": "水" * size}
        asked = AdminClient(world).post(NEW_VENUE, typed, status, files={"picture": ("", b"")}, headers=OWN_PAGE)
        if status == 401:
            sent = hidden_in(asked.text) | {"name": "editor", "password": PASSWORD}
            signed_in = AdminClient(world).post("/admin/sign-in", sent, 200, files={"none": ("", b"")})
            assert hidden_in(signed_in.text)["description"] == typed["description"]


def test_a_kept_form_leads_to_no_other_site(world: World) -> None:
    for path in ("https://evil.example/", "//evil.example/admin", "/admin/sign-in", "/events/"):
        sent = {"name": "editor", "password": PASSWORD, "kept_for": path, "kept": "title=x"}
        answer = AdminClient(world).post("/admin/sign-in", sent)
        assert answer.headers["Location"] == "/admin"
