"""Speakers, a relation that is added to a copy of the sources, for assistants."""

from tests.conftest import World

from kalends.features.assistants.tools import tools


def test_assistants_find_them(world: World) -> None:
    tool = tools()["find_speakers"]
    assert tool.title == "Find speakers"
