"""The exchanges recorded from WordPress, replayed in their order: statuses, codes, totals, ids, and JSON key by key.

`OURS` is what differs on purpose, and why.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.features.wordpress import recorded_site
from tests.features.wordpress.recorded_site import ACTORS

FOLDER = Path(__file__).parent / "recorded"
FILES = sorted(path.stem for path in FOLDER.glob("*.json"))
SITE = "http://calendar.test"

# ★ What ours answers instead: `status` and `code`; `ids` of a list; `not` are headers and keys that differ. Why:
NO_MEDIA_TEXTS = {"not": {"rendered", "raw", "alt_text", "post", "slug"}}  # an image has no texts of its own here
UNUSED_IS_HIDDEN = {"not": {"x-wp-total", "x-wp-totalpages"}, "ids": [5]}  # an image that no public record shows
REFUSED_UPLOAD = {"status": 400, "code": "rest_upload_sideload_error"}  # no 500 for what a client sends; images alone
UNDATED = {"not": {"status"}}  # an event without dates stays a draft
BY_DATE = {"by_date": True}  # published within one second
OURS: dict[str, dict[str, Any]] = {
    "events.list.anon": {"ids": [39, 37, 29, 28, 27, 26, 25, 24, 23, 22]},
    "events.list.per_page=100": BY_DATE,
    "events.list.slug=jazz-jam,bebop-night": BY_DATE,
    # `slug` and `include` find past events too.
    "events.list.slug=harvest-supper": {"not": {"x-wp-total", "x-wp-totalpages"}, "ids": [30]},
    "events.list.include=16,30": {"not": {"x-wp-total"}, "ids": [30, 16]},
    "events.list.include=33,16&orderby=include": {"not": {"x-wp-total"}, "ids": [33, 16]},
    # A total counts what the caller may read.
    "events.list.status=draft.contrib": {"not": {"x-wp-total", "x-wp-totalpages"}},
    "tribe_venue.list.status=draft.contrib": {"not": {"x-wp-total", "x-wp-totalpages"}},
    "events.list.status=draft.ed": BY_DATE,
    "events.list.status=draft.admin": BY_DATE,
    "events.list.tribe_events_cat=3,7": BY_DATE,
    "events.list.tribe_events_cat[terms]=2&tribe_events_cat[include_children]=true": BY_DATE,
    "tribe_venue.list.status=any.admin": BY_DATE,
    # A protected event matches no filter on what it hides.
    "events.list.tribe_events_cat_exclude=8&per_page=3": {
        "not": {"x-wp-total", "x-wp-totalpages"},
        "ids": [39, 29, 27],
    },
    "events.list.orderby=title&per_page=4": {"ids": [20, 19, 18, 21]},  # the site here has other titles too
    "events.list.author_exclude=1": {"not": {"x-wp-total", "x-wp-totalpages"}, "ids": [39, 37, *range(29, 21, -1)]},
    "events.one.password.right": {"not": {"rendered"}},  # an excerpt is never generated
    "events.one.password.admin.edit": {"not": {"rendered", "password"}},  # a password is not stored in clear
    "events.create.password": {"not": {"password"}},
    "events.create.full": {"not": {"rendered", "raw"}},  # a title has no markup
    # An event that was made here with its dates is a whole one.
    "events.create.full.in_tribe": {"skip": True},
    "events.create.minimal.in_tribe": {"skip": True},
    "events.create.full.in_list": {"not": {"x-wp-total", "x-wp-totalpages"}, "ids": [42]},
    "events.create.auth.publish": UNDATED,
    "events.create.future": UNDATED,
    "events.create.meta_all_day": UNDATED,
    "events.list.embed": {"not": {"slug"}},
    "events.delete.contrib.own": {"more": {"status"}},
    "tribe_venue.delete.force": {"more": {"status", "slug"}},
    "tribe_organizer.delete.force": {"more": {"status", "slug"}},
    "tribe_organizer.delete.trash": {"not": {"slug"}},
    "media.create.raw.query_fields": NO_MEDIA_TEXTS,
    "media.create.multipart": NO_MEDIA_TEXTS,
    "media.create.multipart.other_name": {"status": 400, "code": "rest_upload_no_data"},
    "media.create.same_name": NO_MEDIA_TEXTS,
    "media.create.bad_extension": REFUSED_UPLOAD,
    "media.create.type_mismatch": REFUSED_UPLOAD,
    "media.create.svg": REFUSED_UPLOAD,
    "media.create.pdf": REFUSED_UPLOAD,
    "media.update.texts": NO_MEDIA_TEXTS,
    "media.update.put": NO_MEDIA_TEXTS,
    "media.update.patch": NO_MEDIA_TEXTS,
    "media.update.title_raw": NO_MEDIA_TEXTS,
    "media.update.bad_post": {"status": 200},
    "media.update.author_other": {"status": 404, "code": "rest_post_invalid_id"},
    "media.delete.force": NO_MEDIA_TEXTS,
    "media.one.fields": {"more": {"media_details"}},  # this image is large enough for that size
    "media.list.fields": UNUSED_IS_HIDDEN,
    "media.list.per_page=2": UNUSED_IS_HIDDEN,
    "media.list.per_page=2&page=2": {"status": 400, "code": "rest_post_invalid_page_number"},
    "media.list.include=5,43": UNUSED_IS_HIDDEN,
    "media.list.media_type=image&per_page=2": UNUSED_IS_HIDDEN,
    "media.list.mime_type=image/png&per_page=1": UNUSED_IS_HIDDEN,
    "media.list.parent=0&per_page=1": UNUSED_IS_HIDDEN,
    "media.list.orderby=id&order=asc&per_page=2": UNUSED_IS_HIDDEN,
    "media.list.order=asc&per_page=2": UNUSED_IS_HIDDEN,
    "cat.list.offset=2&per_page=2": {"ids": [9, 6]},  # the offset counts
    "cat.create.empty_name": {"status": 400, "code": "rest_invalid_param"},
    "cat.create.child.same_name_other_parent": {"not": {"slug"}},
    "cat.update.slug_taken": {"status": 200},
    "cat.delete.force": {"not": {"slug"}},
    "tags.create.duplicate_slug": {"not": {"slug"}},
    "tags.delete.force": {"not": {"slug"}},
    "tags.create.contrib": {"status": 403, "code": "rest_cannot_create"},  # tags are the editors'
    "users.list.admin": {"not": {"x-wp-total"}, "skip": True},
    "users.list.edit.admin": {"not": {"x-wp-total"}, "skip": True},
    "tribe_venue.list.per_page=2": {"not": {"slug"}},  # ß is ss
    "tribe_venue.one.anon": {"not": {"rendered"}},
    "tribe_venue.one.edit.admin": {"not": {"rendered"}},
    "tribe_organizer.one.anon": {"not": {"rendered"}},
    "tribe_organizer.one.edit.admin": {"not": {"rendered", "raw"}},
    "tribe_venue.create.publish.in_tribe": {"skip": True},
    "tribe_organizer.create.publish.in_tribe": {"skip": True},
}
# Keys of WordPress that a calendar has nothing for, and those that are other addresses here.
NOT_OURS = {
    "exif_orientation", "image_output_format", "image_save_progressive", "image_quality", "additional_data", "guid",
    "visibility", "viewable", "version-history", "replies", "data", "large", "medium_large", "persisted_preferences",
    "tribe-ea-success", "tribe-ea-failed", "tribe-ea-draft", "tribe-ea-pending", "tribe-ea-schedule",
}  # fmt: skip
# Keys that only ours has: the fields of a record as meta.
ADDED = re.compile("_(Event|Venue|Organizer)[A-Z].*")
SAME_VALUES = {
    "id", "slug", "status", "type", "taxonomy", "parent", "name", "code", "deleted", "featured_media", "tags",
    "tribe_events_cat", "rendered", "raw", "protected", "mime_type", "media_type", "rest_base", "term_id", "roles",
    "date_floating", "public", "hierarchical",
}  # fmt: skip


@pytest.mark.both_stores
@pytest.mark.parametrize("file", FILES)
def test_what_was_recorded(world: Any, file: str) -> None:
    assert differences(world, FOLDER / f"{file}.json", difference) == ""


def differences(world: Any, file: Path, difference: Callable[[Any, dict[str, Any]], str]) -> str:
    """A line for each recorded request that the site answers otherwise."""
    recorded_site.build(world)
    found = [(example["case"], difference(world, example)) for example in json.loads(file.read_text("utf-8"))]
    return "\n".join(f"{case}: {problem}" for case, problem in found if problem)


def difference(world: Any, example: dict[str, Any]) -> str:
    """What is not as recorded, in words; nothing when all is well."""
    recorded, ours = example["response"], OURS.get(example["case"], {})
    _give_same_id(world, recorded["headers"].get("location", ""))
    answer = replay(world, example)
    status = ours.get("status", recorded["status"])
    if answer.status_code != status:
        return f"{answer.status_code} instead of {status}: {answer.text[:300]}"
    if "status" in ours:
        code = answer.json().get("code")
        return "" if code == ours.get("code") else f"code {code}"
    for name in recorded["headers"].keys() - ours.get("not", set()):
        value = recorded["headers"][name].replace("{base_url}", SITE)
        if answer.headers.get(name) != value:
            return f"{name} {answer.headers.get(name)} instead of {value}"
    if "json" not in recorded or "skip" in ours:
        return ""
    is_user = "/users" in example["request"]["path"]
    compared = Compared("shortened" in example, ours, {"id", "name", "slug", "meta"} if is_user else set())
    return "; ".join(compared.differences(recorded["json"], answer.json()))


def _give_same_id(world: Any, location: str) -> None:
    """The record that is made next gets the id that it had."""
    if location:
        sequence = "term" if "/tags/" in location or "_cat/" in location else "post"
        recorded_site.advance(world, sequence, int(location.rpartition("/")[2]) - 1)


@dataclass
class Compared:
    """One JSON beside the recorded one."""

    shortened: bool  # keys were left out of the recording
    ours: dict[str, Any]
    left_out: set[str]  # keys whose values differ

    def differences(self, recorded: Any, found: Any, at: str = "") -> Iterator[str]:
        """Where they differ, key by key."""
        name = at.rpartition(".")[2]
        if isinstance(recorded, list) and any(isinstance(item, dict) for item in recorded):
            yield from self._of_lists(recorded, found, at)
        elif isinstance(recorded, dict) and isinstance(found, dict):
            yield from self._of_objects(recorded, found, at)
        elif isinstance(recorded, str) and isinstance(found, dict) and "code" in found:
            if recorded != found["code"]:  # a detail, of which only the code was kept
                yield f"{at}: {found['code']} instead of {recorded}"
        elif name in self.left_out | self.ours.get("not", set()):
            return
        elif type(recorded) is not type(found) or (name in SAME_VALUES and not same(name, recorded, found)):
            yield f"{at}: {found!r} instead of {recorded!r}"

    def _of_lists(self, recorded: list[Any], found: list[Any], at: str) -> Iterator[str]:
        items = [item for item in recorded if not {"(ids)", "(further ids)"} & set(item)]
        rest = [id for item in recorded for name in ("(ids)", "(further ids)") for id in item.get(name, [])]
        ids = self.ours.get("ids", [item["id"] for item in items if "id" in item] + rest)
        got = [item["id"] for item in found if "id" in item]
        if "by_date" in self.ours:
            ids, got = sorted(ids), sorted(got)
        if ids != got and "id" not in self.left_out and not at.endswith(".author"):
            yield f"{at}: ids {got} instead of {ids}"
        by_id = {item.get("id"): item for item in found}
        for item in items:
            other = by_id.get(item.get("id"))
            if other is not None:
                yield from self._of_objects(item, other, at)

    def _of_objects(self, recorded: dict[str, Any], found: dict[str, Any], at: str) -> Iterator[str]:
        missing = {name for name in recorded.keys() - found.keys() - NOT_OURS if not name.startswith("wp:action")}
        missing -= self.ours.get("not", set()) | ({"curies"} if at.endswith("_links") else set())
        added = (
            set() if self.shortened else {name for name in found.keys() - recorded.keys() if not ADDED.match(name)}
        )
        added -= self.ours.get("more", set())
        if missing or added:
            yield f"{at}: without {missing}, with {added}"
        for name in sorted((recorded.keys() & found.keys()) - NOT_OURS):
            yield from self.differences(recorded[name], found[name], f"{at}.{name}")


def same(name: str, recorded: Any, found: Any) -> bool:
    """A record keeps its slug always; plain text is paragraphs; a file name has a random part."""
    if isinstance(recorded, list):
        return sorted(map(str, recorded)) == sorted(map(str, found))
    if name == "slug":
        wanted = recorded.removesuffix("__trashed").replace("_", "-")
        return not wanted or re.fullmatch(rf"{wanted}(-2|-[0-9a-f]{{8}})?", found.replace("_", "-")) is not None
    if isinstance(recorded, str):
        return re.sub("</?p>", " ", recorded).split() == re.sub("</?p>", " ", found).split()
    return bool(recorded == found)


def replay(world: Any, example: dict[str, Any]) -> Any:
    request = example["request"]
    url = SITE + own_user(world, request["path"]) + (f"?{request['query']}" if request.get("query") else "")
    sent: dict[str, Any] = {"headers": dict(request.get("headers") or {})}
    body = request.get("body")
    if isinstance(body, str) and body.startswith("("):
        content = {"(bytes of a PNG, 400x300)": recorded_site.picture(), "(empty)": b""}.get(body, b"no image at all")
        sent["content"] = content
    elif isinstance(body, dict) and "multipart" in request.get("content_type", ""):
        files = {name: ("a.png", recorded_site.picture()) for name, value in body.items() if "(bytes" in str(value)}
        fields = {name: str(value) for name, value in body.items() if name not in files}
        return world.ask(request["method"], url, ACTORS[example["actor"]], data=fields, files=files)
    elif isinstance(body, dict) and "urlencoded" in request.get("content_type", ""):
        sent["data"] = body
    elif isinstance(body, str):
        sent["content"] = body.encode()
    elif request["method"] not in ("GET", "HEAD", "DELETE"):
        sent["json"] = mine(world, body or {})
    if request.get("content_type"):
        sent["headers"]["Content-Type"] = request["content_type"]
    return world.ask(request["method"], url, ACTORS[example["actor"]], **sent)


PEOPLE = dict(enumerate(("administrator", "editor", "author", "contributor", "subscriber"), 1))


def own_user(world: Any, path: str) -> str:
    """A path with our id of its user."""
    before, users, id = path.partition("/users/")
    return f"{before}{users}{world.ids[PEOPLE[int(id)]]}" if id.isdigit() and int(id) in PEOPLE else path


def mine(world: Any, body: dict[str, Any]) -> dict[str, Any]:
    """A body with our ids of its author."""
    author = body.get("author")
    return body | {"author": world.ids[PEOPLE[author]]} if author in PEOPLE else body
