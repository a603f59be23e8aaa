"""docs/assistants.md shows what the tools really answer, and names all of them."""

import re
import sys
from pathlib import Path

from kalends.features.assistants import tools

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "assistants.md").read_text()


def test_the_session_is_what_the_script_prints() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from assistant_session import session
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    assert "\n".join(session()).strip() in PAGE


def test_every_tool_is_in_the_table() -> None:
    rows = "".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`(\w+)`", rows)) >= set(tools.tools())
