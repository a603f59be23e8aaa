"""Prints the session of `docs/assistants.md`: an assistant that works for a choir, on the demo's clock and an empty
calendar."""

import json
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from kalends.bootstrap import make_administrator, open_calendar
from kalends.calendar.access import Caller
from kalends.contract.roles import Role
from kalends.features.assistants import protocol
from kalends.features.assistants.model import Assistant
from kalends.present.addresses import Addresses
from kalends.settings import load

NOW = datetime(2026, 11, 15, 12, 0, 0)
BASE = "https://calendar.example.org"
SHOWN = ("id", "title", "start_date", "end_date", "timezone", "utc_start_date", "event_status")
MOST = 2  # events of a list that are shown


def session() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        settings = load(Path(folder), {"timezone": "Europe/London", "site_name": "Merrow"}, {})
        calendar = open_calendar(settings, lambda: NOW)
        make_administrator(calendar)
        caller = Caller(1, "admin", Role.ADMINISTRATOR)
        assistant = Assistant(calendar, caller, Addresses(BASE, f"{BASE}/api", f"{BASE}/api/calendar/events/v1"))
        lines: list[str] = []

        def call(said: str, tool: str, **arguments: Any) -> dict[str, Any]:
            params = {"name": tool, "arguments": arguments}
            response = protocol.respond(assistant, protocol.ProtocolMessage(1, "tools/call", params, ""))
            result = (response.body or {})["result"]
            lines.extend([f"**{said}**", "", "```", f"{tool} {json.dumps(arguments, ensure_ascii=False)}", ""])
            if result["isError"]:
                lines.extend(result["content"][0]["text"].splitlines()[:2])
            else:
                lines.append(json.dumps(_short(result["structuredContent"]), ensure_ascii=False))
            lines.extend(["```", ""])
            found: dict[str, Any] = result.get("structuredContent", {})
            return found

        call("“What is on next weekend?”", "whats_on", when="next weekend")
        words = {"title": "Choir practice", "start_date": "tuesday 7pm", "end_date": "tuesday 9pm"}
        weekly = {"recurrence": "FREQ=WEEKLY;COUNT=6", "venue": {"venue": "Town Hall", "city": "Merrow"}}
        call("“Enter the choir, six Tuesdays from this week. Show me first.”", "create_event", **words, **weekly,
             dry_run=True)  # fmt: skip
        call("“Good, do it.”", "create_event", **words, **weekly)
        found = call("“Which dates are there?”", "find_events", search="choir", end_date="+3 weeks")
        second, third = found["events"][1]["id"], found["events"][2]["id"]
        call("“The second one is on Wednesday instead, at the same time.”", "update_event", id=second,
             start_date="25 November 2026 7pm", end_date="25 November 2026 9pm")  # fmt: skip
        call("“On the first of December nobody has time.”", "cancel_event", id=third)
        call("“And move the last one to someday.”", "update_event", id=third, start_date="someday")
        calendar.store.close()
        return lines


def _short(result: dict[str, Any]) -> dict[str, Any]:
    """The result as the page shows it: without what every one has, and of each event its most important keys."""
    shown = {name: value for name, value in result.items() if name != "notice"}
    if "event" in shown:
        shown["event"] = _event(shown["event"])
    if "events" in shown:
        events = [_event(event) for event in shown["events"]]
        shown["events"] = [*events[:MOST], *(["…"] if len(events) > MOST else [])]
    return shown


def _event(event: dict[str, Any]) -> dict[str, Any]:
    return {name: event[name] for name in SHOWN if event.get(name) is not None}


if __name__ == "__main__":
    sys.stdout.write("\n".join(session()))
