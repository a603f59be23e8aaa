"""The ceiling of any server: nginx, sending one of the recorded responses of Kalends from a file."""

import json
import os
import shutil
import sys
from pathlib import Path

CONFIGURATION = """
daemon off;
pid {folder}/pid;
error_log stderr crit;
worker_processes {workers};
{user}
events {{ worker_connections 1024; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    open_file_cache max=10;
    default_type application/json;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        root {folder};
        location / {{ try_files /response.json =404; }}
    }}
}}
"""


def program() -> str | None:
    """Debian keeps it where only root looks."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def main() -> None:
    port, workers, responses, folder = sys.argv[1:]
    nginx = program()
    assert nginx is not None
    Path(folder).mkdir(exist_ok=True)
    # Whatever is asked for: the one of median length, as a file has no query.
    bodies = sorted((one["body"].encode() for one in json.loads(Path(responses).read_text())), key=len)
    (Path(folder) / "response.json").write_bytes(bodies[len(bodies) // 2])
    user = "user root root;" if os.geteuid() == 0 else ""  # else its workers could not read the file
    text = CONFIGURATION.format(folder=folder, workers=workers, port=port, user=user)
    (Path(folder) / "nginx.conf").write_text(text)
    os.execv(nginx, (nginx, "-e", "stderr", "-c", f"{folder}/nginx.conf"))  # noqa: S606


if __name__ == "__main__":
    main()
