"""Defines a field and gives an event a value, or reads, finds and writes it where the folder of the feature is
gone. Run with the folder of the sources, the one of the data, and what to do."""

import sys
from pathlib import Path

from falcon.testing import TestClient

import kalends
from kalends.bootstrap import make_administrator, open_calendar
from kalends.settings import load
from kalends.worker import make_app

NS = "/api/calendar/events/v1"
CREDENTIALS = {"Authorization": "Basic YWRtaW46bG9uZyBlbm91Z2ggMQ=="}
EVENT = {"title": "Fair", "start_date": "2027-03-10 10:00:00", "end_date": "2027-03-10 12:00:00"}
SPAN = {"start_date": "2027-01-01", "end_date": "2028-01-01"}
KEY = "_ecp_custom_1"


def titles(client: TestClient, **filters: str) -> list[str]:
    listed = client.simulate_get(f"{NS}/events", params=SPAN | filters)
    assert listed.status_code == 200, listed.text
    return [one["title"] for one in listed.json["events"]]


def define(client: TestClient) -> None:
    field = {"label": "Doors open", "type": "text", "filter": True}
    made = client.simulate_post(f"{NS}/custom-fields", json=field, headers=CREDENTIALS)
    assert made.status_code == 201, made.text
    event = client.simulate_post(f"{NS}/events", json=EVENT | {KEY: "half past six"}, headers=CREDENTIALS)
    assert event.status_code == 201, event.text


def use(client: TestClient) -> None:
    assert client.simulate_get(f"{NS}/custom-fields").status_code == 404
    [event] = client.simulate_get(f"{NS}/events", params=SPAN).json["events"]
    assert event["custom_fields"] == {KEY: {"label": "Doors open", "value": "half past six"}}
    assert titles(client, search="past six") == ["Fair"]
    assert titles(client, **{"custom[doors-open]": "half past six"}) == ["Fair"]
    assert titles(client, **{"custom[doors-open]": "seven"}) == []
    page = client.simulate_get("/event/fair/").text
    assert "Doors open" in page
    assert "half past six" in page
    assert "custom[doors-open]" in client.simulate_get("/events/list/2027-03-10/").text
    changed = client.simulate_post(f"{NS}/events/{event['id']}", json={KEY: "seven"}, headers=CREDENTIALS)
    assert changed.status_code == 200, changed.text
    assert changed.json["custom_fields"][KEY]["value"] == "seven"
    assert titles(client, **{"custom[doors-open]": "seven"}) == ["Fair"]


def main(sources: Path, data: Path, what: str) -> None:
    assert Path(kalends.__file__).parent == sources / "kalends", kalends.__file__
    calendar = open_calendar(load(data, {}, {"KALENDS_ADMIN_PASSWORD": "long enough 1"}))
    if what == "define":
        make_administrator(calendar)
    client = TestClient(make_app(calendar))
    {"define": define, "use": use}[what](client)
    calendar.store.close()


main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
