"""docs/settings.md says what the tables of settings say."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_setting_is_documented_as_the_table_says() -> None:
    page = subprocess.run(
        [sys.executable, ROOT / "scripts" / "settings_page.py"], capture_output=True, check=True, encoding="utf-8"
    )
    current = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert current == page.stdout, "regenerate it: python scripts/settings_page.py > docs/settings.md"
