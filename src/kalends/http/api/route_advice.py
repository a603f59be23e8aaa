"""The message of an unknown route: the root of the interface, and the closest route."""

from difflib import get_close_matches
from functools import cache

import falcon

from kalends.contract.errors import FieldError
from kalends.contract.operations import addresses
from kalends.http.request_context import context_of
from kalends.languages import N_

MOST_STEPS = 8
LONGEST_STEP = 40
LEAST_ALIKE = 0.7


def advice(req: falcon.Request) -> FieldError | None:
    """A sentence for a path under the interface, none elsewhere."""
    found = context_of(req).addresses
    root = found.api_url.removeprefix(found.base_url)
    if not req.path.startswith(f"{root}/"):
        return None
    inside = req.path.removeprefix(root).removeprefix(found.ns.removeprefix(found.api_url))
    meant = _meant(inside)
    if meant is None:
        return FieldError("", N_("The API is at {root}"), root=f"{found.ns}/")
    return FieldError(
        "", N_("The API is at {root} — did you mean {route}?"), root=f"{found.ns}/", route=f"{found.ns}/{meant}"
    )


def _meant(path: str) -> str | None:
    """The collection that the last part of a path comes closest to."""
    steps = [step[:LONGEST_STEP].lower() for step in path.split("/")[: MOST_STEPS + 1] if step]
    for step in reversed(steps):
        if close := get_close_matches(step, _collections(), 1, LEAST_ALIKE):
            return close[0]
    return None


@cache
def _collections() -> tuple[str, ...]:
    """The first steps of all routes: events, venues, …"""
    first_steps = (address.pattern.split("/")[1:2] for address in addresses())
    return tuple(dict.fromkeys(step for steps in first_steps for step in steps if step))
