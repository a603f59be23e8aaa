"""The answer to a single write has the ETag of the record: the next change may name it without a read between."""

from typing import Any

import pytest

from kalends.contract.kinds import KINDS

NAMES = {"event": "title", "venue": "venue", "organizer": "organizer", "category": "name", "tag": "name"}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("more", [{}, {"recurrence": "FREQ=DAILY;COUNT=3"}], ids=["single", "series"])
def test_a_chain_of_changes(world: Any, kind: Any, more: dict[str, str]) -> None:
    name = NAMES[kind.name]
    if kind.name == "event":
        more = more | {"start_date": "2027-01-01 10:00", "end_date": "2027-01-01 11:00"}
    elif more:
        pytest.skip("only events repeat")
    answer = world.post(f"/{kind.plural}", json={name: "First", **more})
    assert answer.status_code == 201
    path, last = f"/{kind.plural}/{answer.json()['id']}", ""
    for number in range(3):
        tag = answer.headers["ETag"]
        assert tag != last
        assert world.get(path, "administrator").headers["ETag"] == tag
        answer = world.post(path, json={name: f"Name {number}"}, headers={"If-Match": tag})
        assert answer.status_code == 200, answer.text
        assert world.post(path, json={name: "late"}, headers={"If-Match": tag}).status_code == 412
        last = tag
    if kind.is_term:
        return
    put = world.put(f"/{kind.plural}/by-external/here/1", json={name: "Known", **more})
    assert put.headers["ETag"] == world.get(f"/{kind.plural}/{put.json()['id']}", "administrator").headers["ETag"]
    trashed = world.ask("DELETE", path, "administrator", headers={"If-Match": answer.headers["ETag"]})
    assert trashed.status_code == 200
