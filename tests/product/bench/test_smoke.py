"""Every measurement of `make bench` works: a tiny calendar, a few requests for each figure; usually one of them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.effort import effort

ROOT = Path(__file__).parents[3]
RUN = ROOT / "bench" / "run.py"
SOME = "repeated"  # with every server that is compared
needs_wrk = pytest.mark.skipif(shutil.which("wrk") is None, reason="wrk is not installed")


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(RUN.parent)}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )


@needs_wrk
def test_every_measurement_works() -> None:
    done = python(str(RUN), "--smoke", *effort([f"--only={SOME}"], []))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert any("default list" in row for row in rows)
    assert not [row for row in rows if " nan" in row or " inf" in row]
    if "Not measured" not in done.stdout:
        for server in ("bare server", "nginx", "FastAPI", "Django REST Framework"):
            assert sum(row.startswith(f"| — {server} |") for row in rows) >= effort(1, 3)


@needs_wrk
def test_a_measurement_that_fails_costs_its_row_and_not_the_rest() -> None:
    done = python(
        "-c",
        "import sys, run\n"
        "from table import Row\n"
        "def fails(_):\n"
        "    yield Row('begun', '')\n"
        "    raise KeyError('lost')\n"
        "run.MEASUREMENTS = {'bad': fails, 'good': lambda _: iter([Row('still measured', '1')])}\n"
        "sys.argv = ['run.py', '--smoke']\n"
        "sys.exit(run.main())\n",
    )
    assert done.returncode == 1
    assert "| begun |" in done.stdout
    assert "| bad | failed: KeyError: 'lost' |" in done.stdout
    assert "| still measured | 1 |" in done.stdout


def test_the_page_has_a_part_that_a_run_replaces() -> None:
    done = python(
        "-c",
        "import table\n"
        "page = table.PAGE.read_text('utf-8')\n"
        "again = table.replace_measured(table.replace_measured(page, ['Commit 1']), ['Commit 2', '', '| a |'])\n"
        "before, after = page.split(table.BEGIN)[0], page.split(table.END, 1)[1]\n"
        "print(again == f'{before}{table.BEGIN}\\nCommit 2\\n\\n| a |\\n\\n{table.END}{after}')\n",
    )
    assert done.stdout == "True\n", done.stderr
