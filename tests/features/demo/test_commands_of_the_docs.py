"""The commands of docs/api.md, copied one after the other into a shell, on the demo."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.clusters import free_port
from tests.features.demo.small_images import draw_little
from tests.forked import Forked, run_to_end
from tests.pictures import png
from tests.product.deploy.smoke import wait_for

ROOT = Path(__file__).parents[3]
PASSWORD = "correct horse battery"

pytestmark = [pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")]


def test_they_run_on_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from api_page import given
    from api_questions import QUESTIONS

    data, port = tmp_path / "data", free_port()
    address = f"http://127.0.0.1:{port}"
    environ = {name: value for name, value in os.environ.items() if not name.startswith("KALENDS_")}
    service = Forked(
        *("serve", "--demo", "--port", port, "--data", data, "--base-url", address),
        environ=environ | {"KALENDS_ADMIN_PASSWORD": PASSWORD},
        out=tmp_path / "log",
        before=draw_little,
    )
    try:
        wait_for(port, service)
        status, token, errors = run_to_end("token", "add", "admin", "--data", data, environ=environ)
        assert status == 0, errors
        environ |= {"NS": f"{address}/api/calendar/events/v1", "TOKEN": token.strip(), "PASSWORD": PASSWORD}
        (tmp_path / "poster.png").write_bytes(png(600, 400))
        wrong = []
        for step in (step for question in QUESTIONS for step in question.steps):
            command = re.sub(
                r"^curl", f"curl -sS -D {tmp_path}/head -o {tmp_path}/body -w '%{{http_code}}'", step.command
            )
            told = subprocess.run(
                ["bash", "-c", command], env=environ, cwd=tmp_path, capture_output=True, text=True, check=False
            )
            if told.stdout != str(step.status):
                wrong.append((step.command, told.stdout, told.stderr))
            elif step.gives is not None:
                name, place = step.gives
                body = re.sub(r"^HTTP/.*?\r\n\r\n", "", (tmp_path / "body").read_bytes().decode(), flags=re.DOTALL)
                lines = (tmp_path / "head").read_text().splitlines()
                headers = {key.title(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
                found = headers["Etag"] if place == "ETag" else given(place, {}, json.loads(body))
                environ[name] = found
        assert wrong == [], (tmp_path / "log").read_text()[-1000:]
    finally:
        service.terminate()
        service.wait(60)
