"""A client that a public generator makes from the document: it creates, lists, reads, updates and deletes."""

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.conftest import NS
from tests.made_once import made_once

from kalends.contract.kinds import KINDS
from kalends.present.openapi import document

PACKAGE = "generated_calendar_client"
# What each kind is made from, and what is changed of it.
RECORDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "event": (
        {"title": "Concert", "start_date": "2027-03-20 19:30:00", "end_date": "2027-03-20 22:00:00", "cost": "20 €",
         "tags": ["outdoor"], "venue": {"venue": "Town hall", "city": "Lyon"}, "organizer": [{"organizer": "Choir"}]},
        {"title": "Concert, with choir", "featured": True},
    ),
    "venue": ({"venue": "Park", "geo_lat": 45.76, "geo_lng": 4.84}, {"venue": "Riverside park"}),
    "organizer": ({"organizer": "Friends", "email": "hello@friends.example"}, {"organizer": "Friends of the park"}),
    "category": ({"name": "Theatre"}, {"name": "Theatre and dance"}),
    "tag": ({"name": "children"}, {"name": "families"}),
}  # fmt: skip


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The generated package, importable."""
    folder = made_once(tmp_path_factory, "client", generate)
    sys.path.insert(0, str(folder))
    yield folder / PACKAGE
    sys.path.remove(str(folder))


def generate(folder: Path) -> None:
    source = folder / "document.json"
    source.write_text(json.dumps(document("Test calendar", NS, "en")), encoding="utf-8")
    command = Path(sys.executable).parent / "openapi-python-client"
    # It formats what it makes with tools that need not be there.
    config = folder / "config.json"
    config.write_text(json.dumps({"post_hooks": []}), encoding="utf-8")
    arguments = [
        "generate",
        "--path",
        source,
        "--meta",
        "none",
        "--output-path",
        folder / PACKAGE,
        "--config",
        config,
    ]
    made = subprocess.run([command, *arguments], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    warnings = [
        line
        for line in (made.stdout + made.stderr).splitlines()
        if line.startswith(("WARNING", "Unsupported", "Cannot"))
    ]
    assert warnings == [], "it understands everything"


@pytest.fixture
def client(world, package: Path) -> Any:
    transport = httpx.WSGITransport(app=world.client._transport.app)
    made = importlib.import_module(PACKAGE).AuthenticatedClient(
        base_url=NS,
        token=world.tokens["administrator"],
        httpx_args={"transport": transport},
        raise_on_unexpected_status=True,
    )
    return made


def call(group: str, operation: str, **arguments: Any) -> Any:
    return importlib.import_module(f"{PACKAGE}.api.{group}.{operation}").sync(**arguments)


def model(name: str) -> Any:
    return getattr(importlib.import_module(f"{PACKAGE}.models"), name)


def plain(record: Any) -> dict[str, Any]:
    found: dict[str, Any] = record.to_dict()
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_it_creates_lists_reads_updates_and_deletes(world, client, kind) -> None:
    body, change = RECORDS[kind.name]
    title = kind.name.capitalize()
    made = call(kind.plural, f"create_{kind.name}", client=client, body=model(f"Create{title}").from_dict(body))
    assert type(made).__name__ == ("Term" if kind.is_term else title)
    shown = world.get(f"/{kind.plural}/{made.id}", "administrator").json()
    assert set(plain(made)) >= set(shown) - {"json_ld"}
    read = call(kind.plural, f"read_{kind.name}", client=client, id=made.id)
    assert plain(read) == shown

    more = {"hide_empty": False} if kind.is_term else {}
    listed = plain(call(kind.plural, f"list_{kind.plural}", client=client, per_page=5, **more))
    assert listed[kind.plural][0]["id"] == made.id

    update = model(f"Update{title}").from_dict(change)
    for method in ("patch", "put", "post"):
        changed = call(kind.plural, f"update_{kind.name}_{method}", client=client, id=made.id, body=update)
        assert {name: plain(changed)[name] for name in change} == change

    gone = call(kind.plural, f"delete_{kind.name}", client=client, id=made.id)
    assert gone.id == made.id
    after = world.get(f"/{kind.plural}/{made.id}", "administrator")
    assert after.status_code == 404 if kind.is_term else after.json()["status"] == "trash"


def test_it_reads_what_is_embedded(client) -> None:
    made = call("events", "create_event", client=client, body=model("CreateEvent").from_dict(RECORDS["event"][0]))
    assert type(made.venue).__name__ == "Venue"
    assert made.venue.venue == "Town hall"
    assert [organizer.organizer for organizer in made.organizer] == ["Choir"]
    assert [tag.name for tag in made.tags] == ["outdoor"]
    assert made.cost_details.values == ["20"]
    assert made.image is False


def test_it_reads_errors(client) -> None:
    body = model("CreateEvent").from_dict({"title": "A", "start_date": "2027-01-02", "end_date": "2027-01-01"})
    error = call("events", "create_event", client=client, body=body)
    assert type(error).__name__ == "Error"
    assert error.code == "rest_invalid_param"
    assert error.data.status == 400
    missing = call("events", "read_event", client=client, id=999)
    assert (missing.code, missing.data.status) == ("rest-event-not-found", 404)


def test_filters_are_sent(world, client) -> None:
    world.make("events", title="One", featured=True)
    world.make("events", title="Two")
    listed = call("events", "list_events", client=client, featured=True, start_date="2027-01-01")
    assert [event.title for event in listed.events] == ["One"]
    ids = [event["id"] for event in world.get("/events").json()["events"]]
    listed = call("events", "list_events", client=client, include=ids[:1])
    assert [event.id for event in listed.events] == ids[:1]


def test_types_have_names_that_a_person_would_give(package: Path) -> None:
    """Not `CreateEventVenueType5ItemType4`, which is what a part of a union without a name becomes."""
    made = [path.stem for path in (package / "models").glob("*.py")]
    assert "record_reference" in made
    assert not [name for name in made if re.search(r"_type_\d|_items?_|_item$|additional_property", name)]


def test_only_what_is_required_has_to_be_written(client) -> None:
    body = model("CreateEvent")(
        title="Fair",
        start_date="2027-05-01 10:00",
        end_date="2027-05-01 18:00",
        venue=model("CreateVenue")(venue="Park"),
    )
    made = call("events", "create_event", client=client, body=body)
    assert (made.title, made.venue.venue) == ("Fair", "Park")
    # What a read shows can be sent again.
    change = model("UpdateEvent")(venue=model("RecordReference")(id=made.venue.id), status=model("PostStatus").DRAFT)
    changed = call("events", "update_event_patch", client=client, id=made.id, body=change)
    assert (changed.status, changed.venue.venue) == ("draft", "Park")
