"""A disk that refuses a file to import."""

import errno
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.http.test_refusing_disk import failing

from kalends.http.messages import multipart


@pytest.mark.parametrize(("number", "status"), [(errno.ENOSPC, 507), (errno.EDQUOT, 507), (errno.EIO, 503)])
@pytest.mark.parametrize("step", ["begin", "write", "keep"])
def test_a_file_to_import_that_the_disk_does_not_take_leaves_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, step: str, number: int, status: int
) -> None:
    admin, imports = AdminClient(world, "administrator"), world.calendar.settings.data / "imports"
    table = b"Title,Start\n" + b"Fair,2027-05-01\n" * 5000

    def half(source: Path, target: Path) -> None:
        target.write_bytes(b"Title")
        failing(number)()

    def refusing(**options: Any) -> Any:
        file = tempfile.NamedTemporaryFile(**options)  # noqa: SIM115
        file.write = failing(number)  # type: ignore[method-assign]
        return file

    with monkeypatch.context() as broken:
        if step == "begin":
            broken.setattr(multipart, "NamedTemporaryFile", failing(number))
        elif step == "write":
            broken.setattr(multipart, "NamedTemporaryFile", refusing)
        else:
            broken.setattr(os, "link", failing(errno.EPERM))
            broken.setattr(shutil, "copyfile", half)
        answer = admin.post("/admin/import", files={"file": ("a.csv", table, "text/csv")}, status=status)
    assert int(answer.headers["Retry-After"]) > 0
    assert not list(imports.iterdir())
    admin.post("/admin/import", files={"file": ("a.csv", table, "text/csv")}, status=303)
