"""What the measurements have in common with the tests: servers of their own, on ports of their own."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.clusters import Cluster, free_port
from tests.postgresql_programs import missing

__all__ = ["Cluster", "free_port", "missing"]
