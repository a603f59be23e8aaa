"""The official client of the protocol: it checks every result against the schema of its tool."""

from typing import Any

import pytest
from mcp import Client
from tests.conftest import World
from tests.features.assistants.clients import official

MODES = ("auto", "legacy", "2026-07-28")


@pytest.mark.parametrize("mode", MODES)
def test_it_speaks_the_latest_revision_and_those_with_a_handshake(world: World, mode: str) -> None:
    world.make("events", title="Choir practice")

    async def use(client: Client) -> Any:
        tools = await client.list_tools()
        found = await client.call_tool("find_events", {"search": "choir"})
        return client.protocol_version, [tool.name for tool in tools.tools], found

    version, names, found = official(world, use, mode=mode)
    assert version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
    assert "whats_on" in names
    assert [event["title"] for event in found.structured_content["events"]] == ["Choir practice"]


def test_every_tool_of_an_administrator_gives_what_its_schema_says(world: World) -> None:
    async def use(client: Client) -> None:
        async def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result.content
            found: dict[str, Any] = result.structured_content
            return found

        names = {tool.name for tool in (await client.list_tools()).tools}
        venue = (await call("create_venue", venue="Town Hall", city="Merrow", geo_lat=54.1, geo_lng=-1.2))["venue"]
        organizer = (await call("create_organizer", organizer="The choir", email="choir@example.org"))["organizer"]
        category = (await call("create_category", name="Music"))["category"]
        tag = (await call("create_tag", name="free entry"))["tag"]
        event = (
            await call(
                "create_event",
                title="Choir practice",
                start_date="tuesday 7pm",
                end_date="tuesday 9pm",
                recurrence="FREQ=WEEKLY;COUNT=4",
                venue=venue["id"],
                organizer=[organizer["id"]],
                categories=[category["id"]],
                tags=[tag["name"]],
                cost="$5",
                description="Sing <b>along</b>",
            )
        )["event"]
        id = event["id"]
        for kind in ("events", "venues", "organizers", "categories", "tags"):
            assert (await call(f"find_{kind}"))["total"] == (4 if kind == "events" else 1)
        assert (await call("whats_on", when="tuesday", near="merrow"))["total"] == 1
        assert (await call("find_events", collapse="series"))["events"][0]["occurrences"] == 4
        assert (await call("read_event", id=id))["event"]["title"] == "Choir practice"
        assert (await call("update_event", id=id, title="Rehearsal", scope="all"))["event"]["title"] == "Rehearsal"
        assert (await call("cancel_event", id=id))["event"]["event_status"] == "cancelled"
        assert (await call("trash_event", id=id))["event"]["status"] == "trash"
        assert (await call("restore_event", id=id))["event"]["status"] == "publish"
        table = "Event Name,Event Start Date,Event End Date\nFair,2027-05-01 10:00,2027-05-01 18:00\n"
        assert (await call("preview_import", text=table))["records"][0]["name"] == "Fair"
        assert (await call("changes", limit=3))["changes"]
        assert names >= {"preview_import", "create_tag"}

    official(world, use, "administrator")


def test_a_protected_event_fits_the_schema_too(world: World) -> None:
    made = world.make("events", title="Members only", post_password="secret", description="Hidden")

    async def use(client: Client) -> Any:
        listed = await client.call_tool("find_events", {})
        alone = await client.call_tool("read_event", {"id": made["id"]})
        opened = await client.call_tool("read_event", {"id": made["id"], "password": "secret"})
        return listed.structured_content, alone, opened.structured_content

    listed, alone, opened = official(world, use)
    assert listed["events"][0]["title"] == "Members only"
    assert alone.is_error
    assert "Hidden" not in str(alone)
    assert "Hidden" in opened["event"]["description"]
