"""Records with ids that no calendar can keep are left out, each with a line that says so; the others come."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conftest import World
from tests.features.importing import wxr_files
from tests.features.importing.conftest import actions, events_by_title, import_into
from tests.features.importing.reference_site import ReferenceSite, served

from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.applying.report import Report
from kalends.features.importing.run import TWICE
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.sources.site import RemoteSite
from kalends.features.importing.sources.web_client import WebClient
from kalends.features.importing.sources.wxr import WxrFile

Save = Callable[[str, str | bytes], Path]

LONG: list[int | str] = [10**18, 2**64, int("9" * 400), str(10**30)]
TIMES = {"start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 12:00:00"}


@pytest.fixture
def site() -> Iterator[ReferenceSite]:
    with served(ReferenceSite()) as site:
        site.event(28, "Jazz night")
        site.event(31, "Market")
        yield site


def read(world: World, site: ReferenceSite, options: ImportOptions) -> Report:
    client = WebClient(allow_private=True, sleep=lambda seconds: None)
    return import_into(world, RemoteSite(site.url, client, "UTC"), options=options)


def left_out(report: Report) -> dict[str, list[str]]:
    return {
        found.name: [str(detail) for detail in found.details]
        for found in report.remarkable
        if found.action == "skipped"
    }


@pytest.mark.both_stores
@pytest.mark.parametrize("keep_ids", [False, True])
@pytest.mark.parametrize("id", LONG, ids=lambda id: f"{len(str(id))} digits")
def test_a_long_id_of_a_site_leaves_out_its_record(
    world: World, site: ReferenceSite, id: int, keep_ids: bool
) -> None:
    site.event(id, "Too long")
    site.records["venues"].append({"id": id, "venue": "Long hall", "slug": "long-hall"})
    report = read(world, site, ImportOptions(keep_ids=keep_ids))
    assert sorted(events_by_title(world)) == ["Jazz night", "Market"]
    assert left_out(report).keys() == {"Too long", "Long hall"}
    assert left_out(report)["Too long"] == ["its id is no number that can be kept"]


@pytest.mark.both_stores
@pytest.mark.parametrize("keep_ids", [False, True])
def test_a_long_id_of_a_file_is_no_number(world: World, save: Save, keep_ids: bool) -> None:
    posts = "".join(wxr_files.event(id, f"Fair {id}", "2027-05-01 10:00:00") for id in (7, 10**18, 10**25))
    path = save("site.xml", wxr_files.HEAD + posts + wxr_files.FOOT)
    report = import_into(world, WxrFile(path, "UTC"), options=ImportOptions(keep_ids=keep_ids), with_images=False)
    assert actions(report) == {"created": 3}
    assert max(event["id"] for event in events_by_title(world).values()) < 10**9


@pytest.mark.both_stores
@pytest.mark.parametrize("other", ["town/7\x07", "town/7\ufeff\x00", "to\x1bwn/7", "town/<b>7</b>", "town/ 7"])
def test_an_id_that_equals_another_once_it_is_cleaned_leaves_out_its_record(
    world: World, save: Save, other: str
) -> None:
    ids = {"First": "town/7", "Second": other, "Third": "town/8"}
    events = [{"kind": "event", "id": id, "title": title, **TIMES} for title, id in ids.items()]
    path = save("a.json", json.dumps({"format": "kalends", "version": 1, "records": events}))
    report = import_into(world, KalendsJson(path))
    assert sorted(events_by_title(world)) == ["First", "Third"]
    assert left_out(report) == {"Second": [TWICE]}
    alone = save("b.json", json.dumps({"format": "kalends", "version": 1, "records": [events[1]]}))
    assert actions(import_into(world, KalendsJson(alone))) == {"updated": 1}, "it is the one that is here"


@pytest.mark.both_stores
def test_ids_of_wordpress_files_are_cleaned_too(world: World, save: Save) -> None:
    event = wxr_files.event(7, "First", "2027-05-01 10:00:00")
    odd = wxr_files.event(8, "Second", "2027-05-02 10:00:00").replace("_id>8<", "_id>7&#x202e;<")
    third = wxr_files.event(9, "Third", "2027-05-02 10:00:00")
    path = save("site.xml", wxr_files.HEAD + event + odd + third + wxr_files.FOOT)
    report = import_into(world, WxrFile(path, "UTC"), with_images=False)
    assert sorted(events_by_title(world)) == ["First", "Third"]
    assert left_out(report) == {"Second": [TWICE]}
