"""Images on a disk that is full, and who else on the machine can read them."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from tests.pictures import png

from kalends.store.files.media_files import MediaFolder, MediaFull, MediaUnavailable


def failing(number: int) -> Any:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize(("number", "status"), [(errno.ENOSPC, 507), (errno.EDQUOT, 507), (errno.EIO, 503)])
def test_an_upload_that_cannot_be_kept(world: Any, monkeypatch: Any, number: int, status: int) -> None:
    monkeypatch.setattr(os, "fsync", failing(number))
    before = world.count()
    answer = world.post("/media", content=png(), headers={"Content-Type": "image/png"})
    assert answer.status_code == status
    monkeypatch.undo()
    assert world.count() == before
    left = [path for path in (world.calendar.settings.data / "media").rglob("*") if path.is_file()]
    assert left == []
    assert world.post("/media", content=png(), headers={"Content-Type": "image/png"}).status_code == 201


def test_what_went_wrong_is_said(tmp_path: Path, monkeypatch: Any) -> None:
    folder = MediaFolder(tmp_path / "media")
    monkeypatch.setattr(os, "fsync", failing(errno.ENOSPC))
    with pytest.raises(MediaFull, match="No space left"):
        folder.save("2026/11/a.png", b"x")
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    with pytest.raises(MediaUnavailable):
        folder.save("2026/11/a.png", b"x")


def test_only_the_owner_reads_images(tmp_path: Path) -> None:
    root = tmp_path / "media"
    MediaFolder(root).save("2026/11/a.png", b"x")
    for path in (root, root / "2026", root / "2026/11", root / "2026/11/a.png"):
        assert path.stat().st_mode & 0o077 == 0


def test_a_folder_of_an_earlier_version_is_closed(tmp_path: Path) -> None:
    root = tmp_path / "media"
    root.mkdir(mode=0o755)
    root.chmod(0o755)
    MediaFolder(root).check()
    assert root.stat().st_mode & 0o777 == 0o700
