"""Custom fields and events with values, for the tests of this folder."""

from typing import Any


def define(world: Any, label: str = "Doors open", **more: Any) -> dict[str, Any]:
    made = world.post("/custom-fields", json={"label": label} | more)
    assert made.status_code == 201, made.text
    return dict(made.json())


def event(**more: Any) -> dict[str, Any]:
    return {"title": "Concert", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"} | more


def create(world: Any, who: str = "administrator", /, **more: Any) -> dict[str, Any]:
    made = world.post("/events", who, json=event(**more))
    assert made.status_code == 201, made.text
    return dict(made.json())


def values(shown: dict[str, Any]) -> dict[str, Any]:
    """The values that an event shows, by their keys."""
    found = shown["custom_fields"]
    return {key: one["value"] for key, one in found.items()} if found else {}
