"""Media files in a folder and in a bucket: whole, never overwritten, never outside."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from kalends.bootstrap import media_files
from kalends.settings import load
from kalends.store.files.media_files import (
    BadFileName,
    MediaFiles,
    MediaFolder,
    MediaFull,
    MediaUnavailable,
    MissingFile,
)

NAME = "2026/11/probe-300x225.png"


@pytest.fixture
def folder(tmp_path: Path) -> MediaFolder:
    return MediaFolder(tmp_path / "media")


@pytest.fixture
def files(tmp_path: Path, media: dict[str, str]) -> MediaFiles:
    """A folder, and then a bucket: both have to pass."""
    return media_files(load(tmp_path, media, {}))


def test_what_is_saved_is_read(files: MediaFiles) -> None:
    files.save(NAME, b"bytes")
    files.save("2026/11/other.png", b"")
    assert files.read(NAME) == b"bytes"
    assert files.read("2026/11/other.png") == b""


def test_a_large_file_comes_back_whole(files: MediaFiles) -> None:
    data = os.urandom(10 * 1024 * 1024)
    files.save(NAME, data)
    assert files.read(NAME) == data


def test_a_name_in_another_script_is_a_name(files: MediaFiles) -> None:
    files.save("2026/11/祭り-größe 1+1=2.png", b"bytes")
    assert files.read("2026/11/祭り-größe 1+1=2.png") == b"bytes"


def test_a_file_is_never_overwritten(files: MediaFiles) -> None:
    files.save(NAME, b"first")
    with pytest.raises(FileExistsError):
        files.save(NAME, b"second")
    assert files.read(NAME) == b"first"


@pytest.mark.parametrize("name", ["2026/11/absent.png", "2026", "2026/11", NAME + "/below"])
def test_an_absent_file_is_missing_and_removing_it_is_no_error(files: MediaFiles, name: str) -> None:
    files.save(NAME, b"bytes")
    with pytest.raises(MissingFile):
        files.read(name)
    files.remove(name)
    assert files.read(NAME) == b"bytes"


def test_a_removed_file_is_gone_and_its_name_free(files: MediaFiles) -> None:
    files.save(NAME, b"bytes")
    files.remove(NAME)
    with pytest.raises(MissingFile):
        files.read(NAME)
    files.save(NAME, b"again")
    assert files.read(NAME) == b"again"


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "/etc/passwd", "../outside.png", "2026/../../outside.png", "2026/..", "a//b.png"),
        *("a/", "./a.png", ".hidden", "a/.x.part", "a\\b.png", "..\\a.png"),
        *("a\0b.png", "a\nb.png", "\ud800.png"),
    ],
)
def test_names_that_could_lead_elsewhere_are_refused(files: MediaFiles, tmp_path: Path, name: str) -> None:
    (tmp_path / "outside.png").write_bytes(b"outside")
    with pytest.raises(BadFileName):
        files.save(name, b"bytes")
    with pytest.raises(BadFileName):
        files.read(name)
    with pytest.raises(BadFileName):
        files.remove(name)
    assert (tmp_path / "outside.png").read_bytes() == b"outside"
    assert not (tmp_path / "media").exists()


def test_a_check_leaves_nothing_behind(files: MediaFiles, bucket: Any, tmp_path: Path) -> None:
    files.check()
    assert bucket.keys() == []
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


# What only a folder has


def test_saving_leaves_only_the_file(folder: MediaFolder, tmp_path: Path) -> None:
    folder.save(NAME, b"bytes")
    with pytest.raises(FileExistsError):
        folder.save(NAME, b"second")
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["probe-300x225.png"]


def test_a_failed_write_leaves_nothing(folder: MediaFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left")

    (tmp_path / "media" / "2026" / "11").mkdir(parents=True)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MediaFull, match="No space left"):
        folder.save(NAME, b"bytes")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_file_and_folder_are_synced_before_save_returns(
    folder: MediaFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    really = os.fsync

    def watched(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)
        really(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    folder.save(NAME, b"bytes")
    assert synced[:3] == [tmp_path.name, "media", "2026"]
    assert synced[3].endswith(".part")
    assert synced[4:] == ["11"]


def test_without_links_a_rename_does_it(folder: MediaFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(_source: Path, _target: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    folder.save(NAME, b"bytes")
    with pytest.raises(FileExistsError):
        folder.save(NAME, b"second")
    assert folder.read(NAME) == b"bytes"


def test_a_folder_that_cannot_be_made_fails_the_check_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "media").write_bytes(b"a file")
    with pytest.raises(MediaUnavailable, match=r"images cannot be kept in /.*/media: File exists"):
        MediaFolder(tmp_path / "media").check()
