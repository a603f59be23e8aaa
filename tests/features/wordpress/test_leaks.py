"""What clients of WordPress are told is the same with secret records and without."""

from itertools import islice

import pytest
from tests.calendar.access.secret_records import Probe
from tests.calendar.access.test_leaks import CALLERS, compare, pair, share_for, values_for
from tests.features.wordpress import compat_paths, wordpress_paths

from kalends.features.wordpress.filters import MEDIA_FILTERS

__all__ = ["pair"]


def test_calendar_addresses_are_the_same_without_the_secrets(pair: tuple[Probe, Probe]) -> None:
    with_secrets = pair[0]
    for path in compat_paths.calendar_addresses(with_secrets):
        said = compare(pair, "anonymous", "GET", path)
        assert not [word for word in with_secrets.words if word in said and word not in path], path


@pytest.mark.parametrize("who", CALLERS)
def test_tec_is_the_same_without_the_secrets(pair: tuple[Probe, Probe], who: str) -> None:
    with_secrets = pair[0]
    paths = compat_paths.tec_paths(with_secrets, values_for(with_secrets))
    for path in islice(paths, 0, None, share_for(who)):
        said = compare(pair, who, "GET", path)
        assert not [word for word in with_secrets.words if word in said and word not in path], path


@pytest.mark.parametrize("who", CALLERS)
def test_addresses_of_wordpress_are_the_same_without_the_secrets(pair: tuple[Probe, Probe], who: str) -> None:
    with_secrets, asked = pair[0], 0
    share = share_for(who)
    for path in islice(wordpress_paths.wordpress_paths(with_secrets), 0, None, share):
        said = compare(pair, who, "GET", path)
        others = [word for word in with_secrets.words if word in said and word not in path]
        assert not others, (path, others)
        asked += 1
    assert asked > 300 / share


@pytest.mark.parametrize("who", ["anonymous", "subscriber"])
def test_writes_to_wordpress_without_rights_are_the_same_without_the_secrets(
    pair: tuple[Probe, Probe], who: str
) -> None:
    with_secrets = pair[0]
    routes = {"events": "tribe_events", "venues": "tribe_venue", "organizers": "tribe_organizer"}
    paths = [f"{routes[kind]}/{id}" for kind, ids in with_secrets.secrets.items() for id in ids]
    for path in [*paths, *(f"media/{id}" for id in with_secrets.pictures)]:
        for method in ("PUT", "DELETE"):
            compare(pair, who, method, f"{wordpress_paths.WP}/{path}", json={})


def test_every_filter_is_tried(pair: tuple[Probe, Probe]) -> None:
    of_wordpress = {kind: set(filters) for kind, filters in wordpress_paths.filter_values(pair[0]).items()}
    assert of_wordpress == wordpress_paths.tried()
    assert set(wordpress_paths.media_values(pair[0])) == {field.name for field in MEDIA_FILTERS}
