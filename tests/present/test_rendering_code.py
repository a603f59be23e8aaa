"""What decides that fragments are rendered anew: exactly the code that renders them, and nothing else."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kalends.present import prerendering, rendering_code
from kalends.present.rendering_code import DISTRIBUTIONS, dependencies, digest_of

LOADED = """
import sys
import {module}
print(*[name for name in sys.modules if name.partition(".")[0] == "kalends"])
"""


def test_the_digest_is_of_what_the_renderer_imports() -> None:
    """The interpreter says what that is."""
    script = LOADED.format(module=prerendering.__name__)
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    files, _ = dependencies(prerendering.__name__)
    # What features add are keys, which count by themselves.
    assert set(files) == {name for name in loaded if not name.startswith(("kalends.application", "kalends.features"))}
    assert {"kalends.values.recurrence.parsing", "kalends.values.zones", "kalends.present.json"} <= set(files)
    # Other formats and the queries of lists change no record.
    assert not {"kalends.present.ical", "kalends.present.syndication", "kalends.store.rows.posts"} & set(files)


def test_another_key_is_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = prerendering.code_version.__wrapped__()
    monkeypatch.setattr(prerendering, "EVENT", replace(prerendering.EVENT, keys=prerendering.EVENT.keys[:-1]))
    assert prerendering.code_version.__wrapped__() != before


def test_the_libraries_of_the_renderer_are_known() -> None:
    _, libraries = dependencies(prerendering.__name__)
    assert {"msgspec", "dateutil"} <= libraries
    assert set(DISTRIBUTIONS) <= libraries


def changes(root: Path, name: str) -> bool:
    """Whether the digest differs after a change of one module."""
    before = digest_of(prerendering.__name__)
    file = root.joinpath(*name.split(".")).with_suffix(".py")
    original = file.read_text()
    file.write_text(original + "\n# changed\n")
    after = digest_of(prerendering.__name__)
    file.write_text(original)
    return after != before


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("kalends.values.recurrence.parsing", True),
        ("kalends.values.cost", True),
        ("kalends.present.json_ld", True),
        ("kalends.present.ical", False),
        ("kalends.present.recurrence_words", False),
        ("kalends.store.query.lists", False),
        ("kalends.site.records.event_pages", False),
    ],
)
def test_a_change_counts_where_it_can_change_a_record(
    name: str, counts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in sorted(rendering_code.ROOT.joinpath("kalends").rglob("*.py")):
        copy = tmp_path / file.relative_to(rendering_code.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    monkeypatch.setattr(rendering_code, "ROOT", tmp_path)
    assert changes(tmp_path, name) is counts
