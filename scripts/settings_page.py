"""Prints docs/settings.md, made from the tables of kalends/settings.

python scripts/settings_page.py > docs/settings.md
"""

import sys

from kalends.settings import FILE_NAME, RENAMED, TABLE, SettingRow

EARLIER = ", ".join(f"`{old}` is `{new}` now" for old, new in RENAMED.items())

HEADING = f"""\
# Settings

A setting is taken from the first place that has it: the command line (`--site-name "Town hall"`), the
environment (`KALENDS_SITE_NAME`), the file `{FILE_NAME}` in the data folder (`site_name = "Town hall"`),
the default.
A value that cannot be used, or a name that is none of these, stops the start with one line that says so.
Earlier names are still accepted, with a warning: {EARLIER}.

This page is made from the tables of `src/kalends/settings` by
`python scripts/settings_page.py > docs/settings.md`.

| Variable | Key in `{FILE_NAME}` | Default | Meaning |
|---|---|---|---|
"""


def documentation() -> str:
    """The text of docs/settings.md."""
    return HEADING + "".join(_documented(row) for row in TABLE.values())


def _documented(row: SettingRow) -> str:
    key = "(not in the file)" if row.key == "data" else f"`{row.key}`"
    default = f"`{row.default}`" if row.default else "(empty)"
    return f"| `{row.variable}` | {key} | {default} | {row.meaning} Accepted: {row.kind.accepts}. |\n"


if __name__ == "__main__":
    sys.stdout.write(documentation())
