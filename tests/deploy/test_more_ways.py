"""Other ways to run Kalends: nginx, Caddy, Helm; versions that agree, and what a release consists of."""

import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import jsonschema
import pytest
import yaml
from tests.clusters import free_port
from tests.deploy.chart_templates import render

from kalends import __version__
from kalends.cli.serve import serve
from kalends.server.admin.imports import LARGEST_FILE
from kalends.settings import TABLE

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "helm" / "kalends"
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
SCHEMA = json.loads((CHART / "values.schema.json").read_text())
sys.path.insert(0, str(ROOT / "scripts"))

import release  # noqa: E402


def megabytes(text):
    return int(re.search(r"(\d+)m\b", text)[1]) * 1024 * 1024


def test_nginx_takes_what_imports_take():
    text = (DEPLOY / "nginx.conf").read_text()
    assert megabytes(re.search(r"client_max_body_size.*", text)[0]) == LARGEST_FILE
    assert text in (ROOT / "docs" / "operating.md").read_text()
    assert megabytes(str(VALUES["ingress"]["annotations"])) == LARGEST_FILE


@pytest.mark.skipif(shutil.which("nginx", path="/usr/sbin:/usr/bin") is None, reason="nginx is not installed")
def test_nginx_accepts_its_configuration(tmp_path):
    (tmp_path / "site.conf").write_text(
        (DEPLOY / "nginx.conf").read_text().replace("listen 80", f"listen {free_port()}")
    )
    paths = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}}"
        f" http {{ access_log off; {paths} include {tmp_path}/site.conf; }}"
    )
    command = [shutil.which("nginx", path="/usr/sbin:/usr/bin"), "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
def test_caddy_accepts_its_configuration():
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize("unit", ["kalends.service", "kalends-sync.service"])
def test_the_sandbox_of_a_unit_is_tight(unit):
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", DEPLOY / unit]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Unknown" in told.stderr or "unrecognized" in told.stderr:
        pytest.skip("this systemd cannot look at files")
    assert told.returncode == 0, told.stdout[-500:] + told.stderr


def test_images_have_minor_versions():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    images = [service["image"] for service in compose["services"].values() if service["image"] != "kalends"]
    images += re.findall(r"^ARG PYTHON=(\S+)", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    assert len(images) == 3
    for image in images:
        assert re.search(r"\d+\.\d+", image), image


# The chart


def documents(**values):
    """Everything that the chart makes with these values."""
    merged = {**VALUES, **values}
    jsonschema.Draft202012Validator(SCHEMA).validate(merged)
    context = {"Values": merged, "Release": {"Name": "calendar"}, "Chart": {"AppVersion": __version__}}
    found = {}
    for path in sorted((CHART / "templates").glob("*.yaml")):
        document = yaml.safe_load(render(path.read_text(), context))
        if document is not None:
            found[document["kind"]] = document
    return found


def test_the_versions_agree():
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (__version__, __version__)


def test_the_pod_is_what_the_container_is():
    made = documents(baseUrl="https://calendar.example.org", settings={"KALENDS_SITE_NAME": "Town"})
    assert set(made) == {"Deployment", "Service", "PersistentVolumeClaim"}
    assert made["Deployment"]["spec"]["strategy"]["type"] == "Recreate"
    pod = made["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert container["image"] == f"kalends:{__version__}"
    assert serve.make_context("serve", container["args"][1:]).params["port"] == container["ports"][0]["containerPort"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/data", "/tmp"}
    variables = {row.variable for row in TABLE.values()}
    named = {one["name"]: one.get("value") for one in container["env"]}
    assert set(named) <= variables
    assert (named["KALENDS_BASE_URL"], named["KALENDS_SITE_NAME"]) == ("https://calendar.example.org", "Town")
    selector = made["Service"]["spec"]["selector"]
    assert selector.items() <= made["Deployment"]["spec"]["template"]["metadata"]["labels"].items()
    assert made["Deployment"]["spec"]["selector"]["matchLabels"] == selector


def test_several_pods_need_a_database():
    with pytest.raises(jsonschema.ValidationError):
        documents(replicas=2)
    made = documents(replicas=2, database={"secret": "database"}, settingsSecret="settings")
    container = made["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    secrets = [one["valueFrom"]["secretKeyRef"]["name"] for one in container["env"] if "valueFrom" in one]
    assert secrets == ["database", "database"]
    assert container["envFrom"] == [{"secretRef": {"name": "settings"}}]
    assert made["Deployment"]["spec"]["strategy"]["type"] == "RollingUpdate"


def test_the_ingress():
    ingress = {**VALUES["ingress"], "enabled": True, "className": "nginx", "tlsSecret": "certificate"}
    made = documents(ingress=ingress, storage={**VALUES["storage"], "className": "fast"})
    spec = made["Ingress"]["spec"]
    assert (spec["rules"][0]["host"], spec["tls"][0]["secretName"]) == ("calendar.example.org", "certificate")
    assert made["PersistentVolumeClaim"]["spec"]["storageClassName"] == "fast"


@pytest.mark.parametrize("values", [{"replicas": 0}, {"baseUrl": "calendar"}, {"settings": {"x": "y"}}, {"typo": 1}])
def test_wrong_values_are_refused(values):
    with pytest.raises(jsonschema.ValidationError):
        documents(**values)


@pytest.mark.skipif(shutil.which("helm") is None, reason="helm is not installed")
def test_helm_accepts_the_chart():
    told = subprocess.run(["helm", "lint", "--strict", CHART], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


# A release


def test_the_bill_of_materials_has_every_requirement():
    made = release.bill_of_materials(__version__, 1_800_000_000)
    pinned = re.findall(r"^([A-Za-z0-9._-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert [one["name"] for one in made["components"]] == pinned
    assert made == release.bill_of_materials(__version__, 1_800_000_000)
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")


def test_release_notes_are_those_of_the_version():
    changelog = (
        "# Changelog\n\n## [Unreleased]\n\n- later\n\n## [1.2.0] - 2027-01-01\n\n- now\n\n## [1.1.0]\n\n- before\n"
    )
    assert release.release_notes("1.2.0", changelog) == "# Kalends 1.2.0\n\n- now\n"
    assert release.release_notes("2.0.0", changelog) == "# Kalends 2.0.0\n\n- later\n"
    with pytest.raises(SystemExit):
        release.release_notes("2.0.0", "# Changelog\n")


def test_the_wheel_has_everything_and_nothing_else(tmp_path):
    try:
        release.build(tmp_path, 1_800_000_000)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"this is no clone: {error}")
    (wheel,) = tmp_path.glob("*.whl")
    told = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "HEAD", "src"], cwd=ROOT, capture_output=True, text=True
    )
    tracked = {name.removeprefix("src/") for name in told.stdout.split()}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == {name for name in tracked if not name.endswith(".md")} | (packed & tracked)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as tar:
        assert {member.mtime for member in tar} == {1_800_000_000}
