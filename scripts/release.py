"""`make release`: everything that a release consists of, in `dist/`, made twice with the same bytes and tried.

Wheel and sdist come from what is committed, a bill of materials (CycloneDX) from the pinned requirements, the release
notes from the changelog. The wheel is then installed into an empty environment, which runs
`tests/product/deploy/smoke.py`.
"""

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
REQUIREMENT = re.compile(
    r"^([A-Za-z0-9._-]+)==([^ ;\\]+)(?: ; ([^\\]+?))? \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M
)
SECTION = re.compile(r"^## \[([^\]]+)\][^\n]*\n(.*?)(?=^## \[|\Z)", re.M | re.S)
BUILD = (
    "import sys; from setuptools import build_meta as build; target = sys.argv[1];"
    " build.build_wheel(target); build.build_sdist(target)"
)
NAMESPACE = uuid.UUID("6d8b7c52-6a0f-5c0e-9a34-0d3f5a1c9b11")


def run(*command: str | Path, **more: object) -> None:
    subprocess.run([str(word) for word in command], check=True, **more)  # type: ignore[call-overload]


def commit_time() -> int:
    """When what is released was committed: the time of everything in it."""
    told = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(told.stdout)


def build(target: Path, at: int) -> None:
    """Wheel and sdist of what is committed, and of nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(folder, filter="data")
        environ = os.environ | {"SOURCE_DATE_EPOCH": str(at), "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
        # With the umask of whoever builds, the modes of the files in the wheel would differ.
        run(sys.executable, "-c", BUILD, target, cwd=folder, env=environ, stdout=subprocess.DEVNULL, umask=0o022)
    for sdist in target.glob("*.tar.gz"):
        sdist.write_bytes(packed_again(sdist.read_bytes(), at))


def packed_again(sdist: bytes, at: int) -> bytes:
    """An sdist with one order, one time and no owner; setuptools takes those of the files."""
    packed = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(sdist), mode="r:gz") as found,
        gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=at) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as made,
    ):
        for member in sorted(found.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = at, 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            made.addfile(member, found.extractfile(member) if member.isfile() else None)
    return packed.getvalue()


def components(requirements: str) -> Iterator[dict[str, object]]:
    """The dependencies of a file of pinned requirements."""
    for name, version, marker, hashes in REQUIREMENT.findall(requirements):
        component: dict[str, object] = {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name.lower()}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name.lower()}@{version}",
            "properties": [
                {"name": "pip:hash", "value": digest} for digest in re.findall(r"sha256:[0-9a-f]{64}", hashes)
            ],
        }
        if marker:
            component["properties"] = [*component["properties"], {"name": "pip:marker", "value": marker}]  # type: ignore[misc]
        yield component


def bill_of_materials(version: str, at: int) -> dict[str, object]:
    """What the program contains, as CycloneDX 1.6."""
    found = list(components((ROOT / "requirements.txt").read_text()))
    reference = f"pkg:pypi/kalends@{version}"
    digest = hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(NAMESPACE, f'{version} {digest}')}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z"),
            "component": {
                "type": "application",
                "bom-ref": reference,
                "name": "kalends",
                "version": version,
                "purl": reference,
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": found,
        "dependencies": [{"ref": reference, "dependsOn": [one["bom-ref"] for one in found]}],
    }


def release_notes(version: str, changelog: str) -> str:
    """What the changelog says of a version; until it has a section, of what is not released yet."""
    sections = dict(SECTION.findall(changelog))
    text = sections.get(version) or sections.get("Unreleased") or ""
    if not text.strip():
        raise SystemExit(f"CHANGELOG.md says nothing of {version}")
    return f"# Kalends {version}\n\n{text.strip()}\n"


def differing(first: Path, second: Path) -> list[str]:
    names = sorted({path.name for folder in (first, second) for path in folder.iterdir()})
    return [name for name in names if (first / name).read_bytes() != (second / name).read_bytes()]


def try_wheel(wheel: Path) -> None:
    """Installs the wheel into an empty environment and runs the smoke test there."""
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "bin" / "python"
        run(sys.executable, "-m", "venv", "--without-pip", folder)
        install = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "-qq", "install"]
        run(*install, "--require-hashes", "-r", ROOT / "requirements.txt")
        run(*install, "--no-deps", "--no-index", wheel)
        environ = {name: value for name, value in os.environ.items() if not name.startswith("KALENDS_")}
        run(python, "-I", ROOT / "tests" / "deploy" / "smoke.py", cwd=folder, env=environ)


def write_checksums(names: Sequence[str]) -> None:
    lines = [f"{hashlib.sha256((DIST / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (DIST / "SHA256SUMS").write_text("".join(lines))


def main() -> None:
    version = re.search(r'__version__ = "(.+)"', (ROOT / "src/kalends/__init__.py").read_text())[1]  # type: ignore[index]
    at = commit_time()
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    with tempfile.TemporaryDirectory() as again:
        for target in (DIST, Path(again)):
            build(target, at)
        if different := differing(DIST, Path(again)):
            raise SystemExit(f"built twice, these differ: {', '.join(different)}")
    (DIST / f"kalends-{version}.cdx.json").write_text(json.dumps(bill_of_materials(version, at), indent=2) + "\n")
    (DIST / "RELEASE_NOTES.md").write_text(release_notes(version, (ROOT / "CHANGELOG.md").read_text()))
    write_checksums(sorted(path.name for path in DIST.iterdir()))
    (wheel,) = DIST.glob("*.whl")
    try_wheel(wheel)
    for path in sorted(DIST.iterdir()):
        print(f"{path.stat().st_size:>10}  dist/{path.name}")


if __name__ == "__main__":
    main()
