"""The container, built and run by buildah. The base image has a Debian with Python in place of the public one, and
the packages come from a folder: what is tried here is our Containerfile (`make test-all`)."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.clusters import free_port
from tests.effort import EVERYTHING
from tests.product.deploy.programs import program
from tests.product.deploy.smoke import PASSWORD, check, wait_for
from tests.product.deploy.test_deploy import HEALTH

from kalends import __version__

ROOT = Path(__file__).parent.parent.parent.parent
PACKAGES = "python3,python3-pip,python3-venv,ca-certificates"
PREPARED = (
    "ln -s python3 /usr/bin/python; rm -f /usr/lib/python3*/EXTERNALLY-MANAGED;"
    r" printf '[global]\nno-index = true\nfind-links = /wheels\n' > /etc/pip.conf;"
    """ python -c 'import sys; print("%d.%d" % sys.version_info[:2])'"""
)
TIMEOUT = 900  # seconds for the whole image

pytestmark = [
    pytest.mark.skipif(not EVERYTHING, reason="only in `make test-all`: it takes minutes"),
    pytest.mark.skipif(os.getuid() != 0, reason="building images without root needs more than a package"),
]


class Buildah:
    """The program with a storage of its own."""

    def __init__(self, folder: Path) -> None:
        self.start = [program("buildah"), "--storage-driver", "vfs", "--root", str(folder / "images"),
                      "--runroot", str(folder / "run")]  # fmt: skip

    def __call__(self, *arguments: str | Path) -> str:
        told = subprocess.run([*self.start, *arguments], capture_output=True, text=True, check=False, timeout=TIMEOUT)
        assert told.returncode == 0, told.stdout[-1500:] + told.stderr[-1500:]
        return told.stdout.strip()


@pytest.fixture(scope="module")
def buildah(tmp_path_factory: pytest.TempPathFactory) -> Buildah:
    return Buildah(tmp_path_factory.mktemp("buildah"))


@pytest.fixture(scope="module")
def image(buildah: Buildah, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("base")
    release = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.MULTILINE)
    if release is None:
        pytest.skip("this is no Debian")
    base = folder / "base.tar"
    command = [program("mmdebstrap"), "--variant=minbase", f"--include={PACKAGES}", release[1], base]
    subprocess.run(command, check=True, capture_output=True, timeout=TIMEOUT)
    container = buildah("from", "scratch")
    buildah("add", "--quiet", container, base, "/")
    version = buildah("run", "--isolation", "chroot", container, "--", "sh", "-c", PREPARED)
    buildah("commit", "--quiet", container, f"docker.io/library/python:{version}-slim")
    wheels = folder / "wheels"
    names = ("requirements-build.txt", "requirements.txt", "requirements-s3.txt")
    download = [sys.executable, "-m", "pip", "-qq", "download", "--dest", wheels, "--require-hashes"]
    download += ["--only-binary", ":all:", "--python-version", version]
    subprocess.run([*download, *(word for name in names for word in ("-r", ROOT / name))], check=True)
    buildah(
        "build", "--isolation", "chroot", "--pull-never", "--format", "docker", "--build-arg", f"PYTHON={version}",
        "--volume", f"{wheels}:/wheels:ro", "--ignorefile", ROOT / "deploy/Containerfile.dockerignore",
        "--file", ROOT / "deploy/Containerfile", "--tag", "kalends", ROOT,
    )  # fmt: skip
    return "localhost/kalends"


@pytest.fixture
def container(buildah: Buildah, image: str) -> Iterator[str]:
    name = buildah("from", image)
    yield name
    buildah("rm", name)


def test_it_holds_what_it_should_and_nothing_else(buildah: Buildah, container: str) -> None:
    def holds(test: str) -> None:
        # By the exit code: what a command prints can be lost when it ends at once.
        buildah("run", "--isolation", "chroot", container, "--", "sh", "-c", test)

    holds(f"kalends --version | grep -q {__version__}")
    holds("test $(id -u):$(id -g) = 10001:10001")
    holds("! touch /opt/kalends/x")
    holds('test ! -e /opt/kalends/bin/pip && test ! -e /build && test -z "$(ls -A /data)"')


def test_it_serves_as_it_does_installed(buildah: Buildah, container: str) -> None:
    """The smoke part of a release, and the health check of the image."""
    port = free_port()
    buildah("config", "--env", f"KALENDS_ADMIN_PASSWORD={PASSWORD}", container)
    inside = [*buildah.start, "run", "--isolation", "chroot", container, "--"]
    command = ["kalends", "serve", "--demo", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen([*inside, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)  # fmt: skip
    health = [*HEALTH[:2], HEALTH[2].replace("8000", str(port))]
    try:
        check(port, __version__, wait_for(port, process))
        assert subprocess.run([*inside, *health], check=False).returncode == 0
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(60)
    for _ in range(50):
        if subprocess.run([*inside, *health], check=False, capture_output=True).returncode:
            return
        time.sleep(0.2)
    raise AssertionError("the service goes on")
