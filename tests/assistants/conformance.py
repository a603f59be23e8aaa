"""`make conformance`: the official conformance suite of the Model Context Protocol against a service of its own.

The suite is made for SDKs. Most of its scenarios call tools, resources and prompts with names of their own (a "test
server"), which a calendar has not: those are told as such, and only another failure counts.
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from tests.clusters import free_port

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / ".venv" / "conformance" / "node_modules"
SUITE = FOLDER / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
REVISIONS = ("2026-07-28", "2025-11-25")
SUMMARY = re.compile(r"^[✓✗] ([\w.-]+): (\d+) passed, (\d+) failed$", re.MULTILINE)
NEEDS_TEST_TOOL = "needs a tool of the suite's own test server"
NOT_OFFERED = "not offered: resources, prompts, completion, logging, subscriptions"
CLIENT_INPUT = "not offered: tools that ask the client for input"
EXTENSION = "not offered: the extension for tasks"
# Scenarios that cannot pass here, by the beginning of their names, with the reason; the others must.
EXPECTED = {
    "server-stateless": "21 of its checks pass; 4 need tools of the suite's own test server",
    "caching": "tools and discovery pass; resources and prompts are not offered",
    "completion-": NOT_OFFERED,
    "logging-": NOT_OFFERED,
    "resources-": NOT_OFFERED,
    "prompts-": NOT_OFFERED,
    "tools-call-": NEEDS_TEST_TOOL,
    "json-schema-2020-12": NEEDS_TEST_TOOL,
    "http-custom-header-server-validation": "needs a tool whose arguments are mirrored into headers",
    "elicitation-": CLIENT_INPUT,
    "input-required-": CLIENT_INPUT,
    "tasks-": EXTENSION,
}
MOST_FAILED = {"server-stateless": 4, "caching": 3}  # checks; more is a defect of ours


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


def reason_of(scenario: str, failed: int) -> str | None:
    if failed > MOST_FAILED.get(scenario, failed):
        return None
    return next((reason for name, reason in EXPECTED.items() if scenario.startswith(name)), None)


def report(revision: str, output: str) -> bool:
    """Prints the result of a revision; whether it is as it should be."""
    found = [(name, int(passed), int(failed)) for name, passed, failed in SUMMARY.findall(output)]
    whole = [name for name, _, failed in found if not failed]
    print(f"\n{revision}: {len(found)} scenarios, {len(whole)} pass: {', '.join(whole)}")
    print(f"  checks: {sum(row[1] for row in found)} passed, {sum(row[2] for row in found)} failed or not testable")
    reasons: dict[str, list[str]] = {}
    for name, _, failed in found:
        if failed:
            reasons.setdefault(reason_of(name, failed) or "UNEXPECTED", []).append(name)
    for reason, names in reasons.items():
        print(f"  {reason}: {', '.join(names)}")
    return bool(found) and "UNEXPECTED" not in reasons


def main() -> int:
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        service = serve(data, port)
        try:
            while not is_up(port):
                time.sleep(0.2)
            good = True
            for revision in REVISIONS:
                command = [node(), str(SUITE), "server", "--url", f"http://127.0.0.1:{port}/mcp"]
                ran = subprocess.run(
                    [*command, "--requirements", revision], cwd=data, capture_output=True, text=True, check=False
                )
                good = report(revision, ran.stdout) and good
                if not good:
                    print(ran.stdout[-4000:], ran.stderr[-2000:], file=sys.stderr)
        finally:
            service.terminate()
            service.wait(30)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
