"""Bad input to `wp/v2`: errors of WordPress, never a 500, and nothing written."""

from typing import Any

import pytest
from tests.features.wordpress.recorded_site import picture

WP = "http://calendar.test/wp-json/wp/v2"


@pytest.fixture(scope="module")
def world(shared_world: Any) -> Any:
    shared_world.make("events", title="Gala", categories=["Music"], tags=["free"])
    return shared_world


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize(
    ("body", "params"),
    [
        ({"title": "x", "status": "nonsense"}, ["status"]),
        ({"title": "x", "tribe_events_cat": "music"}, ["tribe_events_cat"]),
        ({"title": "x", "tags": [{"id": "x"}]}, ["tags"]),
        ({"title": "x", "featured_media": "abc"}, ["featured_media"]),
        ({"title": "x", "meta": "text"}, ["meta"]),
        ({"title": "x", "meta": {"_EventStartDate": "2027-02-30", "_EventEndDate": "2027-03-01"}}, ["meta"]),
        ({"title": "x", "meta": {"_EventStartDate": "2027-03-02", "_EventEndDate": "2027-03-01"}}, ["meta"]),
        ({"title": "x", "meta": {"_EventVenueID": 99999}}, ["meta"]),
        ({"title": "x", "meta": {"_EventTimezone": "Mars"}}, ["meta"]),
        ({"title": "x", "meta": {"_EventURL": "javascript:alert(1)"}}, ["meta"]),
        ({"title": {"raw": ["x"]}}, ["title"]),
        ({"title": "x", "content": "x" * 200_001}, ["content"]),
        ({"title": "x", "date": "soon"}, ["date"]),
        ({"title": "x", "tribe_events_cat": list(range(1, 200))}, ["tribe_events_cat"]),
    ],
)
def test_a_bad_event_is_refused_under_the_names_of_the_client(world: Any, body: Any, params: list[str]) -> None:
    before = world.count()
    answer = world.post(f"{WP}/tribe_events", json=body)
    assert refusal(answer) == (400, "rest_invalid_param"), answer.text
    assert list(answer.json()["data"]["params"]) == params
    assert world.count() == before


@pytest.mark.parametrize("route", ["tribe_events", "tribe_venue", "tribe_organizer"])
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "empty_content"), ({"title": " ", "content": ""}, "empty_content"),
        ({"id": 1, "title": "x"}, "rest_post_exists"), ({"content": "no title"}, "rest_missing_callback_param"),
        ({"title": "x", "author": 99999}, "rest_invalid_author"),
    ],
)  # fmt: skip
def test_a_record_that_cannot_be_made_is_refused(world: Any, route: str, body: Any, code: str) -> None:
    assert refusal(world.post(f"{WP}/{route}", json=body)) == (400, code)


@pytest.mark.both_stores
@pytest.mark.parametrize(
    "path",
    [
        "tribe_events?per_page=0", "tribe_events?page=x", "tribe_events?orderby=start_date", "tribe_events?include=a",
        "tribe_events?after=nonsense", "tribe_events?slug=", "tribe_events?search=", "tribe_events?context=all",
        "tribe_events?offset=-1", "tribe_events?tags[terms]=x", "tags?post=x", "tags?orderby=relevance",
        "tribe_events_cat?parent=-1", "media?status=private", "media?media_type=secret", "users?orderby=email",
        "search?type=user", "search?subtype=secret", "posts?per_page=1000",
        "tribe_events/1?context=x", "media/1?context=x",
    ],
)  # fmt: skip
def test_a_bad_filter_is_400(world: Any, path: str) -> None:
    assert refusal(world.get(f"{WP}/{path}", "administrator")) == (400, "rest_invalid_param")


@pytest.mark.both_stores
@pytest.mark.parametrize(
    "query",
    [
        "slug=%00", "search=%00x", "slug=%F0%9F%98%80", "include=9223372036854775807", "offset=9223372036854775807",
        "page=9223372036854775807", "author=9223372036854775807", "search=%25_%27%22", "slug=" + "a" * 900,
    ],
)  # fmt: skip
def test_strange_values_find_nothing_or_are_refused(world: Any, query: str) -> None:
    for route in ("tribe_events", "tribe_venue", "tribe_events_cat", "media", "users"):
        assert world.get(f"{WP}/{route}?{query}", "administrator").status_code in (200, 400), (route, query)
    assert world.get(f"{WP}/media?mime_type=%00").status_code in (200, 400)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "posts"), ("POST", "pages"), ("POST", "comments"), ("POST", "users"), ("DELETE", "users/1"),
        ("PUT", "users/1"), ("POST", "users/me"), ("POST", "types"), ("PUT", "settings"), ("DELETE", "tribe_events"),
        ("POST", "search"), ("DELETE", "media"), ("PATCH", "tags"),
    ],
)  # fmt: skip
def test_nothing_else_can_be_written(world: Any, method: str, path: str) -> None:
    before = world.count()
    answer = world.ask(method, f"{WP}/{path}", "administrator", json={"title": "x", "name": "x"})
    assert refusal(answer) == (405, "rest_no_route")
    assert answer.headers["Allow"]
    assert world.count() == before


@pytest.mark.parametrize(
    "path", ["events", "venues", "tribe_venues", "tribe_event", "post_tag", "tribe_events/gala",
             "tribe_events/1/revisions", "users/x", "types/no_such/x", "plugins", "themes", "batch/v1"]
)  # fmt: skip
def test_unknown_routes_are_404(world: Any, path: str) -> None:
    assert refusal(world.get(f"{WP}/{path}", "administrator")) == (404, "rest_no_route")


