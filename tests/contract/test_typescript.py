"""Types that openapi-typescript makes from the document: a program in TypeScript compiles with them, and creates,
lists and reads an error."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from tests.conftest import World

from kalends.present.openapi import document

ROOT = Path(__file__).parent.parent.parent
MODULES = ROOT / ".venv" / "npm" / "node_modules"
OPTIONS = [
    "--strict",
    "--skipLibCheck",
    "--module",
    "nodenext",
    "--moduleResolution",
    "nodenext",
    "--target",
    "es2022",
]
PROGRAM = """
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const client = createClient<paths>({
  baseUrl: process.env.NS as string,
  headers: { Authorization: `Bearer ${process.env.TOKEN}` },
});

// Nothing but what is required has to be written.
const least: components["schemas"]["CreateEvent"] = { title: "Fair", start_date: "2027-05-01", end_date: "+1 year" };
const more = { venue: { venue: "Park" }, tags: ["open air"], cost: 5 };
const made = await client.POST("/events", { body: { ...least, ...more } });
if (!made.data) throw new Error(JSON.stringify(made.error));
const id: number = made.data.id;

const listed = await client.GET("/events", { params: { query: { search: "fair", per_page: 5, featured: false } } });
const titles: string[] = (listed.data?.events ?? []).map((event) => event.title);

const changed = await client.PATCH("/events/{id}", { params: { path: { id } }, body: { all_day: true } });
const allDay: boolean | null | undefined = changed.data?.all_day;

const wrong = await client.POST("/events", { body: { ...least, end_date: "2026-01-01" } });
const code: string | undefined = wrong.error?.code;
const status: number | undefined = wrong.error?.data.status;

console.log(JSON.stringify({ id, titles, allDay, code, status }));
"""


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def address(world: World) -> Iterator[str]:
    """The application of a test at a port of this machine."""
    server = make_server("127.0.0.1", 0, world.front, handler_class=Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/api/calendar/events/v1"
    server.shutdown()
    server.server_close()
    thread.join(10)


@pytest.mark.skipif(
    not (MODULES / "openapi-typescript").is_dir() or not (MODULES / "typescript").is_dir(),
    reason="openapi-typescript comes from npm: make test",
)
def test_a_typed_program_compiles_and_runs(world: World, address: str, tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(MODULES)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "document.json").write_text(json.dumps(document("Test calendar", address, "en")))
    (tmp_path / "program.ts").write_text(f"declare const process: {{ env: Record<string, string> }};\n{PROGRAM}")

    def run(*command: str) -> str:
        environ = os.environ | {"NS": address, "TOKEN": world.tokens["editor"], "NO_COLOR": "1"}
        told = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stdout + told.stderr
        return told.stdout

    run("node", "node_modules/openapi-typescript/bin/cli.js", "document.json", "--output", "schema.ts")
    run("node", "node_modules/typescript/bin/tsc", *OPTIONS, "program.ts")
    found = json.loads(run("node", "program.js"))
    assert found == {
        "id": found["id"],
        "titles": ["Fair"],
        "allDay": True,
        "code": "rest_invalid_param",
        "status": 400,
    }
    schema = (tmp_path / "schema.ts").read_text()
    assert "title: string" in schema
    assert 'venue?: false | number | string | components["schemas"]["CreateVenue"]' in schema


def test_the_title_is_not_that_of_the_site() -> None:
    """Generators name packages and classes after it."""
    first, second = (document(name, "http://calendar.test", "en")["info"]["title"] for name in ("One", "Two"))
    assert first == second


def test_bodies_have_no_defaults() -> None:
    """Generators of types take a property that has one for a required one."""
    schemas = document("Test calendar", "http://calendar.test", "en")["components"]["schemas"]
    for name, schema in schemas.items():
        if name.startswith(("Create", "Update", "Put")):
            assert not [key for key, one in schema["properties"].items() if "default" in one], name
