"""Import from a site that fails, is cut off, or is none."""

import json
from typing import Any

import pytest
from tests.conftest import World
from tests.features.importing.conftest import administrator, events_by_title
from tests.features.importing.reference_site import LOGIN_PAGE, ReferenceSite
from tests.features.importing.site_client import Naps, client, read

from kalends.features.importing import run as importing_run
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.run import Import
from kalends.features.importing.sources.discovery import _candidates
from kalends.features.importing.sources.site import RemoteSite


def test_failures_on_the_way_are_waited_for(world: World, site: ReferenceSite) -> None:
    site.failures = [
        (503, {"Retry-After": "7"}, "busy"),
        (200, {"Content-Type": "text/html"}, LOGIN_PAGE),
        (429, {}, "slow down"),
        (500, {"Content-Type": "text/html"}, "<b>Fatal error</b>"),
    ]
    naps = Naps()
    assert read(world, site, naps=naps).is_complete
    assert naps == [7.0, 2.0, 4.0, 8.0], "longer and longer, and as long as the site asks for"


def test_a_person_who_waits_for_a_preview_does_not_wait_for_the_site(site: ReferenceSite) -> None:
    site.answer = lambda *_: (503, {"Retry-After": "100"}, "busy")  # type: ignore[method-assign]
    naps = Naps()
    with pytest.raises(SourceError, match="answers with status 503"):
        RemoteSite(site.url, client(naps, hurried=True), "UTC").prepare()
    assert naps == [1.0]


def test_an_interrupted_import_goes_on_where_it_stopped(
    world: World, site: ReferenceSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing_run, "BATCH", 200)
    for number in range(300):
        start = f"2028-01-01 {number // 60:02}:{number % 60:02}:00"
        site.event(1000 + number, f"Event {number}", start_date=start, end_date="2028-01-02 00:00:00")
    source = RemoteSite(site.url, client(), "UTC")
    source.prepare()
    # A page of events never comes.
    answer = site.answer

    def cut(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        if "events" in path and query.get("page") == ["6"]:
            return 503, {}, "gone"
        return answer(path, query, authorization)

    site.answer = cut  # type: ignore[method-assign]
    with pytest.raises(SourceError, match="answers with status 503, again and again"):
        Import(world.calendar, administrator(world)).run(source)
    before = len(events_by_title(world))
    assert before > 0
    site.answer = answer  # type: ignore[method-assign]
    site.requests.clear()
    report = read(world, site)
    assert report.total("created") > 0
    assert not any("page=2&" in request and "/events" in request for request in site.requests)
    assert world.get("/events?start_date=1900-01-02&per_page=1").json()["total"] == 304


def test_a_list_that_begins_again_and_again_ends(world: World, site: ReferenceSite) -> None:
    """A site that does not count pages, and one whose plugins put a byte order mark before the JSON."""
    answer = site.answer

    def first_page(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        status, headers, body = answer(path, query | {"page": ["1"]}, authorization)
        if isinstance(body, dict):
            body = "\ufeff" + json.dumps({key: value for key, value in body.items() if key != "total_pages"})
        return status, headers, body

    site.answer = first_page  # type: ignore[method-assign]
    assert read(world, site).is_complete
    assert len(events_by_title(world)) == 4
    assert len(site.requests) < 30


def test_a_site_without_the_interface_is_told(world: World, site: ReferenceSite) -> None:
    site.answer = lambda *_: (200, {"Content-Type": "text/html"}, LOGIN_PAGE)  # type: ignore[method-assign]
    with pytest.raises(SourceError, match="no calendar interface was found"):
        read(world, site)
    assert events_by_title(world) == {}


@pytest.mark.parametrize("named", ["http://[oops/", "http://127.0.0.1:99999/", "//"])
def test_an_interface_at_what_is_no_address_is_not_asked(world: World, site: ReferenceSite, named: str) -> None:
    answer = site.answer

    def naming(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        status, headers, body = answer(path, query, authorization)
        return status, headers | {"X-TEC-API-ROOT": named, "Link": f'<{named}>; rel="https://api.w.org/"'}, body

    site.answer = naming  # type: ignore[method-assign]
    read(world, site, user="ed", password="app pass")
    assert len(events_by_title(world)) == 4


def test_a_page_made_to_take_long_is_read_at_once() -> None:
    usual = _candidates("https://town.test/", "https://town.test/", {}, "")
    assert _candidates("https://town.test/", "https://town.test/", {"Link": "<" * 60_000}, "<link" * 100_000) == usual


def test_internal_addresses_need_the_administrators_word(world: World, site: ReferenceSite) -> None:
    with pytest.raises(
        SourceError, match=r"it has a port that is not allowed; is it written correctly\? .*--allow-private"
    ):
        read(world, site, allow_private=False)
    with pytest.raises(SourceError, match=r"does not lead to a public address; .*--allow-private"):
        RemoteSite("http://127.0.0.1", client(allow_private=False), "UTC").prepare()
    assert site.requests == []
