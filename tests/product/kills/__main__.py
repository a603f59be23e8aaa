"""Runs one of them and tells what came of it."""

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.clusters import Cluster
from tests.product.kills.mail_run import MailRun
from tests.product.kills.run import Scenario
from tests.product.kills.webhook_run import NodesRun, WebhookRun

RUNS: dict[str, Callable[[Path, Mapping[str, str]], Scenario]] = {
    "webhooks": WebhookRun,
    "nodes": NodesRun,
    "mail": MailRun,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--what", choices=RUNS, default="webhooks")
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kalends-kills-") as name:
        cluster = Cluster().start() if chosen.store == "postgresql" else None
        try:
            where = {}
            if cluster is not None:
                cluster.execute("CREATE DATABASE calendar")
                where = {"database": cluster.url("calendar")}
            result = RUNS[chosen.what](Path(name), where).run(chosen.kills, chosen.seed)
        finally:
            if cluster is not None:
                cluster.remove()
    print(f"{chosen.what} on {chosen.store}: {result}")
    for problem in result.problems:
        print(f"  {problem}")
    return int(bool(result.problems))


if __name__ == "__main__":
    sys.exit(main())
