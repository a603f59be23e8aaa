"""Places in the journal: where a reader of changes has come to, as numbers and as the token that clients keep.

A token is EPOCH.REV. Inside a first copy, and inside a change that very many events show, EPOCH has a part after a
hyphen: `EPOCH-c40.12` is at change 12 of a first copy that began when 40 was the last change; `EPOCH-e7.12` has told
of change 12 the events up to number 7.
"""

import re
from typing import NamedTuple

from kalends.contract.errors import WRONG_FORMAT, ApiError, FieldError, Problems
from kalends.features.changes.errors import CHANGES_EXPIRED
from kalends.languages import N_

TOKEN = re.compile(r"([0-9A-Za-z]{1,64})(?:-([ce])([0-9]{1,18}))?\.([0-9]{1,18})", re.ASCII)


class Position(NamedTuple):
    """Everything up to the change `rev` was told. `up_to_event`: of that one itself only the events up to this number
    that show it. `copying`: in a first copy, which began at this change, what had changed before is told without what
    was gone by then and without events that show it, which are all told themselves."""

    rev: int
    up_to_event: int | None = None
    copying: int | None = None

    @property
    def known(self) -> int:
        """The changes after this one must be known."""
        rev = self.rev if self.up_to_event is None else self.rev - 1
        return rev if self.copying is None else max(rev, self.copying)

    def token(self, epoch: str) -> str:
        """What a client keeps."""
        if self.copying is not None and self.copying > self.rev:
            return f"{epoch}-c{self.copying}.{self.rev}"
        return f"{epoch}.{self.rev}" if self.up_to_event is None else f"{epoch}-e{self.up_to_event}.{self.rev}"


def read(token: str, epoch: str) -> Position:
    """The place that a token names. Raises ApiError for a garbled token, and for one of another epoch."""
    found = TOKEN.fullmatch(token)
    if found is None:
        problem = FieldError(WRONG_FORMAT, N_("is no token: send the value of next as it was."))
        raise Problems({"since": problem}).error()
    if found[1] != epoch:
        raise ApiError(CHANGES_EXPIRED)
    rev, number = int(found[4]), int(found[3] or 0)
    return Position(rev, number if found[2] == "e" else None, number if found[2] == "c" else None)
