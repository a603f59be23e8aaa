"""Storage of image files: the interface, and a local folder that implements it. `media_bucket` is the other one."""

import contextlib
import errno
import os
import secrets
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from kalends.store.engine.store import StoreUnavailable

__all__ = [
    "BadFileName",
    "MediaFiles",
    "MediaFolder",
    "MediaFull",
    "MediaUnavailable",
    "MissingFile",
    "OpenFile",
    "parts_of",
]


# The space is used up, or what a user may take of it, or what one file may.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
UNFINISHED = ".part"  # ends the name of a file that is being written
FOLDER_MODE, FILE_MODE = 0o700, 0o600  # for the owner only


class BadFileName(ValueError):
    """A name that could lead out of the folder, or to a file that is not a stored image."""


class MissingFile(KeyError):
    """There is no file of this name."""


class MediaUnavailable(StoreUnavailable):
    """Images cannot be saved or read now; the message is one line for the operator."""


class MediaFull(MediaUnavailable):
    """The storage is full."""


class OpenFile(NamedTuple):
    """A file that is read in pieces."""

    size: int
    read: Callable[[int], bytes]  # the next so many bytes, or MediaUnavailable
    close: Callable[[], None]


class MediaFiles(Protocol):
    """Files by names such as `2026/11/probe-300x225.png`; a file never changes once it is saved."""

    def check(self) -> None: ...

    def save(self, name: str, data: bytes) -> None: ...

    def read(self, name: str) -> bytes: ...

    def open(self, name: str) -> OpenFile: ...

    def remove(self, name: str) -> None: ...

    def names(self) -> set[str]: ...

    def remove_unfinished(self, before: datetime) -> None: ...


def refused(what: str, folder: Path, error: OSError) -> MediaUnavailable:
    """Why a disk does not take files."""
    kind = MediaFull if error.errno in FULL else MediaUnavailable
    return kind(f"{what} cannot be kept in {folder}: {error.strerror}")


def parts_of(name: str) -> list[str]:
    """The folders of a file and its own name, or BadFileName."""
    parts = name.split("/")
    if not name.isprintable() or "\\" in name or any(not part or part.startswith(".") for part in parts):
        raise BadFileName("This is not the name of a media file.")
    return parts


class MediaFolder:
    """Media files in a local folder; a saved file survives a power cut."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def check(self) -> None:
        """Raises MediaUnavailable unless images can be saved here."""
        try:
            _make_folder(self._root)
            _make_private(self._root)
            if not os.access(self._root, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise MediaUnavailable(f"images cannot be kept in {self._root}: {error.strerror}") from None

    def save(self, name: str, data: bytes) -> None:
        """Whole or not at all; FileExistsError when the name is taken."""
        path = self._path(name)
        try:
            self._save(path, data)
        except FileExistsError:
            raise
        except OSError as error:
            raise refused("images", self._root, error) from error

    def _save(self, path: Path, data: bytes) -> None:
        _make_folder(path.parent)
        # No valid name begins with a dot, so nobody can read an unfinished file.
        unfinished = path.parent / f".{secrets.token_hex(8)}{UNFINISHED}"
        try:
            with os.fdopen(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            install_file(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)
        _sync_folder(path.parent)

    def read(self, name: str) -> bytes:
        """The bytes saved under this name, or MissingFile."""
        path = self._path(name)
        with _reading(name, path):
            return path.read_bytes()

    def open(self, name: str) -> OpenFile:
        """The file of this name, or MissingFile. The caller closes it."""
        path = self._path(name)
        with _reading(name, path):
            file = path.open("rb")

        def read(size: int) -> bytes:
            with _reading(name, path):
                return file.read(size)

        return OpenFile(os.fstat(file.fileno()).st_size, read, file.close)

    def remove(self, name: str) -> None:
        """Deletes the file if there is one."""
        path = self._path(name)
        try:
            path.unlink()
            _sync_folder(path.parent)
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            pass
        except OSError as error:
            raise MediaUnavailable(f"the image {path} cannot be removed: {error.strerror}") from error

    def names(self) -> set[str]:
        """The names of all files that are finished."""
        found = (path for path in self._root.rglob("[!.]*") if path.is_file())
        return {path.relative_to(self._root).as_posix() for path in found}

    def remove_unfinished(self, before: datetime) -> None:
        """Removes what processes that were killed before a time, in UTC, had not finished."""
        latest = before.replace(tzinfo=UTC).timestamp()
        for path in self._root.rglob(f".*{UNFINISHED}"):
            with contextlib.suppress(OSError):  # it was finished meanwhile, or cannot be removed now
                if path.stat().st_mtime < latest:
                    path.unlink()

    def _path(self, name: str) -> Path:
        return self._root.joinpath(*parts_of(name))


@contextlib.contextmanager
def _reading(name: str, path: Path) -> Iterator[None]:
    try:
        yield
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise MissingFile(name) from None
    except OSError as error:
        raise MediaUnavailable(f"the image {path} cannot be read: {error.strerror}") from error


def install_file(unfinished: Path, path: Path) -> None:
    """Gives a finished file its name; FileExistsError when that is taken."""
    # A link, unlike a rename, never replaces a file that another process saved meanwhile.
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise
    except OSError:  # many network and container file systems, FAT and exFAT have no links
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        unfinished.rename(path)


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(exist_ok=True, mode=FOLDER_MODE)
    _sync_folder(folder.parent)


def _make_private(folder: Path) -> None:
    """It has images of drafts too."""
    if folder.stat().st_mode & 0o077:
        with contextlib.suppress(PermissionError):  # somebody else owns it
            folder.chmod(FOLDER_MODE)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
