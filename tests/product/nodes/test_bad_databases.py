"""A database that cannot be used ends the start with one clear line, and never with half a service."""

from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from tests.clusters import Cluster, free_port
from tests.product.nodes.conftest import PASSWORD, run
from tests.waiting import until


def api_error(tmp_path: Path, database: str, **settings: str) -> str:
    """What `kalends serve` says when it does not start."""
    port = free_port()
    status, out, err = run(
        "serve", "--port", port, "--data", tmp_path / "data", database=database, database_timeout="2", **settings
    )
    assert (status, out) == (1, "")
    assert err.startswith("kalends: ")
    assert len(err.splitlines()) == 1, err
    assert "sesame" not in err
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/healthz")
    return err


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://x:sesame@127.0.0.1:1/calendar", "refused"),
        ("postgresql://x:sesame@nowhere.invalid/calendar", "nowhere.invalid"),
        ("postgresql://x:sesame@127.0.0.1/", "is not the address of a PostgreSQL database"),
        ("postgresql://x:sesame@127.0.0.1:99999/calendar", "99999"),
        ("postgresql://127.0.0.1/calendar?nonsense=1", "nonsense"),
        ("mysql://x:sesame@127.0.0.1/calendar", "accepted: nothing, sqlite:///path, or postgresql://"),
    ],
)
def test_an_address_that_leads_nowhere(tmp_path: Path, address: str, said: str) -> None:
    assert said in api_error(tmp_path, address)


def refuses(address: str) -> bool:
    try:
        psycopg.connect(address).close()
    except psycopg.OperationalError:
        return True
    return False


def test_a_wrong_password(tmp_path: Path, clusters: Any) -> None:
    cluster = clusters()
    cluster.execute("CREATE USER ali PASSWORD 'open'")
    cluster.execute("CREATE DATABASE calendar OWNER ali")
    rules = cluster.data / "pg_hba.conf"
    rules.write_text("host all ali 127.0.0.1/32 scram-sha-256\n" + rules.read_text())
    cluster.execute("SELECT pg_reload_conf()")
    wrong = cluster.url("calendar", "ali:sesame")
    until(lambda: refuses(wrong))  # the new rule holds a moment later
    assert 'password authentication failed for user "ali"' in api_error(tmp_path, wrong)
    there_is_none = cluster.url("calendars", "ali:open")
    assert 'database "calendars" does not exist' in api_error(tmp_path, there_is_none)


def test_a_user_without_the_rights_it_needs(tmp_path: Path, shared_cluster: Cluster) -> None:
    shared_cluster.execute("CREATE USER guest")
    for name in ("no_extension", "no_tables"):
        shared_cluster.execute(f"CREATE DATABASE {name}")
    shared_cluster.execute("GRANT ALL ON SCHEMA public TO guest", "no_extension")
    said = api_error(tmp_path, shared_cluster.url("no_extension", "guest"))
    assert "may not create the extension pg_trgm" in said
    assert "CREATE EXTENSION pg_trgm" in said
    shared_cluster.execute("CREATE EXTENSION pg_trgm", "no_tables")
    assert "permission denied for schema public" in api_error(tmp_path, shared_cluster.url("no_tables", "guest"))


def test_a_newer_schema(tmp_path: Path, shared_cluster: Cluster, database: str) -> None:
    assert run("user", "list", "--data", tmp_path / "data", database=database)[0] == 0
    name = database.rpartition("/")[2]
    shared_cluster.execute("INSERT INTO migration VALUES ('', 9999, 'from the future', '')", name)
    assert "this store has schema 9999" in api_error(tmp_path, database)


def test_an_old_schema_is_brought_up_to_date(
    tmp_path: Path, shared_cluster: Cluster, nodes: Any, database: str
) -> None:
    name = database.rpartition("/")[2]
    shared_cluster.execute("CREATE TABLE migration (owner TEXT, number INTEGER, name TEXT, at TEXT)", name)
    node = nodes(database)
    assert httpx.get(f"{node.url}/readyz").status_code == 200
    assert httpx.get(f"{node.ns}/users/me", auth=("admin", PASSWORD)).status_code == 200


def test_a_schema_that_changes_under_a_running_node_is_reported(
    nodes: Any, shared_cluster: Cluster, database: str
) -> None:
    node, name = nodes(database), database.rpartition("/")[2]
    shared_cluster.execute("INSERT INTO migration VALUES ('', 9999, 'from the future', '')", name)
    ready = httpx.get(f"{node.url}/readyz")
    assert (ready.status_code, ready.json()["ready"]) == (503, False)
    assert "9999" in ready.json()["reason"]
