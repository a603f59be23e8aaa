"""A batch is admitted as its writes are."""

from typing import Any

import pytest

from kalends.calendar.admission import WORKER
from kalends.contract.errors import FieldError


@pytest.mark.both_stores
def test_a_batch_goes_on_in_its_turn_after_an_image_that_cannot_be_fetched(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, clients = world.calendar.store, list[str]()
    write = store.write

    def noted(**options: Any) -> Any:
        clients.append(WORKER.client)
        return write(**options)

    def fetch(url: str, settings: Any) -> Any:
        raise FieldError("", "It is not there.")

    monkeypatch.setattr(world.calendar, "fetch", fetch)
    event = {"title": "Concert", "start_date": "2027-01-01", "end_date": "2027-01-02"}
    bodies = [event | {"image": "https://gone.example/x.png"}, event | {"recurrence": {"rule": "FREQ=DAILY;COUNT=2"}}]
    monkeypatch.setattr(store, "write", noted)
    requests = [{"method": "POST", "path": "/events", "body": body} for body in bodies]
    sent = {"requests": requests, "atomic": False}
    answer = world.post("/batch", "editor", json=sent)
    assert [one["status"] for one in answer.json()["responses"]] == [400, 201]
    assert {client.partition(" ")[0] for client in clients} == {"account"}