def test_a_get_with_another_method_in_its_query_changes_nothing(world: Any) -> None:
    id = world.make("events", title="Stays")["id"]
    for query in ("_method=DELETE", "_method=DELETE&force=true"):
        answer = world.get(f"{WP}/tribe_events/{id}?{query}", "administrator")
        assert (answer.status_code, answer.json()["status"]) == (200, "publish")
    assert world.post(f"{WP}/tribe_events/{id}?_method=DELETE").json()["status"] == "trash"


def test_forms_of_other_sites_are_refused(world: Any) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site", "Authorization": "Basic YWRtaW46eA=="}
    answer = world.client.post(f"{WP}/tags", data={"name": "x"}, headers=foreign)
    assert refusal(answer) == (403, "rest_cross_site")


def test_uploads_have_the_limits_of_the_other_upload(make_world: Any) -> None:
    world = make_world(max_image="2000")
    headers = {"Content-Type": "image/png", "Content-Disposition": "attachment; filename=a.png"}
    assert world.post(f"{WP}/media", content=picture() + b"0" * 3000, headers=headers).status_code == 413
    assert world.post(f"{WP}/media", content=picture() + b"0" * 100_000, headers=headers).status_code == 413
    for who, status in (("anonymous", 401), ("subscriber", 403), ("contributor", 403)):
        assert world.post(f"{WP}/media", who, content=picture(), headers=headers).status_code == status
    assert world.post(f"{WP}/media", "author", content=picture(), headers=headers).status_code == 201


@pytest.mark.both_stores
def test_a_deleted_image_is_gone_from_the_records_that_showed_it(world: Any) -> None:
    headers = {"Content-Type": "image/png", "Content-Disposition": "attachment; filename=a.png"}
    image = world.post(f"{WP}/media", "author", content=picture(), headers=headers).json()
    event = world.make("events", "author", title="Pictured", image=image["id"])
    item = f"{WP}/media/{image['id']}"
    assert world.client.get(f"/event/{event['slug']}/").text.count(image["source_url"].rpartition("/")[2])
    assert refusal(world.delete(item, "author")) == (501, "rest_trash_not_supported")
    assert refusal(world.delete(f"{item}?force=true", "other_author")) == (403, "rest_cannot_delete")
    assert refusal(world.put(item, "author", json={"author": world.ids["editor"]})) == (
        403,
        "rest_cannot_edit_others",
    )
    assert world.put(item, "editor", json={"author": world.ids["editor"]}).json()["author"] == world.ids["editor"]
    assert world.put(item, "editor", json={"author": world.ids["author"]}).json()["author"] == world.ids["author"]
    gone = world.delete(f"{item}?force=true", "author").json()
    assert (gone["deleted"], gone["previous"]["id"]) == (True, image["id"])
    assert world.read("events", event["id"], "anonymous")["image"] is False
    assert world.client.get(image["source_url"]).status_code == 404
    assert world.get(item, "administrator").status_code == 404


def test_users_without_published_records_are_not_told(make_world: Any) -> None:
    world = make_world()
    world.make("events", "contributor", title="Draft")
    world.make("events", "author", title="Public")
    assert [user["name"] for user in world.client.get(f"{WP}/users").json()] == ["author"]
    unknown = refusal(world.client.get(f"{WP}/users/99999"))
    assert unknown == (401, "rest_user_cannot_view")
    assert refusal(world.client.get(f"{WP}/users/{world.ids['contributor']}")) == unknown
    own = world.get(f"{WP}/users/{world.ids['contributor']}", "contributor")
    assert (own.status_code, own.json()["name"]) == (200, "contributor")
    assert world.get(f"{WP}/users/{world.ids['contributor']}", "author").status_code == 403
    assert world.get(f"{WP}/users", "administrator").headers["X-WP-Total"] == str(len(world.ids))
    text = world.client.get(f"{WP}/users?context=view").text
    assert "capabilities" not in text
    assert "roles" not in text


@pytest.mark.both_stores
def test_a_protected_event_is_masked_until_its_password_comes(make_world: Any) -> None:
    world = make_world()
    hidden = {"description": "Hidden text", "cost": "77", "website": "https://hidden.example.test/", "tags": ["hush"]}
    id = world.make("events", title="Closed", post_password="sesame", venue={"venue": "Lair"}, **hidden)["id"]
    item = f"{WP}/tribe_events/{id}"
    closed = world.client.get(f"{item}?_embed").json()
    assert (closed["content"], closed["tags"], closed["featured_media"]) == (
        {"rendered": "", "protected": True},
        [],
        0,
    )
    assert (closed["meta"]["_EventCost"], closed["meta"]["_EventVenueID"], closed["meta"]["_EventURL"]) == (
        "",
        [],
        "",
    )
    assert closed["_embedded"]["wp:term"] == [[], []]
    assert refusal(world.client.get(f"{item}?password=wrong")) == (403, "rest_post_incorrect_password")
    opened = world.client.get(f"{item}?password=sesame")
    assert opened.json()["content"]["rendered"] == "<p>Hidden text</p>"
    assert opened.headers["Cache-Control"] == "private, no-store"
    assert world.client.get(item).json() == {k: v for k, v in closed.items() if k != "_embedded"}
    for query in ("search=hidden", f"tags={opened.json()['tags'][0]}", "tags_exclude=99999"):
        assert world.client.get(f"{WP}/tribe_events?{query}").json() == []
    # Sent back as it was read, it stays protected.
    read = world.get(f"{item}?context=edit", "administrator").json()
    assert world.put(item, json=read).status_code == 200
    assert world.client.get(item).json()["content"]["protected"]
