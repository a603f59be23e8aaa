"""Whether an installed Kalends works, with nothing but Python: the commands, a calendar with the demo, its pages, its
API and its tools. `make release` runs it with the wheel in an empty environment."""

import base64
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

KALENDS = Path(sys.executable).with_name("kalends")
PASSWORD = "smoke and mirrors"
NS = "/api/calendar/events/v1"


def ask(port: int, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    sent = None if body is None else json.dumps(body)
    with closing(connection):
        connection.request(method, path, sent, {"Content-Type": "application/json", **headers})
        response = connection.getresponse()
        return response.status, response.read().decode("utf-8", "replace")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int, process: Any) -> str:
    for _ in range(600):
        if process.poll() is not None:
            raise SystemExit("the service ended")
        try:
            status, text = ask(port, "GET", "/healthz")
        except OSError:
            time.sleep(0.2)
            continue
        assert status == 200, text
        return text
    raise SystemExit("the service does not start")


def get(port: int, path: str, **headers: str) -> str:
    status, text = ask(port, "GET", path, **headers)
    assert status == 200, (path, status, text[:300])
    return text


def check(port: int, version: str, health: str) -> None:
    """The same for every way to install it."""
    assert version in health, health
    assert json.loads(get(port, f"{NS}/events?per_page=5"))["total"] > 100
    login = base64.b64encode(f"admin:{PASSWORD}".encode()).decode()
    new = {"title": "Smoke", "start_date": "tomorrow 7pm", "end_date": "tomorrow 8pm"}
    status, text = ask(port, "POST", f"{NS}/events", new, Authorization=f"Basic {login}")
    assert status == 201, text
    made = json.loads(text)
    assert "Smoke" in get(port, made["url"].partition(f":{port}")[2])
    for path in ("/events/", "/events.ics", "/docs", f"{NS}/doc", "/sitemap.xml", "/llms.txt", "/admin/sign-in"):
        get(port, path)
    page = get(port, "/events/month", **{"Accept-Language": "de"})
    assert 'lang="de"' in page, "there are no translations"
    assets = re.findall(r'(?:href|src)="[^"]*?(/static/[^"]+)"', page)
    assert assets
    for asset in assets:
        get(port, asset)
    params = {"name": "read_event", "arguments": {"id": made["id"]}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert "Smoke" in ask(port, "POST", "/mcp", message)[1]


def main() -> None:
    told = subprocess.run([KALENDS, "--version"], capture_output=True, text=True, check=True).stdout
    version = told.split()[-1]
    with tempfile.TemporaryDirectory() as data:
        port = free_port()
        command = [KALENDS, "serve", "--demo", "--port", str(port), "--data", data]
        environ = os.environ | {"KALENDS_ADMIN_PASSWORD": PASSWORD}
        with (Path(data) / "log").open("wb") as log:
            process = subprocess.Popen(command, env=environ, stdout=log, stderr=log)
        try:
            check(port, version, wait_for(port, process))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        subprocess.run([KALENDS, "check", "--data", data], check=True, stdout=subprocess.DEVNULL)
    print(f"kalends {version} works")


if __name__ == "__main__":
    main()
