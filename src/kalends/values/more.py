"""What a feature adds to a record that is shown, from tables of its own."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class SitePath(str):
    """A path of this site, such as `/rsvp/1/`. It is shown as the whole address, as the request knows the site."""

    __slots__ = ()


class More(NamedTuple):
    """What is added to one record. Its values are those of JSON, and `SitePath`s."""

    json: Mapping[str, Any] = {}  # by the names of the keys that a feature declares
    json_ld: Mapping[str, Any] = {}  # properties; one that is there already gets both values
    ical: Sequence[tuple[str, str]] = ()  # lines of an event's entry: a property and its text, or a `SitePath`


NOTHING_MORE = More()


def together(added: Sequence[More]) -> More:
    """What several features add to one record."""
    if len(added) == 1:
        return added[0]
    json, json_ld = dict[str, Any](), dict[str, Any]()
    for one in added:
        json |= one.json
        add_properties(json_ld, one.json_ld)
    return More(json, json_ld, [line for one in added for line in one.ical])


def add_properties(about: dict[str, Any], added: Mapping[str, Any]) -> None:
    """Adds properties to JSON-LD, in which one property may have several values."""
    for name, value in added.items():
        about[name] = [*_listed(about[name]), *_listed(value)] if name in about else value


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def addressed(value: Any, base_url: str) -> Any:
    """A value with whole addresses."""
    if isinstance(value, SitePath):
        return base_url + value
    if isinstance(value, Mapping):
        return {name: addressed(inner, base_url) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [addressed(inner, base_url) for inner in value]
    return value
