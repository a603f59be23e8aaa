"""Several nodes on one PostgreSQL database behave like one service."""

import threading
import time
from typing import Any

import httpx
import psycopg
from tests.effort import effort
from tests.product.nodes.conftest import PASSWORD, client, event

from kalends.store.engine.migrating import migrations

WRITERS = 8
EACH = effort(10, 250)
RENAMED = effort(20, 60)  # times


def in_parallel(*jobs: Any) -> None:
    """Runs jobs at once; what one of them raises is raised here."""
    errors: list[BaseException] = []

    def guarded(job: Any) -> None:
        try:
            job()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_nodes_that_start_together_migrate_once(nodes: Any, database: str) -> None:
    started = [nodes(database, start=False) for _ in range(4)]
    for node in started:
        node.start(wait=False)
    for node in started:
        node.wait()
        assert httpx.get(f"{node.ns}/events").json()["total"] == 0
    with psycopg.connect(database) as connection:
        applied = connection.execute("SELECT owner, number, name FROM migration").fetchall()
        assert sorted(applied) == sorted(one[:3] for one in migrations("postgresql"))
        assert connection.execute('SELECT count(*) FROM "user"').fetchone() == (1,)


def test_a_write_is_seen_by_the_next_read_on_any_node(nodes: Any, database: str) -> None:
    here, there = nodes(database), nodes(database)
    with client(here) as writer, httpx.Client(base_url=there.ns) as reader:
        made = writer.post("/events", json=event("First")).json()
        for number in range(RENAMED):
            # Both the list and the event are in the cache of the other node by now.
            assert reader.get("/events").json()["events"][0]["title"] == made["title"]
            made = writer.post(f"/events/{made['id']}", json={"title": f"Title {number}"}).json()
            assert reader.get(f"/events/{made['id']}").json()["title"] == f"Title {number}"
            assert reader.get("/events").json()["events"][0]["title"] == f"Title {number}"
            if number % 10 == 0:
                for path in ("/events/list/", "/events.rss", "/events.ics"):
                    site, _, _ = there.ns.partition("/api/")
                    assert f"Title {number}" in reader.get(site + path).text, path


def test_many_events_of_one_title_get_as_many_slugs(nodes: Any, database: str) -> None:
    both, slugs, ids = [nodes(database), nodes(database)], [], []

    def create(number: int) -> None:
        with client(both[number % 2]) as writer:
            for _ in range(EACH):
                answer = writer.post("/events", json=event("The same"))
                while answer.status_code == 503:  # on a busy machine one may wait too long for the others
                    time.sleep(float(answer.headers["Retry-After"]))
                    answer = writer.post("/events", json=event("The same"))
                assert answer.status_code == 201, answer.text
                slugs.append(answer.json()["slug"])
                ids.append(answer.json()["id"])

    in_parallel(*(lambda number=number: create(number) for number in range(WRITERS)))
    count = WRITERS * EACH
    assert len(slugs) == len(set(slugs)) == len(set(ids)) == count
    assert set(slugs) == {"the-same", *(f"the-same-{number}" for number in range(2, count + 1))}
    for node in both:
        assert httpx.get(f"{node.ns}/events", params={"start_date": "2027-01-01"}).json()["total"] == count


def test_credentials_and_their_limits_are_shared(nodes: Any, database: str) -> None:
    here, there = nodes(database), nodes(database)
    with client(here) as admin:
        token = admin.post("/users/1/tokens", json={"name": "other"}).json()
        header = {"Authorization": f"Bearer {token['token']}"}
        assert httpx.get(f"{there.ns}/users/me", headers=header).status_code == 200
        assert admin.delete(f"/users/1/tokens/{token['id']}").status_code == 200
    assert httpx.get(f"{there.ns}/users/me", headers=header).status_code == 401

    def sign_in(node: Any, password: str) -> int:
        return httpx.get(f"{node.ns}/users/me", auth=("admin", password)).status_code

    def is_blocked() -> bool:
        """Five mistakes are free, wherever they were made. The right password forgets them, if it is let in."""
        guesses = [sign_in(node, "wrong guess") for node in [here, there] * 4]
        return guesses[-1] == sign_in(there, PASSWORD) == 429

    assert sign_in(here, "wrong guess") == 401
    # The first block lasts a second, which may be over before the next request of a busy machine.
    assert any(is_blocked() for _ in range(5))


def test_images_uploaded_to_one_node_are_served_by_the_other(nodes: Any, database: str, picture: bytes) -> None:
    here, there = nodes(database), nodes(database)
    with client(here) as admin:
        kept = admin.post("/media", files={"file": ("a.png", picture, "image/png")})
        assert kept.status_code == 201, kept.text
        shown = admin.post("/events", json=event("With a picture", image=kept.json()["id"])).json()
    file = shown["image"]["url"].replace(here.url, there.url)
    assert httpx.get(file).status_code == 200
