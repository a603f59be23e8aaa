"""Loads everything that `kalends serve` needs, in the process that services are forked from (tests/forked.py)."""

import kalends.cli.serve
import kalends.store.engine.postgresql
import kalends.worker  # noqa: F401
from kalends.feature import HOOKS, declared, hooks
from kalends.present.prerendering import code_version

for part in ("extension", "routes", "tasks", "letters"):
    declared(part)
for name in HOOKS:
    hooks(name)
code_version()
