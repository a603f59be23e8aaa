"""Other ways to run Kalends: proxies, systemd; the container linted; and what a release consists of."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml
from tests.clusters import free_port
from tests.product.deploy.programs import caddyfile, nginx_at, program

from kalends import __version__
from kalends.features.importing.admin.import_list import LARGEST_FILE

ROOT = Path(__file__).parent.parent.parent.parent
DEPLOY = ROOT / "deploy"
sys.path.insert(0, str(ROOT / "scripts"))

import release  # noqa: E402


def megabytes(text):
    return int(re.search(r"(\d+)m\b", text)[1]) * 1024 * 1024


def test_nginx_takes_what_imports_take():
    text = (DEPLOY / "nginx.conf").read_text()
    assert megabytes(re.search(r"client_max_body_size.*", text)[0]) == LARGEST_FILE
    assert text in (ROOT / "docs" / "operating.md").read_text()
    values = yaml.safe_load((DEPLOY / "helm" / "kalends" / "values.yaml").read_text())
    assert megabytes(str(values["ingress"]["annotations"])) == LARGEST_FILE


def accepts(*command):
    """Runs a program that judges; what it says where it does not accept."""
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout[-1500:] + told.stderr


def test_nginx_accepts_its_configuration(tmp_path):
    accepts(*nginx_at(tmp_path, free_port()), "-t")


def test_caddy_accepts_its_configuration(tmp_path):
    accepts(program("caddy"), "validate", "--adapter", "caddyfile", "--config", caddyfile(tmp_path))


def test_the_containerfile_has_nothing_to_complain_about():
    accepts(program("hadolint"), "--no-color", DEPLOY / "Containerfile")


def test_systemd_understands_the_units(tmp_path):
    """Every line of them: a directive that it does not know would be ignored, and with it a part of the sandbox."""
    analyze = program("systemd-analyze")
    units = [tmp_path / path.name for path in sorted(DEPLOY.glob("kalends*.*")) if path.suffix != ".conf"]
    assert len(units) == 1
    for unit in units:
        text = (DEPLOY / unit.name).read_text()
        unit.write_text(text.replace("/opt/kalends/bin/kalends", str(Path(sys.executable).with_name("kalends"))))
    told = subprocess.run([analyze, "verify", "--man=no", *units], capture_output=True, text=True, check=False)
    # Of the machine's own units it may complain as well.
    assert "kalends" not in told.stderr, told.stderr


def test_the_sandbox_of_the_unit_is_tight():
    command = [program("systemd-analyze"), "security", "--offline=true", "--threshold=20", DEPLOY / "kalends.service"]
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
