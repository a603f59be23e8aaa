"""A handful of the kills in `make test`, as many as the contract's issue asks for in `make test-all`."""

from pathlib import Path

import pytest
from tests.clusters import Cluster
from tests.effort import EVERYTHING, effort
from tests.product.kills.mail_run import MailRun
from tests.product.kills.processes import FROZEN, MASTER, RECEIVER, WORKER
from tests.product.kills.webhook_run import NodesRun, WebhookRun

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds the workers by what Linux says of processes"
)
only_in_full = pytest.mark.skipif(not EVERYTHING, reason="takes minutes: make test-all")


def database(request: pytest.FixtureRequest, name: str) -> dict[str, str]:
    cluster: Cluster = request.getfixturevalue("cluster")
    cluster.execute(f"CREATE DATABASE {name}")
    return {"database": cluster.url(name)}


def test_no_change_is_lost_or_out_of_order_and_no_write_is_done_twice(tmp_path: Path) -> None:
    assert WebhookRun(tmp_path).run(effort(3, 200)).problems == []


@only_in_full
def test_no_change_is_lost_with_postgresql(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    assert WebhookRun(tmp_path, database(request, "killed_webhooks")).run(200).problems == []


def test_no_change_is_lost_by_two_nodes_that_are_killed_and_frozen(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    result = NodesRun(tmp_path, database(request, "frozen_webhooks")).run(effort(4, 200))
    print(result)
    assert result.problems == []
    assert result.kills.keys() == {WORKER, MASTER, RECEIVER, FROZEN}


@only_in_full
def test_two_nodes_send_every_message_and_give_it_one_id(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    assert MailRun(tmp_path, database(request, "killed_mail")).run(100).problems == []
