"""What becomes of a unit that two sides changed, or one of them, or none: by the one merge, in the editor, and when a
file is imported again."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.test_editor_merging import opened, path_of
from tests.conftest import World
from tests.features.importing.conftest import actions, events_by_title, import_into

from kalends.contract.three_way_merge import Side, merge, unit_of
from kalends.features.importing.sources.kalends_json import KalendsJson

WAS, NOW_THERE, NOW_HERE = (f"https://{name}.example/" for name in ("was", "there", "here"))
# The website there and here, which it is afterwards, and whether a person has to choose.
CASES = {
    "nobody": (WAS, WAS, WAS, False),
    "they": (NOW_THERE, WAS, NOW_THERE, False),
    "we": (WAS, NOW_HERE, NOW_HERE, False),
    "both alike": (NOW_THERE, NOW_THERE, NOW_THERE, False),
    "both": (NOW_THERE, NOW_HERE, NOW_HERE, True),
}
WHEN = {"start_date": "2027-03-02 19:00:00", "end_date": "2027-03-02 22:00:00"}

Case = tuple[str, str, str, bool]
cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@cases
def test_by_the_merge(case: Case) -> None:
    there, here, wanted, is_asked = case
    before = {"website": WAS}
    theirs, ours = Side(before, {"website": there}), Side(before, {"website": here})
    found = merge(["website"], theirs, ours)
    assert found.conflicts == (["website"] if is_asked else [])
    assert (there if found.taken else here) == wanted
    assert not merge(["website"], theirs, ours, theirs_win=True).conflicts


@cases
def test_by_the_editor(world: World, case: Case) -> None:
    there, here, wanted, is_asked = case
    event = world.make("events", title="Ball", website=WAS, **WHEN)
    client = AdminClient(world, "editor")
    form = opened(client, event)
    world.put(f"/events/{event['id']}", json={"website": there, "title": "Gala"})
    answer = client.post(path_of(event), form | {"website": [here]}, status=409 if is_asked else 303)
    assert ("take_website" in answer.text) == is_asked
    now = world.get(f"/events/{event['id']}").json()
    assert (now["website"], now["title"]) == (there if is_asked else wanted, "Gala")


@cases
def test_by_an_import_that_is_repeated(world: World, tmp_path: Path, case: Case) -> None:
    there, here, wanted, is_asked = case

    def document(website: str) -> KalendsJson:
        event: dict[str, Any] = {"kind": "event", "id": "town/1", "title": "Ball", "website": website, **WHEN}
        path = tmp_path / "a.json"
        path.write_text(json.dumps({"format": "kalends", "version": 1, "records": [event]}), encoding="utf-8")
        return KalendsJson(path)

    import_into(world, document(WAS))
    world.put(f"/events/{events_by_title(world)['Ball']['id']}", json={"website": here})
    found = actions(import_into(world, document(there)))
    assert ("conflict" in found) == is_asked
    assert events_by_title(world)["Ball"]["website"] == wanted


def test_fields_of_one_unit_are_merged_together() -> None:
    assert {unit_of(name) for name in ("start_date", "end_date", "timezone", "all_day")} == {unit_of("start_date")}
    assert unit_of("custom_shoes") == "custom_shoes"
