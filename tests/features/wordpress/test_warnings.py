"""What a client of WordPress is warned of, and what it is not."""

import pytest
from tests.conftest import BASE_URL, World
from tests.features.wordpress.wordpress_paths import ROUTES, WP

from kalends.contract.kinds import KINDS, Kind


@pytest.mark.parametrize(
    ("address", "warning"),
    [
        ("/events/?ical=1&categry=music", "Unknown parameter: categry; did you mean categories?"),
        ("/events/month/?ical=1&serch=x", "Unknown parameter: serch; did you mean search?"),
        ("/events/feed/?venu=1", "Unknown parameter: venu; did you mean venue?"),
        ("/venue/hall/?ical=1&serch=x", "Unknown parameter: serch; did you mean search?"),
    ],
)
def test_an_unknown_filter_is_ignored_with_a_warning(world: World, address: str, warning: str) -> None:
    world.make("events", venue={"venue": "Hall"})
    for _ in range(2):
        answer = world.get(BASE_URL + address)
        assert (answer.status_code, answer.headers.get("Warning")) == (200, f'299 - "{warning}"')


@pytest.mark.parametrize(
    "address",
    [
        "/events/?ical=1&tribe-bar-date=2027-03-01&tribe-bar-search=x&eventDisplay=list&tribe_paged=1",
        "/events/month/?ical=1",
        "/events/feed/?order=desc",
    ],
)
def test_known_filters_have_no_warning(world: World, address: str) -> None:
    assert "Warning" not in world.get(BASE_URL + address).headers


def test_an_unknown_key_is_ignored_with_a_warning(world: World) -> None:
    wp = f"{WP}/tribe_events/{world.make('events')['id']}"
    assert "titel; did you mean title?" in world.post(wp, json={"titel": "x"}).headers["Warning"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.plural)
def test_what_was_read_can_be_sent_back_without_a_warning(world: World, kind: Kind) -> None:
    name = {"title": "Fair"} if kind.plural == "events" else {kind.name_field: "One"}
    address = f"{WP}/{ROUTES[kind]}/{world.make(kind.plural, **name)['id']}"
    read = world.get(f"{address}?context=edit", "administrator").json()
    assert "Warning" not in world.post(address, json=read).headers
