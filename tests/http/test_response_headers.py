"""The headers of every kind of answer, against one list with reasons: nothing is missing, and nothing goes out that
nobody has thought about."""

import re
from typing import Any

import pytest
from tests.contract.documents import routes_of
from tests.pictures import png

from kalends.feature import declared
from kalends.site.pages.page_responses import ADMIN_POLICY, PUBLIC_POLICY

NAMESPACE = "/api/calendar/events/v1"

# Every header that may go out, and why.
ALLOWED = {
    "access-control-allow-headers": "what a script of another site may send, asked by its browser first",
    "access-control-allow-methods": "the same of methods",
    "access-control-allow-origin": "any site may read what is public; never together with credentials",
    "access-control-expose-headers": "totals and validators for those scripts",
    "access-control-max-age": "how long a browser need not ask again",
    "allow": "the methods of the address",
    "cache-control": "public for what everybody sees, private and not stored for the rest",
    "connection": "close, where a body was left unread",
    "content-disposition": "the name of a feed that is saved; inline, never chosen by a client",
    "content-encoding": "gzip or zstd, for who takes it",
    "content-language": "the language of texts for people",
    "content-length": "how long the body is",
    "content-security-policy": "what a page may load: its own files and nothing else",
    "content-type": "with its charset, so that nobody guesses",
    "cross-origin-opener-policy": "no page of another site holds on to a window of the admin",
    "x-frame-options": "the admin is never framed, also by browsers that know no policy",
    "x-robots-tag": "search engines leave the admin and previews alone",
    "cross-origin-resource-policy": "only the script that other sites embed may be loaded by them",
    "etag": "whether the client has it already",
    "last-modified": "the same by time",
    "link": "where programs find the interface",
    "location": "the address of what was made, or where a page has gone",
    "referrer-policy": "links tell other sites nothing; within the site a form has its origin",
    "retry-after": "when to come back",
    "vary": "what else an answer depends on",
    "www-authenticate": "how to log in",
    "x-content-type-options": "nosniff, on every answer",
    "x-request-id": "which line of the log it is",
    "x-tec-api-origin": "pages name the interface as the reference does",
    "x-tec-api-root": "the same",
    "x-tec-api-version": "the same",
    "x-tec-total": "how many records a list has",
    "x-tec-totalpages": "how many pages",
    "x-wp-total": "the same for clients of WordPress",
    "x-wp-totalpages": "the same",
}
# What stands for the fields of a route: something that is there, and something that is not.
VALUES = {
    "id": ("1", "999"),
    "token": ("999",),
    "when": ("2027-03-10", "2027-03", "nothing"),
    "part": ("calendar-0", "nothing"),
    "version": ("x",),
    "file": ("nothing", "../../etc/passwd"),
    "form": ("json", "nothing"),
    "name": ("site.css", "nothing"),
    "section": ("calendar", "nothing"),
    "plural": ("events",),
    "kind": ("forgotten_password", "nothing"),
    "key": ("_ecp_custom_1", "nothing"),
    "n": ("1",),
    "day": ("2027-03-10", "nothing"),
    "view": ("photo", "nothing"),
    "source": ("town.example",),
    "external_id": ("17",),
}
SLUGS = {
    "event": ("shown", "closed"),
    "venue": ("hall",),
    "organizer": ("olga",),
    "category": ("music",),
    "tag": ("loud",),
}
# Addresses that the route table does not tell.
OTHERS = (
    "/events?categories=unknown",
    "/oembed?url=http://calendar.test/event/shown",
    "/nothing/here",
    f"{NAMESPACE}/events?page=99",
    f"{NAMESPACE}/events?per_page=x",
)
FIELD = re.compile(r"\{([^}]*)\}")


def filled(world: Any) -> Any:
    uploaded = world.upload(png(400, 300))
    world.make(
        "events",
        title="Shown",
        image=uploaded["id"],
        venue={"venue": "Hall"},
        organizer={"organizer": "Olga"},
        categories=["Music"],
        tags=["Loud"],
    )
    world.make("events", title="Closed", post_password="open me")
    world.image = uploaded["url"]
    return world


