"""Import from a running site that answers like the reference, over real HTTP on loopback, with failures."""

import base64
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import World
from tests.features.importing.conftest import actions, administrator, events_by_title, import_into
from tests.features.importing.reference_site import CREDENTIALS, LOGIN_PAGE, ReferenceSite, served

from kalends.features.importing import run as importing_run
from kalends.features.importing.applying.context import Options
from kalends.features.importing.applying.report import Report
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.run import Import
from kalends.features.importing.sources.discovery import ApiRoot, _candidates
from kalends.features.importing.sources.site import Site
from kalends.features.importing.sources.web_client import WebClient


class Naps(list[float]):
    """Pauses that were asked for, without waiting."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def site() -> Iterator[ReferenceSite]:
    with served(ReferenceSite()) as site:
        category = {"id": 2, "name": "Music &amp; Dance", "slug": "music", "description": "", "parent": 0}
        child = {"id": 3, "name": "Jazz", "slug": "jazz", "description": "Cool", "parent": 2}
        site.records["categories"] = [child, category]  # by name
        site.records["venues"] = [
            {
                "id": 10,
                "venue": "Beta Room",
                "slug": "beta-room",
                "status": "publish",
                "date_utc": "2026-06-01 20:00:00",
            }
            | {
                "address": "1 High St",
                "show_map": False,
                "show_map_link": True,
                "author": "1",
                "website": "www.beta.test",
            }
        ]
        site.event(28, "Jazz night", title="Jazz &#8211; night", date_utc="2026-11-15 00:36:46")
        site.event(
            31, "Long ago", start_date="2011-05-06 20:00:00", end_date="2011-05-06 22:00:00", venue=[], organizer=[]
        )
        offset = {
            "timezone": "UTC-3:30",
            "utc_start_date": "2027-04-06 20:00:00",
            "venue": [],
            "date_utc": "0000-00-00 00:00:00",
        }
        site.event(32, "Fixed offset", **offset, website="http://elsewhere.test/")
        site.event(33, "No end", end_date="0000-00-00 00:00:00")
        yield site


def client(naps: Naps | None = None, **more: Any) -> WebClient:
    return WebClient(**{"allow_private": True, "sleep": naps if naps is not None else Naps()} | more)


def read(world: World, site: ReferenceSite, *, options: Options | None = None, **more: Any) -> Report:
    return import_into(world, Site(site.url, client(**more), "UTC"), options=options)


def test_everything_comes_with_its_links_slugs_and_dates(world: World, site: ReferenceSite) -> None:
    report = read(world, site)
    assert report.is_complete, report.remarkable
    events = events_by_title(world)
    jazz = events["Jazz – night"]
    assert (jazz["slug"], jazz["date_utc"], jazz["website"]) == ("jazz-night", "2026-11-15 00:36:46", "")
    assert (jazz["venue"]["venue"], jazz["venue"]["show_map"]) == ("Beta Room", False)
    assert jazz["venue"]["website"] == "https://www.beta.test"
    assert [organizer["organizer"] for organizer in jazz["organizer"]] == ["Otto"], (
        "it is in no list, only in the event"
    )
    assert [category["name"] for category in jazz["categories"]] == ["Jazz"]
    parent = world.get(f"/categories/{jazz['categories'][0]['parent']}").json()
    assert parent["name"] == "Music & Dance", "though the child came first"
    assert events["Long ago"]["start_date"] == "2011-05-06 20:00:00"
    fixed = events["Fixed offset"]
    assert (fixed["timezone"], fixed["utc_start_date"]) == ("UTC-3:30", "2027-04-06 23:30:00")
    assert fixed["website"] == "http://elsewhere.test/"
    assert events["No end"]["end_date"] == events["No end"]["start_date"]
    assert (jazz["source"], jazz["external_id"]) == (site.url.removeprefix("http://"), "28")


def test_again_changes_nothing_and_then_only_what_changed(world: World, site: ReferenceSite) -> None:
    read(world, site)
    rev = world.count()
    assert set(actions(read(world, site))) == {"unchanged"}
    assert world.count() == rev
    site.records["events"][0]["title"] = "Jazz day"
    report = read(world, site)
    assert report.total("updated") == 1
    assert world.count() == rev + 1
    assert events_by_title(world)["Jazz day"]["slug"] == "jazz-night"


def test_what_was_changed_here_is_not_overwritten(world: World, site: ReferenceSite) -> None:
    read(world, site)
    id = events_by_title(world)["Long ago"]["id"]
    world.put(f"/events/{id}", json={"title": "Long, long ago", "featured": True})
    event = site.records["events"][1]
    event |= {"title": "Once upon a time", "cost": "$5"}
    report = read(world, site)
    [conflict] = report.remarkable
    assert conflict.details == ["changed: cost", "title: here Long, long ago, there Once upon a time"]
    found = world.read("events", id)
    assert (found["title"], found["cost"], found["featured"]) == ("Long, long ago", "$5", True)
    assert read(world, site).total("conflict") == 1, "it is told until somebody decides"
    assert read(world, site, options=Options(theirs=True)).total("updated") == 1
    assert world.read("events", id)["title"] == "Once upon a time"


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
        Site(site.url, client(naps, hurried=True), "UTC").prepare()
    assert naps == [1.0]


def test_an_interrupted_import_goes_on_where_it_stopped(
    world: World, site: ReferenceSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing_run, "BATCH", 200)
    for number in range(300):
        start = f"2028-01-01 {number // 60:02}:{number % 60:02}:00"
        site.event(1000 + number, f"Event {number}", start_date=start, end_date="2028-01-02 00:00:00")
    source = Site(site.url, client(), "UTC")
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


def test_a_home_that_leads_to_one_of_its_pages_is_the_same_source(world: World, site: ReferenceSite) -> None:
    """Else all would come twice when it leads to another page, such as one in another language."""
    read(world, site)
    answer = site.answer

    def translated(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        if path == "/" and not query:
            return 302, {"Location": f"{site.url}/en/"}, ""
        return answer("/" if path == "/en/" else path, query, authorization)

    site.answer = translated  # type: ignore[method-assign]
    assert set(actions(read(world, site))) == {"unchanged"}


@pytest.mark.parametrize(
    ("root", "home"),
    [
        ("https://town.test/blog/wp-json/tribe/events/v1/", "https://town.test/blog/"),
        ("https://town.test/?rest_route=/tribe/events/v1/", "https://town.test/"),
        ("https://town.test/index.php?rest_route=/tribe/events/v1/", "https://town.test/"),
        ("https://town.test/index.php/wp-json/tribe/events/v1/", "https://town.test/"),
        ("https://town.test/api/calendar/events/v1/", "https://town.test/"),
    ],
)
def test_the_home_of_an_interface(root: str, home: str) -> None:
    assert ApiRoot(root).home == home


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


def test_the_first_records_need_the_first_pages_only(site: ReferenceSite) -> None:
    for number in range(120):
        site.event(100 + number, f"Evening {number}")
    source = Site(site.url, client(user="ed", password="app pass"), "UTC")
    source.prepare()
    assert len(list(itertools.islice(source.items(""), 8))) == 8
    assert not any("&page=2" in request for request in site.requests)


def test_a_protected_event_is_never_made_public(make_other: Any, site: ReferenceSite) -> None:
    site.records["events"][0] |= {"all_day": None, "description": ""}
    report = read(make_other(), site)
    [told] = report.remarkable
    assert (told.name, told.action) == ("Jazz &#8211; night", "skipped")


def test_a_protected_event_that_the_public_list_leaves_out_is_not_made_public(
    world: World, site: ReferenceSite
) -> None:
    site.protected = {28}
    answer = site.answer

    def without(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        status, headers, body = answer(path, query, authorization)
        if not authorization and path.endswith("/events/28"):
            return 404, {}, {"code": "event-not-found"}
        if not authorization and isinstance(body, dict) and "events" in body:
            body |= {"events": [event for event in body["events"] if event["id"] != 28]}
        return status, headers, body

    site.answer = without  # type: ignore[method-assign]
    read(world, site, user="ed", password="app pass")
    statuses = {title: event["status"] for title, event in events_by_title(world).items()}
    assert statuses == {
        "Jazz – night": "private",
        "Long ago": "publish",
        "Fixed offset": "publish",
        "No end": "publish",
    }


def test_internal_addresses_need_the_administrators_word(world: World, site: ReferenceSite) -> None:
    with pytest.raises(
        SourceError, match=r"it has a port that is not allowed; is it written correctly\? .*--allow-private"
    ):
        read(world, site, allow_private=False)
    with pytest.raises(SourceError, match=r"does not lead to a public address; .*--allow-private"):
        Site("http://127.0.0.1", client(allow_private=False), "UTC").prepare()
    assert site.requests == []


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


@pytest.mark.parametrize("address", ["http://ed:secret@127.0.0.1:1/?key=secret", "ed:secret@[", "http://ed:secret@["])
def test_a_login_in_an_address_is_in_no_message(address: str) -> None:
    source = Site(address, client(), "UTC")
    with pytest.raises(SourceError) as refused:
        source.prepare()
    assert "secret" not in f"{source.label} {refused.value}"


def test_ids_are_kept_where_they_are_free(world: World, site: ReferenceSite) -> None:
    taken = world.make("events", title="Here first")["id"]
    site.records["events"][2]["id"] = taken
    read(world, site, options=Options(keep_ids=True))
    events = events_by_title(world)
    assert (events["Jazz – night"]["id"], events["Here first"]["id"]) == (28, taken)
    assert events["Fixed offset"]["id"] not in (taken, 28)
    assert world.make("events", title="Next")["id"] > 33


def mirror(world: World, site: ReferenceSite, **login: str) -> Report:
    source = Site(site.url, client(**login), "UTC")
    source.prepare()
    run = Import(world.calendar, administrator(world))
    run.run(source, resume=False)
    run.remove_missing(source)
    return run.report


def test_a_mirror_removes_what_is_gone(world: World, site: ReferenceSite) -> None:
    mirror(world, site)
    own = world.make("events", title="Our own")
    gone = site.records["events"].pop(1)
    assert mirror(world, site).total("deleted") == 1
    assert set(events_by_title(world)) == {"Jazz – night", "Fixed offset", "No end", "Our own"}
    site.records["events"].append(gone)
    assert mirror(world, site).total("updated") == 1
    assert events_by_title(world)["Long ago"]["slug"] == "long-ago"
    site.records["events"] = []
    with pytest.raises(SourceError, match="has no events at all now, so nothing is removed"):
        mirror(world, site)
    assert world.read("events", own["id"])["status"] == "publish"


def test_a_mirror_keeps_what_moved_between_the_pages(world: World, site: ReferenceSite) -> None:
    """Something is deleted after page 1 was read: what was first on page 2 is on neither."""
    for number in range(60):
        site.event(100 + number, f"Evening {number:02}")
    mirror(world, site)
    answer = site.answer

    def moving(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        found = answer(path, query, authorization)
        if path.endswith("/events") and query.get("page") == ["1"] and query.get("per_page") == ["50"]:
            site.reads += 1
            if site.reads == 2:  # the first one only looks how many there are
                del site.records["events"][0]
        return found

    site.answer = moving  # type: ignore[method-assign]
    report = mirror(world, site)
    assert (report.total("deleted"), len(events_by_title(world))) == (0, 64)
    report = mirror(world, site)
    assert (report.total("deleted"), len(events_by_title(world))) == (1, 63)


@pytest.mark.parametrize(
    ("answered", "is_gone"),
    [
        ((404, {}, {"code": "event-not-found"}), True),
        ((410, {}, {"code": "event-no-longer-available"}), True),
        ((403, {}, {"code": "event-no-longer-available"}), True),
        ((403, {}, {"code": "event-not-accessible"}), True),
        ((403, {}, {"code": "event-password-protected"}), True),
        ((200, {}, {"id": 34, "status": "trash"}), True),
        ((404, {}, {"code": "rest_no_route"}), False),
        ((404, {}, "<html>not found</html>"), False),
        ((403, {}, {"code": "rest_forbidden"}), False),
        ((403, {}, "<html>blocked</html>"), False),
        ((401, {}, {"code": "rest_not_logged_in"}), False),
        ((500, {}, {"code": "internal_server_error"}), False),
        ((503, {"Retry-After": "60"}, "busy"), False),
        ((200, {}, "<html>log in</html>"), False),
        ((200, {}, {"id": 35}), False),
    ],
)
def test_a_mirror_removes_only_what_the_site_says_is_gone(
    world: World, site: ReferenceSite, answered: tuple[int, dict[str, str], Any], is_gone: bool
) -> None:
    site.event(34, "Asked for")
    mirror(world, site)
    site.records["events"].pop()
    answer = site.answer

    def answering(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        return answered if path.endswith("/events/34") else answer(path, query, authorization)

    site.answer = answering  # type: ignore[method-assign]
    site.requests.clear()
    report = mirror(world, site)
    assert ("Asked for" not in events_by_title(world), report.total("deleted") == 1) == (is_gone, is_gone)
    assert len([path for path in site.requests if "/events/34" in path]) == 1
    told = f"1 records that {site.url} no longer lists stay: it did not say that they are gone"
    assert (told in report.remarks) == (not is_gone), report.remarks


def test_what_a_list_leaves_out_is_brought_up_to_date(world: World, site: ReferenceSite) -> None:
    """An event that lists hide is still there."""
    event = site.event(34, "Quiet")
    mirror(world, site)
    site.records["events"].remove(event)
    site.drafts.append(event | {"hide_from_listings": True, "title": "Quieter"})
    assert mirror(world, site).total("updated") == 1
    assert events_by_title(world)["Quieter"]["hide_from_listings"] is True


def test_a_site_in_trouble_is_not_asked_on_and_on(world: World, site: ReferenceSite) -> None:
    for number in range(20):
        site.event(100 + number, f"Evening {number}")
    mirror(world, site)
    del site.records["events"][4:]
    answer = site.answer

    def troubled(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        return (500, {}, {}) if "/v1/events/" in path else answer(path, query, authorization)

    site.answer = troubled  # type: ignore[method-assign]
    site.requests.clear()
    assert mirror(world, site).total("deleted") == 0
    assert len([path for path in site.requests if "/v1/events/" in path]) == 5
    assert len(events_by_title(world)) == 24


def test_a_mirror_that_can_no_longer_read_drafts_keeps_them(world: World, site: ReferenceSite) -> None:
    login = {"user": "ed", "password": "app pass"}
    draft = site.event(70, "Not ready", status="draft")
    site.records["events"].remove(draft)
    site.drafts.append(draft)
    mirror(world, site, **login)
    answer = site.answer

    def without_rights(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        """The user still logs in, and may only read now."""
        is_refused = "wp/v2" in path or query.get("status", ["publish"]) != ["publish"]
        return (403 if "wp/v2" in path else 400, {}, {}) if is_refused else answer(path, query, authorization)

    site.answer = without_rights  # type: ignore[method-assign]
    site.records["events"].pop(1)
    for again in (login, {}):
        assert mirror(world, site, **again).total("deleted") == (1 if again else 0)
        held = world.get("/events?status=draft&start_date=2020-01-01", "administrator").json()["events"]
        assert [event["title"] for event in held] == ["Not ready"]
    site.answer = answer  # type: ignore[method-assign]
    site.drafts.clear()
    assert mirror(world, site, **login).total("deleted") == 1


@pytest.mark.parametrize("answered", [(404, {}, {"code": "event-archive-page-not-found"}), (200, {}, [])])
def test_a_mirror_removes_nothing_after_a_list_with_missing_pages(
    world: World, site: ReferenceSite, answered: tuple[int, dict[str, str], Any]
) -> None:
    for number in range(60):
        site.event(100 + number, f"Evening {number}")
    mirror(world, site)
    answer = site.answer

    def broken(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        is_second = path.endswith("/events") and query.get("page") == ["2"]
        return answered if is_second else answer(path, query, authorization)

    site.answer = broken  # type: ignore[method-assign]
    with pytest.raises(SourceError, match="has fewer pages of events than it counts, so nothing is removed"):
        mirror(world, site)
    assert len(events_by_title(world)) == 64
