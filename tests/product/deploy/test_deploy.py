"""The files in deploy/: they agree with each other, with the settings and with the program they start."""

import configparser
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from ipaddress import ip_network
from pathlib import Path, PurePosixPath

import httpx
import pytest
import yaml
from tests.clusters import free_port
from tests.waiting import until

from kalends.cli.serve import serve, welcome
from kalends.settings import TABLE, load

ROOT = Path(__file__).parent.parent.parent.parent
DEPLOY = ROOT / "deploy"
VARIABLES = {row.variable: row for row in TABLE.values()}
SECONDS = 60


def instructions():
    """The Containerfile as pairs of an instruction and what follows it."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Containerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line.strip()]


def last(name):
    return [rest for instruction, rest in instructions() if instruction == name][-1]


COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
NODES = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "kalends"}
UNIT = configparser.ConfigParser(interpolation=None, strict=False)
UNIT.optionxform = str
UNIT.read(DEPLOY / "kalends.service")
# Commented lines count: they are meant to be uncommented.
EXAMPLE = dict(re.findall(r"^#?([A-Z][A-Z_0-9]*)=(.*)$", (DEPLOY / "example.env").read_text(), re.MULTILINE))

ENTRY = [*json.loads(last("ENTRYPOINT")), *json.loads(last("CMD"))]
HEALTH = json.loads(last("HEALTHCHECK").partition("CMD")[2])
UNIT_COMMAND = shlex.split(UNIT["Service"]["ExecStart"])
COMMANDS = {
    "Containerfile": ENTRY,
    **{name: [*ENTRY[:1], *node["command"]] for name, node in NODES.items()},
    "kalends.service": UNIT_COMMAND,
}


def options(command):
    """The options with which the program would start, read by the program itself."""
    assert PurePosixPath(command[0]).name == "kalends"
    assert command[1] == "serve"
    return serve.make_context("serve", command[2:]).params


def named_settings():
    """Every setting in any of the files: where it stands, its variable and its value."""
    for name, value in re.findall(r"(KALENDS_\w+)=(\S*)", last("ENV")):
        yield "Containerfile", name, value
    for service, node in NODES.items():
        for name, value in node["environment"].items():
            yield service, name, value
    for name, value in EXAMPLE.items():
        yield "example.env", name, value
    yield "kalends.service", *UNIT["Service"]["Environment"].split("=", 1)


def test_every_named_setting_exists_and_its_value_is_valid():
    named = [row for row in named_settings() if row[1].startswith("KALENDS_")]
    assert {where for where, _, _ in named} == {"Containerfile", *NODES, "example.env", "kalends.service"}
    for where, variable, value in named:
        assert variable in VARIABLES, f"{where}: {variable}"
        VARIABLES[variable].parse(value, where)
    both = {name: value for where, name, value in named if where in ("kalends-a", "example.env")}
    assert load(None, {}, both).database == "postgresql://kalends@database/kalends"


def test_no_file_locks_what_people_set_in_the_admin():
    """A setting of the environment cannot be changed there."""
    assert not [(where, name) for where, name, _ in named_settings() if name in VARIABLES and VARIABLES[name].section]


@pytest.mark.parametrize("where", COMMANDS)
def test_the_program_accepts_every_command(where):
    assert options(COMMANDS[where])["port"] == 8000


def test_a_container_listens_on_all_interfaces_and_the_unit_on_loopback():
    hosts = {where: options(command)["host"] for where, command in COMMANDS.items()}
    assert hosts == {where: "127.0.0.1" if where == "kalends.service" else "0.0.0.0" for where in COMMANDS}


def test_the_link_in_the_log_of_a_container_can_be_opened(capsys):
    welcome(load(None, {}, {}), "0.0.0.0", 8000, None, ("Open this link.", "secret"))
    assert "http://localhost:8000/admin/link?key=secret" in capsys.readouterr().out


def test_the_ports_agree():
    assert last("EXPOSE") == "8000"
    assert "'127.0.0.1', 8000" in HEALTH[2]
    upstreams = re.search(r"\{\$NODES:([^}]*)\}", (DEPLOY / "Caddyfile").read_text())[1]
    assert upstreams.split() == [f"{name}:8000" for name in NODES]
    assert len(NODES) == 2


# The image


def test_the_image_copies_exactly_the_allowed_files():
    allowed = [
        line[1:] for line in (DEPLOY / "Containerfile.dockerignore").read_text().splitlines() if line[:1] == "!"
    ]
    copied = [word for name, rest in instructions() if name == "COPY" and "--from" not in rest
              for word in rest.split()[:-1]]  # fmt: skip
    assert copied
    for name in copied:
        assert (ROOT / name).exists(), name
        assert any(PurePosixPath(name).match(pattern) for pattern in allowed), name
    # What pyproject.toml reads has to be there when the package is built.
    assert {"README.md", "LICENSE", "requirements.in", "requirements-s3.in", "src"} <= set(copied)


def test_everything_installed_is_pinned():
    installs = [step for name, rest in instructions() if name == "RUN" for step in rest.split("&&")
                if " install " in step and "pip" in step]  # fmt: skip
    assert len(installs) == 3
    for step in installs:
        assert ("--require-hashes" in step) != ("--no-index" in step), step
    assert "-r requirements-s3.txt" in " ".join(installs)


def test_the_container_does_not_run_as_root():
    assert last("USER") == "10001:10001"
    names = [name for name, _ in instructions()]
    assert names.index("USER") > max(index for index, name in enumerate(names) if name == "RUN")
    assert last("VOLUME") == re.search(r"KALENDS_DATA=(\S+)", last("ENV"))[1] == "/data"


# The nodes together


def test_what_compose_refers_to_exists():
    for service in COMPOSE["services"].values():
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert (DEPLOY / source).is_file() if source.startswith(".") else source in COMPOSE["volumes"]
        assert set(service["networks"]) <= set(COMPOSE["networks"])
    for node in NODES.values():
        assert (DEPLOY / node["build"]["context"] / node["build"]["dockerfile"]).samefile(DEPLOY / "Containerfile")
        assert node["env_file"] == ".env"
        assert "data:/data" in node["volumes"]
    written = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    assert written <= set(EXAMPLE)
    assert "{$SITE_ADDRESS:" in (DEPLOY / "Caddyfile").read_text()


def test_services_that_others_depend_on_have_a_health_check():
    awaited = {name for service in COMPOSE["services"].values() for name, condition in
               service.get("depends_on", {}).items() if condition["condition"] == "service_healthy"}  # fmt: skip
    assert awaited == {"database", *NODES}
    for name in awaited:
        # The health check of the nodes is in their image.
        assert "healthcheck" in COMPOSE["services"][name] or name in NODES


def test_the_nodes_trust_only_the_proxy():
    network = COMPOSE["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert ip_network(network).is_private
    for node in NODES.values():
        assert node["environment"]["KALENDS_TRUSTED_PROXIES"] == network
        assert "ports" not in node
    assert "ports" not in COMPOSE["services"]["database"]


def test_the_proxy_drops_the_forwarded_header_of_clients():
    # It writes X-Forwarded-* itself, and would let this one through.
    assert "header_up -Forwarded" in (DEPLOY / "Caddyfile").read_text()


def test_the_files_contain_no_secrets():
    secrets = {name: value for name, value in EXAMPLE.items() if re.search("PASSWORD|SECRET|KEY", name)}
    assert set(secrets) == {
        "POSTGRES_PASSWORD", "KALENDS_ADMIN_PASSWORD", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
    }  # fmt: skip
    assert set(secrets.values()) == {""}
    for service in COMPOSE["services"].values():
        for name, value in service.get("environment", {}).items():
            assert "PASSWORD" not in name or value.startswith("${POSTGRES_PASSWORD:?"), name


# The unit


def test_the_unit_stores_its_data_in_its_state_directory():
    unit = UNIT["Service"]
    assert unit["Environment"] == f"KALENDS_DATA=/var/lib/{unit['StateDirectory']}"
    assert (unit["User"], unit["ProtectSystem"], unit["NoNewPrivileges"]) == ("kalends", "strict", "yes")
    assert (unit["Restart"], unit["CapabilityBoundingSet"]) == ("on-failure", "")


# What is started, and asked for its health


@contextmanager
def started(command, port, data):
    """The container's command as a process of this machine."""
    words = [word.replace("0.0.0.0", "127.0.0.1").replace("8000", str(port)) for word in command[1:]]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("KALENDS_")}
    with (data.parent / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", "from kalends.cli import main; main()", *words],
            env=environ | {"KALENDS_DATA": str(data)},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):  # it is gone already
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(SECONDS)


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def is_healthy(port):
    command = [sys.executable, *HEALTH[1:2], HEALTH[2].replace("8000", str(port))]
    return subprocess.run(command, capture_output=True, timeout=SECONDS).returncode == 0


def test_the_container_is_healthy_when_its_command_runs_and_not_before(tmp_path):
    assert HEALTH[:2] == ["python", "-c"]
    port = free_port()
    assert not is_healthy(port)
    with started(ENTRY, port, tmp_path / "data") as process:
        # Once it listens, the check, which starts a program, need not be tried often.
        for is_so in (is_open, is_healthy):
            until(lambda: process.poll() is not None or is_so(port), SECONDS)  # noqa: B023
            assert process.poll() is None, (tmp_path / "log").read_text()
        assert httpx.get(f"http://127.0.0.1:{port}/readyz").json() == {"ready": True}
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 0
    assert not is_healthy(port)
