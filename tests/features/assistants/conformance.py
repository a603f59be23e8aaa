"""`make conformance`: the official conformance suite of the Model Context Protocol against a service of its own.

The suite is made for SDKs: most of its scenarios call tools, resources and prompts of a test server of its own, which
a calendar has not. So each check that fails is looked at by what the suite says of it. Either it asked for such a
thing, or the target fails; and the table in docs/assistants.md must be the one that comes out.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
from tests.clusters import free_port

from kalends.features.assistants.tools import tools

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "assistants.md"
FOLDER = ROOT / ".venv" / "conformance" / "node_modules"
SUITE = FOLDER / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
REVISIONS = ("2026-07-28", "2025-11-25")
TIMEOUT = 300  # seconds for a revision

# Methods of capabilities that the service does not advertise.
NOT_OFFERED = ("completion/", "logging/", "prompts/", "resources/", "tasks/")
UNKNOWN_TOOL = re.compile(r"Unknown tool: (\w+)")
NO_SUCH_TOOL = re.compile(r"[Tt]ool '(\w+)'")
NO_METHOD = re.compile(r"Method not found: ([\w/]+)")
# Checks that follow one that could not be made, or that ask for what only an extension has.
FOLLOWING = {
    "sep-2322-multi-round-r1": "tool `test_input_required_result_multi_round`",
    "sep-2322-reject-tampered-state": "tool `test_input_required_result_tampered_state`",
    "sep-2663-tasks-get-status-working": "tool `slow_compute`",
    "sep-2663-tasks-get-status-completed": "tool `slow_compute`",
    "tasks-no-early-ttl-expiry": "tool `slow_compute`",
    "sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get": "tool `slow_compute`",
    "tasks-extension-advertised": "extension for tasks",
    "sep-2663-tasks-methods-non-declaring": "extension for tasks",
    "sep-2663-tasks-get-invalid-task-id-32602": "extension for tasks",
    "sep-2663-server-returns-missing-capability-when-required": "tool `failing_job`",
}
FAILED = "FAILURE"
COUNTED = ("SUCCESS", FAILED)


class Scenario(NamedTuple):
    """What the suite found in one scenario. `missing` is what it asked for that is not here, `wrong` is ours."""

    name: str
    passed: int
    failed: int
    missing: list[str]
    wrong: list[str]


def node() -> str:
    """A Node.js that the suite runs on: that of the machine, or the one that was installed for it."""
    found = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)
    if found.returncode == 0 and int(found.stdout.lstrip("v").partition(".")[0]) >= 22:
        return "node"
    return str(next(FOLDER.glob("node-linux-*/bin/node")))


def serve(data: str, port: int) -> subprocess.Popen[bytes]:
    command = [Path(sys.executable).with_name("kalends"), "serve", "--port", str(port), "--data", data]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def is_up(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    except httpx.TransportError:
        return False


def missing_for(check: str, message: str) -> str | None:
    """What a check asked for that a calendar has not; none: it failed for another reason."""
    if check in FOLLOWING:
        return FOLLOWING[check]
    if found := UNKNOWN_TOOL.search(message) or NO_SUCH_TOOL.search(message):
        return None if found[1] in tools() else f"tool `{found[1]}`"
    if (found := NO_METHOD.search(message)) and found[1].startswith(NOT_OFFERED):
        return f"method `{found[1]}`"
    if "no tool with x-mcp-header annotations" in message:
        return "tool whose arguments are mirrored into headers"
    return None


def scenarios(folder: Path) -> Iterator[Scenario]:
    """Everything that a run of the suite wrote, in the order of the names."""
    for file in sorted(folder.glob("*/checks.json")):
        name = re.sub(r"^server-(.+?)-\d{4}-\d\d-\d\dT.*$", r"\1", file.parent.name)
        passed, missing, wrong = 0, [], []
        counted = [check for check in json.loads(file.read_text()) if check["status"] in COUNTED]
        for check in counted:
            if check["status"] != FAILED:
                passed += 1
                continue
            message = str(check.get("errorMessage") or check.get("details"))
            if (lacking := missing_for(check["id"], message)) is None:
                wrong.append(f"{check['id']}: {message}")
            else:
                missing.append(lacking)
        yield Scenario(name, passed, len(counted) - passed, list(dict.fromkeys(missing)), wrong)


def table(revision: str, found: list[Scenario]) -> str:
    """A revision as it is shown in the documentation."""
    checks, failed = sum(one.passed for one in found), sum(one.failed for one in found)
    lines = [
        f"**{revision}**: {checks} checks pass, {failed} ask for what is not here.",
        "",
        "| scenario | pass | not here | what it asks for |",
        "|---|---|---|---|",
    ]
    lines += [f"| {one.name} | {one.passed} | {one.failed or ''} | {', '.join(one.missing)} |" for one in found]
    return "\n".join(lines) + "\n"


def run_suite(revision: str, port: int, folder: Path) -> list[Scenario]:
    command = [node(), str(SUITE), "server", "--url", f"http://127.0.0.1:{port}/mcp", "--output-dir", str(folder)]
    told = subprocess.run(
        [*command, "--requirements", revision], capture_output=True, text=True, check=False, timeout=TIMEOUT
    )
    found = list(scenarios(folder))
    if not found:
        raise SystemExit(f"{revision}: no results\n{told.stdout[-2000:]}\n{told.stderr[-2000:]}")
    return found


def main() -> int:
    port, good = free_port(), True
    with tempfile.TemporaryDirectory() as data:
        service = serve(data, port)
        try:
            while not is_up(port):
                time.sleep(0.2)
            for revision in REVISIONS:
                found = run_suite(revision, port, Path(data) / revision)
                made = table(revision, found)
                print(made)
                for wrong in [wrong for one in found for wrong in one.wrong]:
                    good = False
                    print(f"FAILED {wrong}", file=sys.stderr)
                if made not in PAGE.read_text():
                    good = False
                    print(f"docs/assistants.md has another table for {revision}", file=sys.stderr)
        finally:
            service.terminate()
            service.wait(30)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
