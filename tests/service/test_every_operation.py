"""Every operation of the interface answers, and so does every page: what each is to say is tested elsewhere.

These run on both stores, so that a query which only one of them understands is found whatever runs it.
"""

import ipaddress
from collections.abc import Iterator
from email.message import Message
from typing import Any

import pytest
from tests.conftest import BASE_URL
from tests.pictures import png

from kalends.calendar.access import SERVICE
from kalends.calendar.fetching import guarded
from kalends.contract.kinds import KINDS
from kalends.contract.operations import addresses
from kalends.contract.operations.model import Operation
from kalends.features.sources.duplicates import rows as duplicates
from kalends.features.sources.duplicates.rows import Pair
from kalends.features.webhooks import sending

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


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is sent to takes the message."""
    monkeypatch.setattr(sending, "resolve", lambda host, port: [ipaddress.ip_address("93.184.216.34")])
    monkeypatch.setattr(guarded, "posted", lambda *_, **__: guarded.Answer(200, Message(), b"ok"))


def on_webhooks(world: Any, operation: Operation) -> Iterator[Any]:
    """The answers of an operation on webhooks and their deliveries."""
    for method in operation.methods:
        made = world.post("/webhooks", json={"url": "https://mirror.example/hook"})
        path = f"/webhooks/{made.json().get('id')}"
        match operation.name:
            case "create_webhook":
                yield made
            case "list_webhooks":
                yield world.get("/webhooks", "administrator")
            case "update_webhook":
                yield world.ask(method, path, "administrator", json={"active": False})
            case "resend_delivery":
                sent = world.post(f"{path}/test").json()["n"]
                yield world.post(f"{path}/deliveries/{sent}/resend")
            case "list_deliveries":
                yield world.get(f"{path}/deliveries", "administrator")
            case "rotate_webhook" | "test_webhook":
                yield world.post(f"{path}/{operation.name.partition('_')[0]}")
            case _:
                yield world.ask(method, path, "administrator")


def on_sources(world: Any, operation: Operation) -> Iterator[Any]:
    """The answers of an operation on sources, at whose addresses nothing is."""
    for method in operation.methods:
        made = world.post("/sources", json={"address": f"https://town.example/{operation.name}/{method}"})
        path = f"/sources/{made.json().get('id')}"
        match operation.name:
            case "create_source":
                yield made
            case "list_sources":
                yield world.get("/sources", "administrator")
            case "update_source":
                yield world.ask(method, path, "administrator", json={"every": "7d"})
            case "run_source":
                yield world.post(f"{path}/read")
            case _:
                yield world.ask(method, path, "administrator")


def on_duplicates(world: Any, operation: Operation) -> Iterator[Any]:
    """The answers of an operation on possible duplicates, one pair for each method."""
    for method in operation.methods:
        first, second = (world.make("events", title=f"{operation.name} {method} {title}") for title in ("one", "two"))
        with world.calendar.writing(SERVICE) as work:
            pair = Pair(0, first["id"], second["id"], score=77, at_utc=work.now_text)
            duplicates.add(work.session, pair)
            asked = duplicates.known(work.session, pair)
        assert asked is not None
        path = "/sources/duplicates" if operation.name == "list_duplicates" else f"/sources/duplicates/{asked.id}"
        sent = {"json": {"answer": "two"}} if operation.name == "update_duplicate" else {}
        yield world.ask(method, path, "editor", **sent)


def on_custom_fields(world: Any, operation: Operation) -> Iterator[Any]:
    """The answers of an operation on definitions of custom fields."""
    for method in operation.methods:
        made = world.post("/custom-fields", json={"label": f"{operation.name} {method}"})
        path = f"/custom-fields/{made.json().get('key')}"
        match operation.name:
            case "create_custom_field":
                yield made
            case "list_custom_fields":
                yield world.get("/custom-fields")
            case "update_custom_field":
                yield world.ask(method, path, "administrator", json={"label": f"Changed by {method}"})
            case "delete_custom_field":
                yield world.delete(path, params={"force": "true"})
            case _:
                yield world.get(path)


def answers(world: Any, operation: Operation) -> Iterator[Any]:
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
        case "list_changes":
            yield world.get("/changes?limit=5&include=records&expand=events")
        case "send_batch":
            item = {"method": "POST", "path": "/tags", "body": {"name": "By a batch"}}
            yield world.post("/batch", json={"requests": [item]})
        case name if "duplicate" in name:
            yield from on_duplicates(world, operation)
        case name if "custom_field" in name:
            yield from on_custom_fields(world, operation)
        case name if name.endswith(("_source", "_sources")):
            yield from on_sources(world, operation)
        case name if "webhook" in name or name.endswith(("_delivery", "_deliveries")):
            yield from on_webhooks(world, operation)
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
@pytest.mark.usefixtures("receiver")
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
