"""Pages about the sources name what is there, links lead somewhere, and each file of docs/internals is a page."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "docs" / "internals"
PAGES = sorted(f"docs/internals/{page.name}" for page in FOLDER.glob("*.md"))
ABOUT_THE_SOURCES = ("CONTRIBUTING.md", "docs/architecture.md", "tests/README.md", *PAGES)
IN_DOCS = sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("docs/**/*.md"))
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "tests/README.md", *IN_DOCS)
LONGEST, WIDEST = 120, 130  # lines of a page, characters of a line

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FILE = re.compile(r"[\w./-]+\.(?:py|sql|html)|[\w.-]+/[\w./-]*")
NAME = re.compile(r"\w+(?:\.\w+)*")
NOT_FILES = ("wp/v2", "tec/v1")  # interfaces of WordPress


@cache
def sources() -> list[Path]:
    """What a path on a page may begin in, and all that is in it."""
    folders = (".ci", "bench", "deploy", "docs", "scripts", "src/kalends", "tests")
    return [path for folder in folders for path in (ROOT / folder, *(ROOT / folder).rglob("*"))]


@cache
def words() -> frozenset[str]:
    """Every word of the sources and tests."""
    kinds = (".py", ".sql", ".html", ".js")
    texts = (path.read_text(encoding="utf-8") for path in sources() if path.suffix in kinds and path.is_file())
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


@cache
def endings() -> frozenset[str]:
    """Each path of the sources from each of its folders on: `calendar/access.py`, `access.py`."""
    parts = [path.relative_to(ROOT).parts for path in sources()]
    return frozenset("/".join(path[start:]) for path in parts for start in range(len(path)))


def prose_of(page: str) -> str:
    return FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))


def named_on(page: str, form: re.Pattern[str]) -> list[str]:
    return [code for code in CODE.findall(prose_of(page)) if form.fullmatch(code) and code not in NOT_FILES]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_short_enough_to_be_read(page: str) -> None:
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGEST
    assert [line for line in lines if len(line) > WIDEST] == []


@pytest.mark.parametrize("page", ABOUT_THE_SOURCES)
def test_the_files_that_a_page_names_exist(page: str) -> None:
    assert [file for file in named_on(page, FILE) if file.rstrip("/") not in endings()] == []


@pytest.mark.parametrize("page", PAGES)
def test_the_names_that_a_page_uses_are_in_the_sources(page: str) -> None:
    names = [name for name in named_on(page, NAME) if not FILE.fullmatch(name)]
    assert [name for name in names if not set(name.split(".")) <= words()] == []


@pytest.mark.parametrize("page", DOCUMENTS)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    for file, heading in LINK.findall(prose_of(page)):
        target = (ROOT / page).parent / file if file else ROOT / page
        assert target.exists(), file
        titles = HEADING.findall(prose_of(str(target.resolve().relative_to(ROOT)))) if heading else []
        assert not heading or heading in map(anchor, titles), f"{file}#{heading}"


def anchor(title: str) -> str:
    """What leads to a heading."""
    return re.sub(r"[^\w -]", "", title).lower().replace(" ", "-")


def test_the_list_has_every_page() -> None:
    linked = {f"docs/internals/{file}" for file, _ in LINK.findall(prose_of("docs/internals/README.md"))}
    assert linked >= set(PAGES) - {"docs/internals/README.md"}
