"""Programs that judge what is in deploy/: from Debian's packages, or from those of the tests."""

import shutil
import sys
from pathlib import Path

import pytest

PLACES = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/usr/sbin"


def program(name: str) -> str:
    """Where a program is; without it, the test is skipped and says so."""
    found = shutil.which(name, path=PLACES)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found
