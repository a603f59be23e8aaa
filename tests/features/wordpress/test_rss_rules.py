"""RSS at the addresses of WordPress keeps to the same rules (tests/site/feeds/test_rss_rules.py)."""

import pytest
from tests.conftest import BASE_URL, World
from tests.site.feeds.rss_rules import problems
from tests.site.feeds.test_rss_rules import feed, varied

__all__ = ["varied"]


@pytest.mark.parametrize("path", ["/events/feed/", "/events/category/jazz/feed/"])
def test_a_validator_finds_nothing(varied: World, path: str) -> None:
    rss = feed(varied, path)
    assert list(problems(rss, BASE_URL + path)) == []
    assert rss.findall("channel/item"), path
