"""What the tests of the pages share: the reading room taken apart."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

VOID = frozenset({"meta", "link", "input", "br", "hr", "img"})


@dataclass
class Article:
    """One entry of the page: its text, the names in its rows, and the parameters that a form can be made of."""

    text: str = ""
    names: list[str] = field(default_factory=list)
    parameters: dict[str, dict[str, str]] = field(default_factory=dict)


class Page(HTMLParser):
    """An HTML page: its attributes, its ids, its links, and its articles by id."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.root: dict[str, str] = {}
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.articles: dict[str, Article] = {}
        self.text = ""
        self._inside: list[str] = []
        self._article: Article | None = None
        self.feed(html)
        assert self._inside == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        if tag == "html":
            self.root = found
        if tag == "article":
            self._article = self.articles.setdefault(found["id"], Article())
        if self._article is not None and "data-name" in found:
            self._article.parameters[f"{found['data-place']} {found['data-name']}"] = found
        if tag not in VOID:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._inside.pop() == tag, "an element is not closed where it was opened"
        if tag == "article":
            self._article = None

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._article is None:
            return
        self._article.text += data
        if self._inside[-2:] == ["dt", "code"]:
            self._article.names.append(data)

    def values(self, attribute: str) -> list[str]:
        return [found[attribute] for _, found in self.tags if attribute in found]


@pytest.fixture
def taken_apart() -> type[Page]:
    return Page
