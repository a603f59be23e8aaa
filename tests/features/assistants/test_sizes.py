"""Results are at most 4 KB, text and structured content each; what does not fit follows with a cursor."""

from typing import Any

from tests.conftest import World
from tests.features.assistants.clients import call, done

LARGEST = 4096


def measured(world: World, tool: str, who: str = "anonymous", **arguments: Any) -> dict[str, Any]:
    """A result that is small enough, by its bytes on the way."""
    result = call(world, tool, who, **arguments)
    assert not result["isError"], result
    most = arguments.get("max_bytes", LARGEST)
    assert len(result["content"][0]["text"].encode()) <= most
    found: dict[str, Any] = result["structuredContent"]
    return found


def test_a_long_list_is_read_to_its_end_by_cursors(world: World) -> None:
    ids = [world.make("events", title=f"Event number {number} äöü" * 3)["id"] for number in range(60)]
    found, cursor, calls = list[int](), None, 0
    while True:
        result = measured(world, "find_events", **({"cursor": cursor} if cursor else {}))
        assert result["total"] == 60
        found += [event["id"] for event in result["events"]]
        calls += 1
        if (cursor := result.get("next_cursor")) is None:
            break
    assert found == ids
    assert 3 < calls < 30
    assert len(measured(world, "find_events", max_bytes=20_000)["events"]) > len(
        measured(world, "find_events")["events"]
    )


def test_records_with_long_names_in_every_field_fit_one_by_one(world: World) -> None:
    name = "Ж" * 190
    venues = [{"venue": f"{name}{number}"} for number in range(12)]
    for number in range(3):
        world.make("events", title=f"{name}{number}", venue=venues, categories=[f"{name[:90]}{n}" for n in range(20)])
    result = measured(world, "find_events")
    assert result["events"][0]["shortened"]
    assert result["next_cursor"]
    measured(world, "find_venues")
    measured(world, "find_categories")
    id = result["events"][0]["id"]
    measured(world, "read_event", id=id)
    measured(world, "update_event", "editor", id=id, featured=True)


def test_a_long_description_comes_in_parts(world: World) -> None:
    text = "".join(f"<p>Paragraph {number} — “quoted” ü</p>" for number in range(900))
    made = world.make("events", description=text)
    parts, cursor = list[str](), None
    while True:
        result = measured(world, "read_event", id=made["id"], **({"cursor": cursor} if cursor else {}))
        parts.append(result["event"]["description"])
        if (cursor := result.get("next_cursor")) is None:
            break
    assert "".join(parts) == world.read("events", made["id"])["description"]
    assert len(parts) > 5


def test_a_smaller_setting_of_page_sizes_changes_nothing(make_world: Any) -> None:
    world = make_world(max_per_page="7")
    ids = [world.make("events")["id"] for _ in range(20)]
    assert [event["id"] for event in done(world, "find_events", max_bytes=60_000)["events"]] == ids
