"""The exchanges recorded from `tec/v1`, replayed in their order. `OURS` is what differs on purpose, and why."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import BASE_URL
from tests.features.wordpress import recorded_site
from tests.features.wordpress.test_recorded import Compared, differences, replay

FOLDER = Path(__file__).parent / "recorded_tec"
FILES = sorted(path.stem for path in FOLDER.glob("*.json"))

# Keys that have the same form in shortened recordings.
PLAIN = {
    "id", "slug", "status", "start_date", "end_date", "start_date_utc", "end_date_utc", "timezone", "all_day",
    "featured", "duration", "multiday", "is_past", "type", "link", "cost", "tags", "tribe_events_cat",
    "organizer_names", "phone", "website", "email", "address",
}  # fmt: skip
UNUSED = count(1000)

# ★ What ours answers instead: `status` and `code`; `not` are keys that differ.
ACCEPTED = {"status": 200}  # a single value is a list of one, and ours have more words
MADE = {"status": 201}  # every form of a date
UNKNOWN = {"status": 404, "code": "rest_post_invalid_id"}
MISSING = {"status": 400, "code": "rest_missing_callback_param"}  # no 500 for what a client sends
INVALID = {"status": 400, "code": "rest_invalid_param"}
TRASHED = {"code": "rest_already_trashed"}
OTHER_SITE = {"status": 200}  # the records of this site have other dates and texts
NOT_PUBLISHED = {"not": {"status", "link", "slug"}}  # contributors never publish, and drafts have slugs
COMPUTED = {"not": {"duration"}}  # the reference keeps the duration from before
OURS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(
        (
            "events.list.categories=3",
            "events.list.categories=jazz",
            "events.list.categories=3,",
            "events.list.tags=11",
            "events.list.orderby=start_date",
            "events.list.order=asc&per_page=3",
            "events.list.order=desc&per_page=3",
        ),
        ACCEPTED,
    ),
    **dict.fromkeys(
        (
            "events.one.anon",
            "events.one.jam",
            "events.one.allday",
            "events.one.plain.admin",
            "events.one.running",
            "events.one.fields",
            "events.one.draft.admin",
            "events.one.password.anon",
            "events.one.password.right",
            "events.create.full",
            "events.update.put.title",
            "events.create.all_day.times",
        ),
        OTHER_SITE,
    ),
    "events.create.all_day": MADE,
    "events.create.iso": MADE,
    "events.create.iso_z": MADE,
    "events.create.strtotime": MADE,
    "events.create.venue_int": MADE,
    "events.one.unknown": UNKNOWN,
    "events.one.wrong_type": UNKNOWN,
    "events.create.full": MADE,
    "events.create.utc_dates": MISSING,
    "events.create.no_dates": MISSING,
    "events.create.no_end": MISSING,
    "events.create.no_title": MISSING,
    "events.create.end_before_start": INVALID,
    "events.create.bad_tz": INVALID,
    "events.create.venue_unknown": INVALID,
    "events.create.venue_singular": MADE,  # the names of the vendor's MCP server count
    "events.create.categories_key": MADE,
    "events.create.type_errors": INVALID,
    "events.create.title_object": MISSING,
    "events.create.draft": NOT_PUBLISHED,
    "events.create.by.contrib.draft": NOT_PUBLISHED,
    "events.create.by.contrib.publish": NOT_PUBLISHED,
    "events.create.all_day.times": {"status": 201},
    "events.create.all_day.odd_times": COMPUTED,
    "events.update.post": {"status": 405, "code": "rest_no_route"},
    "events.update.start_only": COMPUTED,
    "events.update.all_day": COMPUTED,
    "events.update.start_after_end": INVALID,
    "events.update.cost_image": ACCEPTED,
    "events.update.empty": NOT_PUBLISHED,  # what was not sent stays
    "events.update.contrib.own": NOT_PUBLISHED,
    "events.update.unknown": UNKNOWN,
    "events.update.wrong_type": UNKNOWN,
    "events.delete.trash.again": TRASHED,
    "events.trashed.read.admin": UNKNOWN,
    "events.delete.force.again": UNKNOWN,
    "events.delete.unknown": UNKNOWN,
    "events.delete.wrong_type": UNKNOWN,
    "events.delete.contrib.own": ACCEPTED,
    "events.delete.force_bad": INVALID,
    "venues.one.anon": OTHER_SITE,
    "organizers.one.anon": OTHER_SITE,
    "venues.one.draft.admin": OTHER_SITE,
    "venues.one.sparse": OTHER_SITE,
    "venues.one.foreign": OTHER_SITE,
    "organizers.one.sparse": OTHER_SITE,
    "venues.one.unknown": UNKNOWN,
    "venues.one.wrong_type": UNKNOWN,
    "venues.create.full": {"not": {"rendered", "featured_media"}},  # an excerpt is never generated, an image is kept
    "organizers.create.full": {"not": {"rendered", "featured_media"}},
    **dict.fromkeys(
        ("venues.create.name_key", "venues.create.empty", "organizers.create.name_key", "organizers.create.empty"),
        MISSING,
    ),
    "venues.create.by.contrib": NOT_PUBLISHED,
    "venues.create.by.contrib.publish": NOT_PUBLISHED,
    "venues.update.patch": ACCEPTED,  # an empty website is none
    "organizers.update.patch": ACCEPTED,
    "venues.update.unknown": UNKNOWN,
    "venues.delete.again": TRASHED,
    "venues.delete.gone": UNKNOWN,
    "venues.delete.in_use.event_after": OTHER_SITE,
    "organizers.delete.in_use.event_after": OTHER_SITE,
}


@pytest.mark.parametrize("file", FILES)
def test_what_was_recorded(world: Any, file: str) -> None:
    assert differences(world, FOLDER / f"{file}.json", difference) == ""


def difference(world: Any, example: dict[str, Any]) -> str:
    """What is not as recorded, in words; nothing when all is well."""
    recorded, ours = example["response"], OURS.get(example["case"], {})
    _give_same_id(world, recorded, ours)
    answer = replay(world, example)
    if answer.status_code != ours.get("status", recorded["status"]):
        return f"{answer.status_code} instead of {recorded['status']}: {answer.text[:300]}"
    if answer.status_code >= 400:
        code, expected = answer.json()["code"], ours.get("code") or recorded["json"].get("code")
        return "" if code == expected else f"{code} instead of {expected}"
    if not isinstance(recorded["json"], dict) or "status" in ours:
        return ""
    if "shortened" in example:  # only some keys, and those in other forms
        found, plain = answer.json(), recorded["json"].keys() & PLAIN - ours.get("not", set())
        wrong = {name for name in plain if _filled(recorded["json"][name]) not in (found.get(name), None, "")}
        return f"{sorted(wrong)}" if wrong else ""
    return "; ".join(Compared(False, ours, set()).differences(recorded["json"], answer.json()))


def _filled(value: Any) -> Any:
    return value.replace("{base_url}", BASE_URL) if isinstance(value, str) else value


def _give_same_id(world: Any, recorded: dict[str, Any], ours: dict[str, Any]) -> None:
    """The record that is made next gets the id that it had; one that only ours makes, an id that none had."""
    if recorded["status"] == 201:
        recorded_site.advance(world, "post", recorded["json"]["id"] - 1)
    elif ours.get("status") == 201:
        recorded_site.advance(world, "post", next(UNUSED))