@pytest.fixture
def shown(world: Any) -> Any:
    return filled(world)


def addresses(template: str) -> list[str]:
    """The addresses of a route: its fields filled in each way."""
    field = FIELD.search(template)
    if field is None:
        return [template]
    if field[1] == "slug":
        names = [name for name in SLUGS if f"/{name}" in template or f"/{name[:-1]}ies" in template]
        kind = names[0] if names else "event"
        values: tuple[str, ...] = (*SLUGS[kind], "nothing")
    else:
        values = VALUES[field[1]]
    filled = [template[: field.start()] + value + template[field.end() :] for value in values]
    return [address for one in filled for address in addresses(one)]


@pytest.fixture(scope="module")
def answers(build_world: Any) -> dict[str, Any]:
    """An answer of every kind, by its address; of the interface with and without credentials."""
    world = filled(build_world())
    site = "http://calendar.test"
    routes = routes_of(world.calendar, declared("extension"))
    paths = [path for template in sorted(routes) for path in addresses(template)]
    found = {path: world.get(site + path) for path in (*paths, *OTHERS)}
    found |= {f"administrator {path}": world.get(site + path, "administrator") for path in paths if NAMESPACE in path}
    found["image"] = world.get(world.image)
    found["options"] = world.ask("OPTIONS", "/events", headers={"Origin": "https://other.test"})
    found["created"] = world.post("/tags", json={"name": "New"})
    found["refused"] = world.post("/tags", json={"name": ""})
    found["anonymous write"] = world.post("/events", "anonymous", json={"title": "T"})
    found["guess"] = world.ask("POST", f"{site}/event/closed", data={"password": "wrong"})
    return found


def test_every_header_is_on_the_list_and_no_cookie_is_set(answers: dict[str, Any]) -> None:
    assert {answer.status_code for answer in answers.values()} >= {200, 201, 400, 401, 403, 404}
    for address, answer in answers.items():
        unknown = {name for name in answer.headers if name.lower() not in ALLOWED}
        assert unknown == set(), address
        assert "access-control-allow-credentials" not in answer.headers
        assert answer.headers["x-content-type-options"] == "nosniff", address
        assert "cache-control" in answer.headers, address


def test_every_page_says_what_it_may_load(answers: dict[str, Any]) -> None:
    pages = {
        address: answer.headers
        for address, answer in answers.items()
        if answer.headers.get("content-type", "").startswith("text/html")
    }
    assert {"/events", "/event/shown", "/event/closed", "/event/nothing", "/venue/hall", "/docs"} <= set(pages)
    for address, headers in pages.items():
        in_admin = address.startswith("/admin")
        assert headers["content-security-policy"] == (ADMIN_POLICY if in_admin else PUBLIC_POLICY), address
        assert headers["referrer-policy"] == "same-origin", address
        assert "charset=UTF-8" in headers["content-type"], address


def test_the_policy_lets_in_nothing_from_elsewhere() -> None:
    parts = dict(part.split(" ", 1) for part in PUBLIC_POLICY.split("; "))
    assert parts.pop("default-src") == "'none'"
    assert parts.pop("base-uri") == "'none'"
    assert parts.pop("frame-ancestors") == "'none'"  # no other site shows a page of ours in a frame
    assert set(parts.values()) == {"'self'"}


def test_an_image_is_shown_and_never_run(shown: Any) -> None:
    answer = shown.get(shown.image)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"


def test_private_responses_are_not_stored(shown: Any) -> None:
    for path in ("/events", "/events/999", "/users"):
        assert shown.get(path, "administrator").headers["cache-control"] == "private, no-store"
    assert shown.get("/events?password=open+me").headers["cache-control"] == "private, no-store"
    assert shown.post("/tags", json={"name": "New"}).headers["cache-control"] == "private, no-store"
