"""Import from a site with a login: what it shows more, and where the login never goes."""

import base64
from typing import Any

import pytest
from tests.conftest import World
from tests.features.importing.conftest import events_by_title
from tests.features.importing.reference_site import CREDENTIALS, LOGIN_PAGE, ReferenceSite, served
from tests.features.importing.site_client import client, read

from kalends.features.importing import run as importing_run
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.site import RemoteSite


def test_an_import_with_another_login_begins_again(
    world: World, site: ReferenceSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lists have other pages, so events would be left out."""
    monkeypatch.setattr(importing_run, "BATCH", 60)
    for number in range(120):
        status = "private" if number % 2 else "publish"
        start = f"2028-01-01 {number // 60:02}:{number % 60:02}:00"
        site.event(1000 + number, f"Event {number}", status=status, start_date=start, end_date=start)
    answer, everything = site.answer, site.records["events"]

    def of_user(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        user = base64.b64decode(authorization.partition(" ")[2]).decode().partition(":")[0]
        if user == "editor" and "events" in path and query.get("page") == ["3"]:
            return 503, {}, "gone"
        published = [event for event in everything if event["status"] == "publish"]
        site.records["events"] = everything if user == "editor" else published
        return answer(path, query, authorization and CREDENTIALS)

    site.answer = of_user  # type: ignore[method-assign]
    with pytest.raises(SourceError, match="again and again"):
        read(world, site, user="editor", password="app pass")
    read(world, site, user="author", password="app pass")
    assert {f"Event {number}" for number in range(0, 120, 2)} <= set(events_by_title(world))


def test_permalinks_that_are_off_and_credentials(world: World, site: ReferenceSite) -> None:
    site.permalinks = False
    with pytest.raises(SourceError, match="does not take these credentials"):
        read(world, site, user="ed", password="wrong")
    draft = site.event(40, "A draft", status="draft", slug="", date_utc="0000-00-00 00:00:00")
    site.records["events"].remove(draft)
    site.drafts.append(draft)
    read(world, site, user="ed", password="app pass")
    assert events_by_title(world)["A draft"]["status"] == "draft"
    assert any("rest_route" in request and "page=1" in request for request in site.requests)


def test_a_site_that_is_closed_is_read_with_the_login_only(world: World, site: ReferenceSite) -> None:
    site.is_closed, site.protected = True, {31}
    with pytest.raises(SourceError, match=r"shows its events only to those who log in; .* \(--user NAME\)"):
        read(world, site)
    with pytest.raises(SourceError, match="does not take these credentials"):
        read(world, site, user="ed", password="wrong")
    assert events_by_title(world) == {}
    read(world, site, user="ed", password="app pass")
    found = {title: event["status"] for title, event in events_by_title(world).items()}
    assert found == {"Jazz – night": "publish", "Fixed offset": "publish", "No end": "publish", "Long ago": "private"}


@pytest.mark.parametrize("broken", ["wp/v2/tribe_events", "events/40"])
def test_drafts_that_cannot_be_read_now_are_not_gone(world: World, site: ReferenceSite, broken: str) -> None:
    draft = site.event(40, "A draft", status="draft")
    site.records["events"].remove(draft)
    site.drafts.append(draft)
    answer = site.answer

    def page(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        found = answer(path, query, authorization)
        return (200, {}, "<html>Down for maintenance</html>") if broken in path else found

    site.answer = page  # type: ignore[method-assign]
    with pytest.raises(SourceError, match="a web page instead of JSON"):
        read(world, site, user="ed", password="app pass")


def test_a_login_page_instead_of_the_list_is_passed_with_the_login(world: World, site: ReferenceSite) -> None:
    answer = site.answer

    def wall(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        return answer(path, query, authorization) if authorization else (200, {}, LOGIN_PAGE)

    site.answer = wall  # type: ignore[method-assign]
    read(world, site, user="ed", password="app pass")
    assert len(events_by_title(world)) == 4


def test_a_login_goes_to_no_other_server_and_not_without_encryption() -> None:
    sent = client(user="ed", password="app pass")
    sent.trust("http://town.test", "https://www.town.test/")
    assert sent.trusted("https://www.town.test/wp-json/") == "https://www.town.test/wp-json/"
    assert sent.trusted("http://www.town.test/wp-json/") == "https://www.town.test/wp-json/", "as its home is"
    assert sent.trusted("https://www.town.test:8443/wp-json/") == ""
    assert sent.trusted("https://other.test/wp-json/") == ""
    sent.trust("http://town.test:80", "https://town.test/")
    assert sent.trusted("http://town.test:80/wp-json/") == "https://town.test/wp-json/", "80 goes without saying"
    for home in ("https://other.test/", "https://town.test:8443/", "https://town.test.other.test/"):
        with pytest.raises(SourceError, match=r"https://town\.test leads to .*; give that address if the log-in is"):
            sent.trust("https://town.test", home)
        client().trust("https://town.test", home)


def test_a_redirect_to_another_server_gets_no_login(world: World, site: ReferenceSite) -> None:
    authorizations: list[str] = []
    answer = site.answer

    def kept(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        authorizations.append(authorization)
        return answer(path, query, authorization)

    site.answer = kept  # type: ignore[method-assign]
    with served(ReferenceSite()) as first:
        home = first.answer

        def away(path: str, query: dict[str, list[str]], authorization: str) -> Any:
            if authorization or path != "/":  # its lists are elsewhere
                return 302, {"Location": f"{site.url}{path}"}, ""
            return home(path, query, authorization)

        first.answer = away  # type: ignore[method-assign]
        # Without the login it would be another list: a mirror would remove the drafts.
        with pytest.raises(SourceError, match="leads to http://127"):
            read(world, first, user="ed", password="app pass")
        first.answer = lambda *_: (302, {"Location": f"{site.url}/"}, "")  # type: ignore[method-assign]
        with pytest.raises(SourceError, match="leads to http://127"):
            read(world, first, user="ed", password="app pass")
    assert authorizations
    assert not any(authorizations)


@pytest.mark.parametrize("address", ["http://ed:secret@127.0.0.1:1/?key=secret", "ed:secret@[", "http://ed:secret@["])
def test_a_login_in_an_address_is_in_no_message(address: str) -> None:
    source = RemoteSite(address, client(), "UTC")
    with pytest.raises(SourceError) as refused:
        source.prepare()
    assert "secret" not in f"{source.label} {refused.value}"
