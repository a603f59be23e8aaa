"""The admin without the history: forms are compared as before, and nothing leads to it."""

from collections.abc import Iterator

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends import application, feature, hooks
from kalends.admin import navigation


@pytest.fixture
def without_history(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    remaining = tuple(one for one in application.FEATURES if one.name != "history")
    cached = (feature.declared, hooks.functions_of, navigation.navigation)
    monkeypatch.setattr(application, "FEATURES", remaining)
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


def pages(world: World) -> list[str]:
    """Of which some lead to the history: the editor, a venue, and the queue with what was public once."""
    event = world.make("events", title="Fair")["id"]
    venue = world.make("venues", venue="Hall")["id"]
    world.post(f"/events/{event}", json={"title": "Autumn fair", "status": "pending"})
    admin = AdminClient(world, "administrator")
    return [admin.get(f"/admin/{path}").text for path in (f"events/{event}", f"venues/{venue}", "review")]


def test_pages_lead_to_the_history(world: World) -> None:
    for page in pages(world):
        assert page.count("/history") == 2  # one in the navigation
    assert "Changed since it was published" in page


@pytest.mark.usefixtures("without_history")
def test_without_the_feature_nothing_leads_there(world: World) -> None:
    for page in pages(world):
        assert "/history" not in page
    assert "Autumn fair" in page


@pytest.mark.usefixtures("without_history")
def test_a_conflict_is_noticed_without_the_feature(world: World) -> None:
    event = world.make("events", title="Fair", cost="5")["id"]
    opened = str(world.get(f"/events/{event}", who="editor").json()["rev"])
    world.post(f"/events/{event}", who="editor", json={"title": "Autumn fair"})
    admin = AdminClient(world, "administrator")
    page = admin.post(f"/admin/events/{event}", {"title": "Spring fair", "version": opened}, status=409).text
    assert "Autumn fair" in page
    assert "Spring fair" in page
