"""Programs that judge what is in deploy/, and its proxies: from Debian's packages, or from those of the tests."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from tests.clusters import free_port
from tests.waiting import until

PLACES = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/usr/sbin"
DEPLOY = Path(__file__).parents[3] / "deploy"
KINDS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")  # of nginx's files


def program(name: str) -> str:
    """Where a program is; without it, the test is skipped and says so."""
    found = shutil.which(name, path=PLACES)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def nginx_at(folder: Path, port: int, node: int = 8000) -> list[str | Path]:
    """A command for nginx with our configuration, which listens on this port, in front of a node on that one."""
    site = (DEPLOY / "nginx.conf").read_text().replace("listen 80;", f"listen 127.0.0.1:{port};")
    (folder / "site.conf").write_text(site.replace("127.0.0.1:8000", f"127.0.0.1:{node}"))
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in KINDS)
    user = "user root; " if os.getuid() == 0 else ""  # the folder is that of who runs the tests
    (folder / "nginx.conf").write_text(
        f"{user}pid {folder}/pid; error_log {folder}/log; daemon off; events {{}}"
        f" http {{ access_log off; {paths} include {folder}/site.conf; }}"
    )
    return [program("nginx"), "-p", folder, "-c", folder / "nginx.conf"]


def caddyfile(folder: Path, port: int | None = None) -> Path:
    """Our configuration as the installed Caddy writes it: before 2.6.3, buffers had other names."""
    text = (DEPLOY / "Caddyfile").read_text()
    told = subprocess.run([program("caddy"), "version"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, re.findall(r"\d+", told)[:3])) < (2, 6, 3):
        text = text.replace("request_buffers 16MiB", "buffer_requests\n\tmax_buffer_size 16MiB")
        text = text.replace("response_buffers 16MiB", "buffer_responses")
    if port is not None:
        text = f"{{\n\tadmin off\n}}\n{text.replace('{$SITE_ADDRESS::80}', f'http://:{port}')}"
    file = folder / "Caddyfile"
    file.write_text(text)
    return file


@contextmanager
def proxy(name: str, folder: Path, node: int) -> Iterator[str]:
    """The address of a proxy of deploy/ that runs in front of a node on this port."""
    port, environ = free_port(), os.environ | {"NODES": f"127.0.0.1:{node}", "HOME": str(folder)}
    if name == "nginx":
        command = nginx_at(folder, port, node)
    else:
        command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", caddyfile(folder, port)]
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        with suppress(httpx.TransportError):
            return httpx.get(f"{address}/healthz", timeout=10).status_code == 200
        return False

    with (
        (folder / "out").open("wb") as out,
        subprocess.Popen(command, stdout=out, stderr=out, env=environ) as process,
    ):
        try:
            until(lambda: answers() or process.poll() is not None)
            assert process.poll() is None, (folder / "out").read_text()
            yield address
        finally:
            process.terminate()
            process.wait(60)
