"""Finds the programs of a PostgreSQL server on this machine, wherever its packages put them."""

import shutil
from functools import cache
from pathlib import Path

NEEDED = ("initdb", "pg_basebackup", "pg_ctl", "postgres")
# Debian keeps the programs of each major version in a folder of its own, which is not on the PATH.
DEBIAN = Path("/usr/lib/postgresql")


def version_of(folder: Path) -> float:
    try:
        return float(folder.parent.name)
    except ValueError:
        return 0


def folders(debian: Path = DEBIAN) -> list[Path]:
    """Where to look, best first. An `initdb` on the PATH may be a link into the folder that has the others too."""
    on_path = shutil.which("initdb")
    first = [Path(on_path).resolve().parent, Path(on_path).parent] if on_path else []
    newest_first = sorted(debian.glob("*/bin"), key=version_of, reverse=True)
    return list(dict.fromkeys(first + newest_first))


def find(debian: Path = DEBIAN) -> dict[str, Path]:
    """The needed programs, from the first folder that has them all; else as many of one folder as there are."""
    found = [{name: folder / name for name in NEEDED if (folder / name).exists()} for folder in folders(debian)]
    return max(found, key=len, default={})


@cache
def programs() -> dict[str, Path]:
    return find()


def missing(found: dict[str, Path] | None = None) -> str:
    """Why there can be no server here and what to install; empty when nothing is missing."""
    found = programs() if found is None else found
    lacking = [name for name in NEEDED if name not in found]
    if not lacking:
        return ""
    if len(lacking) == len(NEEDED):
        return "PostgreSQL is not installed (Debian: apt-get install postgresql)"
    where = next(iter(found.values())).parent
    return f"{', '.join(lacking)} not found in {where} (Debian: apt-get install postgresql postgresql-client)"
