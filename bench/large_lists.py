"""The peak memory of a worker while three clients ask for lists of large records at once.

    python bench/large_lists.py

Every event shows 50 venues with descriptions of 200,000 characters. A list of three events has almost the size that
is allowed; a page of 50 would have 500 MB.
"""

import resource
import sys
import tempfile
import threading
from pathlib import Path

from falcon.testing import TestClient

from kalends.bootstrap import open_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import credentials, users
from kalends.settings import load
from kalends.worker import make_app

NS = "/api/calendar/events/v1"
VENUES, EVENTS, LENGTH = 50, 50, 199_000
AT_ONCE = 3
HEADERS = {"Host": "calendar.test"}


def fill(client: TestClient, token: str) -> None:
    headers = HEADERS | {"Authorization": f"Bearer {token}"}
    venues = []
    for number in range(VENUES):
        body = {"venue": f"Venue {number}", "description": "large text " * (LENGTH // 11)}
        venues.append(client.simulate_post(f"{NS}/venues", json=body, headers=headers).json["id"])
    for number in range(EVENTS):
        body = {"title": f"Event {number}", "start_date": f"2030-01-01 {number % 24:02}:00:00", "venue": venues}
        body["end_date"] = "2030-01-02 00:00:00"
        made = client.simulate_post(f"{NS}/events", json=body, headers=headers)
        assert made.status_code == 201, made.text


def peak() -> int:
    """In megabytes, of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def ask(client: TestClient, per_page: int, more: str = "") -> None:
    before, told = peak(), []

    def one(number: int) -> None:
        # Another address each, so that no cache helps.
        query = f"start_date=2029-12-0{number + 1}&end_date=2031-01-01&per_page={per_page}{more}"
        answer = client.simulate_get(f"{NS}/events", query_string=query, headers=HEADERS)
        told.append(f"{answer.status_code}, {len(answer.content) / 1e6:.0f} MB")

    threads = [threading.Thread(target=one, args=(number,)) for number in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"per_page={per_page}{more}: {told[0]}; peak {before} → {peak()} MB", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        calendar = open_calendar(load(Path(folder), {"base_url": "http://calendar.test"}, {}))
        with calendar.writing(SERVICE) as work:
            administrator = users.add_user(work, "filler", "administrator", "a long password")
            token, _ = credentials.add_token(work, administrator, "bench")
        client: TestClient = TestClient(make_app(calendar))
        fill(client, token)
        print(f"filled: peak {peak()} MB", flush=True)
        ask(client, 3)
        ask(client, 3, "&_fields=id,title,venue")
        ask(client, int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)
        calendar.store.close()


if __name__ == "__main__":
    main()
