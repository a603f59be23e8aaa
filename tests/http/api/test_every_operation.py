"""Every operation of the interface answers, and so does every page: what each is to say is tested elsewhere.

These run on both stores, so that a query which only one of them understands is found whatever runs it.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from tests.conftest import BASE_URL
from tests.feature_parts import feature_parts
from tests.pictures import png

from kalends.contract.kinds import KINDS
from kalends.contract.operations import addresses
from kalends.contract.operations.model import Operation

OPERATIONS = {operation.name: operation for address in addresses() for operation in address.operations}
NAMES = {"events": "title", "venues": "venue", "organizers": "organizer", "categories": "name", "tags": "name"}
DATES = {"start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 11:00:00"}
RECORDS = {
    "venues": {"venue": "Hall"},
    "organizers": {"organizer": "Club"},
    "categories": {"name": "Music"},
    "tags": {"name": "Outdoors"},
    "events": {"title": "Concert", "description": "Brass", "categories": ["Music"], "tags": ["Outdoors"], **DATES},
}
PLURALS = {kind.name: kind.plural for kind in KINDS}
PAGES = [
    "/",
    "/events/",
    "/events/month/2027-03/",
    "/events/week/2027-W10/",
    "/events/day/2027-03-10/",
    "/events/list/2027-03-10/",
    "/events/month/2027-03/?categories=music&tags=outdoors&search=brass",
    "/event/concert/",
    "/event/concert.ics",
    "/venue/hall/",
    "/venue/hall.ics",
    "/organizer/club/",
    "/organizer/club.ics",
    "/events/category/music/",
    "/events/category/music.ics",
    "/events/tag/outdoors/",
    "/events/tag/outdoors.ics",
    "/events.ics",
    "/events.rss",
    "/events.json",
    "/sitemap.xml",
    "/sitemap-event-0.xml",
    f"/oembed?url={BASE_URL}/event/concert/",
    "/docs",
    "/healthz",
    "/readyz",
]


@pytest.fixture(scope="module")
def filled(build_world: Any) -> Any:
    """A calendar with a record of each kind; what a test changes is a record of its own."""
    world = build_world(base_url=BASE_URL)
    ids = {plural: world.make(plural, **body)["id"] for plural, body in list(RECORDS.items())[:-1]}
    world.make("events", **RECORDS["events"], venue=ids["venues"], organizer=[ids["organizers"]])
    return world


def upload(world: Any) -> Any:
    return world.post("/media", content=png(), headers={"Content-Type": "image/png"})


def user(world: Any, name: str) -> int:
    made = world.post("/users", json={"name": name, "role": "author", "password": "a long password"})
    assert made.status_code == 201, made.text
    return int(made.json()["id"])


def on_a_record(world: Any, operation: Operation) -> Iterator[Any]:
    """The answers of an operation on one record of a kind, by each of its methods."""
    verb, _, rest = operation.name.partition("_")
    plural = PLURALS[rest.removesuffix("_by_slug")]
    for number, method in enumerate(operation.methods):
        body = RECORDS[plural] | {NAMES[plural]: f"{operation.name} {number}"}
        made = world.make(plural, **body)
        one = f"by-slug/{made['slug']}" if rest.endswith("_by_slug") else made["id"]
        changed = {"json": {"description": "Changed"}} if verb == "update" else {}
        yield world.ask(method, f"/{plural}/{one}", "administrator", **changed)


def on_people(world: Any, operation: Operation) -> Iterator[Any]:
    """The answers of an operation on people and their tokens."""
    for method in operation.methods:
        id = user(world, f"{operation.name}-{method}".lower().replace("_", "-"))
        path = f"/users/{id}"
        match operation.name:
            case "delete_user":
                yield world.delete(path, params={"reassign": world.ids["editor"]})
            case "update_user":
                yield world.ask(method, path, "administrator", json={"role": "editor"})
            case "list_tokens":
                yield world.get(f"{path}/tokens", "administrator")
            case "create_token":
                yield world.post(f"{path}/tokens", json={"name": "phone"})
            case "delete_token":
                token = world.post(f"{path}/tokens", json={"name": "phone"}).json()["id"]
                yield world.delete(f"{path}/tokens/{token}")
            case _:
                yield world.get(path, "administrator")


# The answers of operations of features, by the names of these.
OF_FEATURES: dict[str, Callable[[Any, Operation], Iterable[Any]]] = {}
for _part in feature_parts("answers"):
    OF_FEATURES |= _part.ANSWERS


def answers(world: Any, operation: Operation) -> Iterable[Any]:
    of_feature = OF_FEATURES.get(operation.name)
    return of_core(world, operation) if of_feature is None else of_feature(world, operation)


def of_core(world: Any, operation: Operation) -> Iterator[Any]:
    verb, _, rest = operation.name.partition("_")
    match operation.name:
        case "index":
            yield world.get("")
        case "doc":
            yield world.get("/doc")
        case "feed_events":
            yield world.get("/events.ics?search=brass")
        case "create_media":
            yield upload(world)
        case "read_media":
            yield world.get(f"/media/{upload(world).json()['id']}", "administrator")
        case "list_users":
            yield world.get("/users", "administrator")
        case "read_me":
            yield world.get("/users/me", "author")
        case "create_user":
            yield world.post("/users", json={"name": "new", "role": "author", "password": "a long password"})
        case name if name.endswith(("_user", "_token", "_tokens")):
            yield from on_people(world, operation)
        case _ if verb == "list":
            yield world.get(f"/{rest}?per_page=2&search={RECORDS[rest][NAMES[rest]]}")
        case _ if verb == "put":
            plural = PLURALS[rest.removesuffix("_by_external")]
            external = {"source": "feed", "external_id": "2"}
            world.make(plural, **RECORDS[plural] | {NAMES[plural]: operation.name} | external)
            yield world.put(f"/{plural}/by-external/feed/2", json={"description": "Changed"})
        case name if name.endswith("_by_external"):
            plural = PLURALS[rest.removesuffix("_by_external")]
            for method in operation.methods:
                external = {"source": operation.name, "external_id": method}
                named = {NAMES[plural]: f"{operation.name} {method}"}
                world.make(plural, **RECORDS[plural] | named | external)
                yield world.ask(method, f"/{plural}/by-external/{operation.name}/{method}", "administrator")
        case _ if verb == "create":
            plural = PLURALS[rest]
            yield world.post(f"/{plural}", json=RECORDS[plural] | {NAMES[plural]: "Another"})
        case _:
            yield from on_a_record(world, operation)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_answers_as_the_contract_says(filled: Any, name: str) -> None:
    operation = OPERATIONS[name]
    found = list(answers(filled, operation))
    assert [answer.status_code for answer in found] == [operation.status] * len(operation.methods), found[-1].text
    assert all(answer.headers["Content-Type"].startswith(operation.media_type) for answer in found)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_answers(filled: Any, path: str) -> None:
    answer = filled.client.get(BASE_URL + path, follow_redirects=True)
    assert answer.status_code == 200, answer.text
    assert answer.content
