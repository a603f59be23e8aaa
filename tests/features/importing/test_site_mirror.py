"""A mirror of a site removes what the site says is gone, and nothing else."""

from typing import Any

import pytest
from tests.conftest import World
from tests.features.importing.conftest import administrator, events_by_title
from tests.features.importing.reference_site import ReferenceSite
from tests.features.importing.site_client import client

from kalends.features.importing.applying.report import Report
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.run import Import
from kalends.features.importing.sources.site import RemoteSite


def mirror(world: World, site: ReferenceSite, **login: str) -> Report:
    source = RemoteSite(site.url, client(**login), "UTC")
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
