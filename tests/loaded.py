"""Loads everything that `kalends serve` needs, in the process that services are forked from (tests/forked.py)."""

import kalends.cli.serve
import kalends.store.engine.postgresql
import kalends.worker  # noqa: F401
from kalends import hooks
from kalends.feature import declared
from kalends.present.prerendering import code_version

for part in ("extension", "letters"):
    declared(part)
for hook in hooks.table():
    list(hook)
code_version()
