"""The PostgreSQL servers of the tests: found behind links, missing with a reason, and never left behind."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from tests import clusters, postgresql_programs
from tests.postgresql_programs import NEEDED, find, missing
from tests.stale_clusters import OWNER, PREFIX, claim, remove_stale

needs_postgresql = pytest.mark.skipif(bool(missing()), reason=missing())

# Starts a server and dies as a power cut would have it.
KILLED = """
import os, signal
from tests.clusters import Cluster
made = Cluster().start()
print(made.folder, made._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def install(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return folder


def test_programs_are_found_beside_what_the_link_on_the_path_points_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, links = install(tmp_path / "15" / "bin", *NEEDED), install(tmp_path / "links")
    (links / "initdb").symlink_to(real / "initdb")
    monkeypatch.setenv("PATH", str(links))
    found = find(tmp_path / "no-debian")
    assert found == {name: real / name for name in NEEDED}
    assert missing(found) == ""


def test_a_folder_that_has_everything_is_better_than_a_newer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    install(tmp_path / "16" / "bin", "initdb", "postgres")
    for version in ("9.6", "14", "15"):
        install(tmp_path / version / "bin", *NEEDED)
    assert find(tmp_path)["postgres"] == tmp_path / "15" / "bin" / "postgres"


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "apt-get install postgresql" in missing(find(tmp_path))
    install(tmp_path / "15" / "bin", "initdb", "pg_ctl", "postgres")
    said = missing(find(tmp_path))
    assert said.startswith(f"pg_basebackup not found in {tmp_path}")
    assert "apt-get install" in said


def test_without_the_programs_a_cluster_says_so_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(postgresql_programs, "programs", dict)
    with pytest.raises(RuntimeError, match="not installed"):
        clusters.Cluster()
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_that_cannot_be_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = install(tmp_path / "bin", *NEEDED)
    (broken / "initdb").write_text("#!/bin/sh\necho no room; exit 1\n")
    found = {name: broken / name for name in NEEDED}
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr(postgresql_programs, "programs", lambda: found)
    monkeypatch.setattr(clusters, "programs", lambda: found)
    monkeypatch.setattr(clusters, "_ordinary_user", lambda: None)
    with pytest.raises(RuntimeError, match="no room"):
        clusters.Cluster()
    assert list((tmp_path / "tmp").iterdir()) == []


@needs_postgresql
def test_the_server_of_a_killed_run_is_ended_and_removed() -> None:
    killed = subprocess.run(
        [sys.executable, "-c", KILLED], capture_output=True, text=True, cwd=Path(__file__).parents[1]
    )
    folder, pid = killed.stdout.split()
    assert Path(folder, "data", "postmaster.pid").exists(), killed.stderr
    remove_stale(Path(folder).parent)
    assert not Path(folder).exists()
    assert not Path(f"/proc/{pid}/cmdline").exists() or not Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.fixture
def claimed(tmp_path: Path) -> Path:
    folder = tmp_path / f"{PREFIX}a"
    folder.mkdir()
    claim(folder)
    return folder


def test_the_folder_of_a_living_process_stays(claimed: Path) -> None:
    remove_stale(claimed.parent)
    assert claimed.exists()


def test_a_number_that_was_given_to_another_process_is_no_owner(claimed: Path) -> None:
    pid, _, numbering = (claimed / OWNER).read_text().split(" ")
    (claimed / OWNER).write_text(f"{pid} 1 {numbering}")
    remove_stale(claimed.parent)
    assert not claimed.exists()


def test_the_folder_of_another_container_stays(claimed: Path) -> None:
    pid, _, _ = (claimed / OWNER).read_text().split(" ")
    (claimed / OWNER).write_text(f"{pid} 1 pid:[1]")
    remove_stale(claimed.parent)
    assert claimed.exists()


def test_a_folder_without_an_owner_goes_when_it_is_old(tmp_path: Path) -> None:
    young, old = tmp_path / f"{PREFIX}young", tmp_path / f"{PREFIX}old"
    for folder in (young, old):
        folder.mkdir()
    hours_ago = time.time() - 7200
    os.utime(old, (hours_ago, hours_ago))
    remove_stale(tmp_path)
    assert young.exists()
    assert not old.exists()
