"""No command or file assumes that Kalends is published somewhere: a name that is not ours could be anybody's."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent.parent
TEXTS = [
    *ROOT.glob("*.md"),
    *ROOT.glob("requirements*.in"),
    ROOT / "Makefile",
    *(ROOT / "docs").rglob("*.md"),
    *(path for path in (ROOT / "deploy").rglob("*") if path.is_file()),
    *(ROOT / "contrib").rglob("*.md"),
    *(ROOT / "src").rglob("*.py"),
    *(ROOT / "src").rglob("*.html"),
    *(ROOT / "src").rglob("*.po"),
    *(ROOT / "scripts").glob("*"),
]
PUBLISHED = re.compile(
    r"\b(?:uvx|pipx run|uv tool (?:install|run)|(?:pip|pipx)[0-9.]* install)\b(?: -\S+)* +['\"]?kalends\b"
    r"|\bkalends\[\w+\]"  # an extra of a package in a registry; in a clone it is .[s3]
    r"|\b(?:docker|podman|buildah) pull \S*kalends\b"
    r"|\b(?:docker|podman) run\b(?!.*--pull[ =]never).* kalends\b"
    r"|pypi\.org/(?:project|simple)/kalends"
    r"|\brepository: *['\"]?kalends\b"
)


@pytest.mark.parametrize(
    "command",
    [
        "uvx kalends serve",
        "pipx install kalends",
        "pip install -U kalends",
        "pip install 'kalends[s3]'",
        "docker run --detach kalends",
        "repository: kalends",
    ],
)
def test_the_pattern_finds_such_a_command(command: str) -> None:
    assert PUBLISHED.search(command)


def test_nothing_assumes_a_published_package_or_image() -> None:
    assert len(TEXTS) > 300
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in TEXTS
        if path.is_file()
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        if "kalends" in line  # as in every such command, and few others
        for match in PUBLISHED.finditer(line)
    ]
    assert not found


def test_the_first_command_of_the_readme_is_one_of_the_clone() -> None:
    first = re.search(r"```sh\n(.*)\n", (ROOT / "README.md").read_text())
    assert first is not None
    assert first[1].startswith("make serve DEMO=1 ")


def test_the_nodes_of_compose_are_built_and_never_pulled() -> None:
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
    assert {one["pull_policy"] for one in services.values() if "build" in one} == {"build"}


def test_the_chart_names_no_image() -> None:
    values = yaml.safe_load((ROOT / "deploy" / "helm" / "kalends" / "values.yaml").read_text())
    assert values["image"]["repository"] == ""
