"""The Helm chart: helm accepts it, and Kubernetes accepts what it makes."""

import json
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from tests.product.deploy.programs import program

from kalends import __version__
from kalends.cli.serve import serve
from kalends.settings import TABLE

CHART = Path(__file__).parent.parent.parent.parent / "deploy" / "helm" / "kalends"
# The oldest that the chart takes, as far as schemas of it are there, and a new one.
KUBERNETES = ("1.25", "1.35")
CHANGES = "/api/calendar/events/v1/changes"
IMAGE = "registry.example.org/town/kalends"


def helm(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program("helm"), *arguments], capture_output=True, text=True, check=False)


def named(kind: str, name: str) -> str:
    """By its kind, where it has the name that most have."""
    return kind if name == "calendar" else f"{kind} {name}"


def made(tmp_path: Path, **values: Any) -> dict[str, Any]:
    """Everything that the chart makes with these values, as Kubernetes takes it. Raises ValueError."""
    file = tmp_path / "values.json"
    file.write_text(json.dumps({"image": {"repository": IMAGE}} | values))
    told = helm("template", "calendar", CHART, "--values", file)
    if told.returncode:
        raise ValueError(told.stderr)
    every = [one for one in yaml.safe_load_all(told.stdout) if one is not None]
    found = {named(one["kind"], one["metadata"]["name"]): one for one in every}
    for one in found.values():
        for version in KUBERNETES:
            kubernetes_validate.validate(one, version, strict=True)
    return found


def test_helm_accepts_the_chart() -> None:
    told = helm("lint", "--strict", CHART)
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_versions_agree() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (__version__, __version__)
    assert chart["kubeVersion"].startswith(f">={KUBERNETES[0]}.")


def test_the_pod_is_what_the_container_is(tmp_path: Path) -> None:
    found = made(tmp_path, baseUrl="https://calendar.example.org", settings={"KALENDS_RATE_LIMIT": "60"})
    assert set(found) == {"Deployment", "Service", "PersistentVolumeClaim"}
    assert found["Deployment"]["spec"]["strategy"]["type"] == "Recreate"
    pod = found["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert container["image"] == f"{IMAGE}:{__version__}"
    assert serve.make_context("serve", container["args"][1:]).params["port"] == container["ports"][0]["containerPort"]
    containerfile = (CHART.parents[1] / "Containerfile").read_text()
    user = f"{pod['securityContext']['runAsUser']}:{pod['securityContext']['runAsGroup']}"
    assert f"USER {user}" in containerfile
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/data", "/tmp"}
    named = {one["name"]: one.get("value") for one in container["env"]}
    assert set(named) <= {row.variable for row in TABLE.values()}
    assert (named["KALENDS_BASE_URL"], named["KALENDS_RATE_LIMIT"]) == ("https://calendar.example.org", "60")
    selector = found["Service"]["spec"]["selector"]
    assert selector.items() <= found["Deployment"]["spec"]["template"]["metadata"]["labels"].items()
    assert found["Deployment"]["spec"]["selector"]["matchLabels"] == selector


def test_it_asks_for_an_image_of_ones_own(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="build and push an image of your own"):
        made(tmp_path, image={"repository": ""})


def test_several_pods_need_a_database(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"database\.secret"):
        made(tmp_path, replicas=2)
    found = made(tmp_path, replicas=2, database={"secret": "database"}, settingsSecret="settings")
    container = found["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    secrets = [one["valueFrom"]["secretKeyRef"]["name"] for one in container["env"] if "valueFrom" in one]
    assert secrets == ["database", "database"]
    assert container["envFrom"] == [{"secretRef": {"name": "settings"}}]
    assert found["Deployment"]["spec"]["strategy"]["type"] == "RollingUpdate"


def test_the_ingress(tmp_path: Path) -> None:
    ingress = {"enabled": True, "className": "nginx", "tlsSecret": "certificate"}
    found = made(tmp_path, ingress=ingress, storage={"className": "fast"})
    spec = found["Ingress"]["spec"]
    assert (spec["rules"][0]["host"], spec["tls"][0]["secretName"]) == ("calendar.example.org", "certificate")
    assert found["PersistentVolumeClaim"]["spec"]["storageClassName"] == "fast"
    buffering = "nginx.ingress.kubernetes.io/proxy-buffering"
    assert found["Ingress"]["metadata"]["annotations"][buffering] == "on"
    waited_for = found["Ingress calendar-waited-for"]
    assert waited_for["metadata"]["annotations"] == found["Ingress"]["metadata"]["annotations"] | {buffering: "off"}
    assert [path["path"] for path in waited_for["spec"]["rules"][0]["http"]["paths"]] == ["/mcp", CHANGES]


@pytest.mark.parametrize("values", [{"replicas": 0}, {"baseUrl": "calendar"}, {"settings": {"x": "y"}}, {"typo": 1}])
def test_wrong_values_are_refused(tmp_path: Path, values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="values"):
        made(tmp_path, **values)
