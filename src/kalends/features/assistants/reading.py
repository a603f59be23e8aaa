"""The arguments of a tool, read by the tables of the contract. Unlike the interface, tools refuse what they do not
know: a model that mistypes an argument should hear of it."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from kalends.contract.errors import MISSING_PARAM, UNKNOWN, ApiError, FieldError
from kalends.contract.fields import Field, Reading, read, required_missing
from kalends.contract.types import repeated


def read_arguments(fields: Sequence[Field], sent: Mapping[str, object], *, updates: bool = False) -> Reading:
    """What was sent, without what is null unless that clears something."""
    if missing := required_missing(fields, sent):
        raise ApiError(MISSING_PARAM, {"params": missing}, names=", ".join(missing))
    known = [field.name for field in fields]
    given = {name: value for name, value in sent.items() if updates or value is not None}
    reading = read(fields, given)
    for name in given:
        if name not in known:
            reading.problems.add(repeated(name), _unknown(name, known))
    return reading


def _unknown(name: str, known: Sequence[str]) -> FieldError:
    close = get_close_matches(name[:40], known, 1)
    if close:
        return FieldError(UNKNOWN, "is no argument of this tool; do you mean {name}?", name=close[0])
    return FieldError(UNKNOWN, "is no argument of this tool, which takes: {names}.", names=", ".join(known))
