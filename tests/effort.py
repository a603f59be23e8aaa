"""How much a run of the tests does: the usual, or with TEST_ALL=1 in the environment (`make test-all`) everything.

The usual run leaves out repetition only: more random calendars, more examples of Hypothesis, more operations under
load, and the second store for tests of what no store decides.
"""

import os
from typing import TypeVar

Amount = TypeVar("Amount")

EVERYTHING = os.environ.get("TEST_ALL", "") not in ("", "0")


def effort(usual: Amount, everything: Amount) -> Amount:
    """An amount of work by how much this run does."""
    return everything if EVERYTHING else usual
