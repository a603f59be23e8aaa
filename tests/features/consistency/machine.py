"""Everything that people do to a calendar, in any order, as a state machine: after every step the calendar agrees
with itself, and nothing was answered with an error of the service.

What a step is about is drawn as a number that chooses among what there is, so every step is possible at any time.
"""

import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests import store_checks
from tests.conftest import World
from tests.features.importing.conftest import administrator, exported, import_into
from tests.pictures import png

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import credentials, users
from kalends.calendar.accounts.account_rules import BadUser
from kalends.calendar.editing import bulk
from kalends.calendar.editing.bulk import Chosen, Previous
from kalends.calendar.editing.review import Decision, decide
from kalends.calendar.editing.trash import empty_trash as trash_empty_trash
from kalends.calendar.images import image_store
from kalends.calendar.images.processing import Picture, read_picture
from kalends.calendar.posts import merging
from kalends.calendar.series import filling
from kalends.contract.errors import ApiError
from kalends.contract.kinds import KIND_OF
from kalends.features.history import restoring
from kalends.features.importing.sources.kalends_json import KalendsJson

RULES = (
    "FREQ=DAILY;COUNT=3",
    "FREQ=WEEKLY;COUNT=5",
    "FREQ=WEEKLY",
    "FREQ=MONTHLY;BYDAY=2TU",
    "FREQ=DAILY;INTERVAL=2;UNTIL=20261130T000000Z",
    "RDATE:20261205T190000,20261220T190000",
    "FREQ=WEEKLY;COUNT=4\nEXDATE:20261124T190000",
)
SCOPES = ("this", "following", "all")
STATUSES = ("publish", "draft", "pending", "private")
DAYS = ("2026-11-10", "2026-11-17", "2026-11-20", "2027-03-28")
WRITERS = ("contributor", "author", "other_author", "editor", "administrator")
EVERY_STATUS = "publish,draft,pending,private,future,trash"

numbers = st.integers(0, 200)
PLACES, TERMS = st.sampled_from(("venue", "organizer")), st.sampled_from(("category", "tag"))
MERGED, RECORDS = PLACES | TERMS, st.sampled_from(tuple(KIND_OF))
some = st.lists(numbers, max_size=2)
steps = {"run": 0}  # in this process


@cache
def picture() -> Picture:
    return read_picture(png())


class CalendarMachine(RuleBasedStateMachine):
    """A calendar, and the people who change it. `make_world` and `close` come from the test."""

    make_world: Callable[[], World]
    close_world: Callable[[World], None]

    def __init__(self) -> None:
        super().__init__()
        self.world = type(self).make_world()
        self.caller = administrator(self.world)
        self.files = tempfile.TemporaryDirectory()
        self.exports: list[Path] = []
        self.previous: list[Previous] = []
        self.pictures = 0
        self.accounts = 0

    def teardown(self) -> None:
        self.files.cleanup()
        type(self).close_world(self.world)

    @invariant()
    def the_calendar_agrees_with_itself(self) -> None:
        steps["run"] += 1
        store_checks.check(self.world.calendar.store, self.world.calendar.settings)

    # What there is

    def ids(self, kind: str, condition: str = "TRUE") -> list[int]:
        with self.world.calendar.store.read() as session:
            return session.column(f'SELECT id FROM "{kind}" WHERE {condition} ORDER BY id')

    def chosen(self, kind: str, number: int, condition: str = "TRUE") -> int:
        """One of the records of a kind; 0 if there is none."""
        found = self.ids(kind, condition)
        return found[number % len(found)] if found else 0

    def all_chosen(self, kind: str, wanted: list[int]) -> list[int]:
        return list(dict.fromkeys(id for number in wanted if (id := self.chosen(kind, number))))

    def send(self, method: Callable[..., httpx.Response], path: str, who: str = "administrator", **body: Any) -> None:
        answer = method(path, who, json=body) if body else method(path, who)
        assert answer.status_code < 500, (path, body, answer.text)

    def links(self, venues: list[int], organizers: list[int], categories: list[int], tags: list[int]) -> Any:
        return {
            "venue": self.all_chosen("venue", venues),
            "organizer": self.all_chosen("organizer", organizers),
            "categories": self.all_chosen("category", categories),
            "tags": self.all_chosen("tag", tags),
        }

    def new_picture(self) -> str:
        self.pictures += 1
        address = f"https://pictures.test/{self.pictures}.png"
        self.world.pictures[address] = picture()
        return address

    # Events

    @rule(
        who=st.sampled_from(WRITERS), recurrence=st.sampled_from((None, *RULES)), status=st.sampled_from(STATUSES),
        day=st.sampled_from(DAYS), venues=some, organizers=some, categories=some, tags=some,
        with_picture=st.booleans(),
    )  # fmt: skip
    def create_event(
        self, who: str, recurrence: str | None, status: str, day: str, venues: list[int], organizers: list[int],
        categories: list[int], tags: list[int], with_picture: bool,
    ) -> None:  # fmt: skip
        body = {"title": "Choir", "start_date": f"{day} 19:00", "end_date": f"{day} 20:00", "status": status}
        body |= self.links(venues, organizers, categories, tags)
        body |= {"image": self.new_picture()} if with_picture else {}
        self.send(self.world.post, "/events", who, **body | ({"recurrence": recurrence} if recurrence else {}))

    @rule(who=st.sampled_from(WRITERS), recurrence=st.sampled_from((None, *RULES)), status=st.sampled_from(STATUSES))
    def create_event_with_new_records(self, who: str, recurrence: str | None, status: str) -> None:
        body: dict[str, Any] = {"title": "Fair", "start_date": "2026-11-18 10:00", "end_date": "2026-11-18 12:00"}
        body |= {"status": status, "venue": {"venue": "Green"}, "organizer": [{"organizer": "Guild"}]}
        self.send(self.world.post, "/events", who, **body | ({"recurrence": recurrence} if recurrence else {}))

    @rule(hours=st.sampled_from((1, 30, 1000)), recurrence=st.sampled_from((None, *RULES)))
    def schedule_event(self, hours: int, recurrence: str | None) -> None:
        date = (self.world.clock.now.replace(microsecond=0)).isoformat(" ")
        body = {"title": "Later", "start_date": "2026-12-24 19:00", "end_date": "2026-12-24 20:00", "date_utc": date}
        body |= {"status": "publish"} | ({"recurrence": recurrence} if recurrence else {})
        self.world.clock.move(hours=-hours)
        self.send(self.world.post, "/events", **body)
        self.world.clock.move(hours=hours)

    @rule(number=numbers, scope=st.sampled_from(SCOPES), title=st.sampled_from(("Choir", "Concert")))
    def rename(self, number: int, scope: str, title: str) -> None:
        self.send(self.world.put, f"/events/{self.chosen('event', number)}?scope={scope}", title=title)

    @rule(number=numbers, scope=st.sampled_from(SCOPES), days=st.sampled_from((-7, -1, 1, 2)))
    def move(self, number: int, scope: str, days: int) -> None:
        id = self.chosen("event", number)
        with self.world.calendar.store.read() as session:
            row = session.one("SELECT start_local, end_local FROM event WHERE id = ?", (id,))
        if row is not None:
            start, end = (str(datetime.fromisoformat(text) + timedelta(days=days)) for text in row)
            self.send(self.world.put, f"/events/{id}?scope={scope}", start_date=start, end_date=end)

    @rule(
        number=numbers, scope=st.sampled_from(SCOPES), who=st.sampled_from(WRITERS),
        status=st.sampled_from((*STATUSES, "trash")),
    )  # fmt: skip
    def change_status(self, number: int, scope: str, who: str, status: str) -> None:
        self.send(self.world.put, f"/events/{self.chosen('event', number)}?scope={scope}", who, status=status)

    @rule(
        number=numbers, scope=st.sampled_from(SCOPES), hidden=st.booleans(), password=st.sampled_from(("", "sesame"))
    )
    def hide_or_protect(self, number: int, scope: str, hidden: bool, password: str) -> None:
        path = f"/events/{self.chosen('event', number)}?scope={scope}"
        self.send(self.world.put, path, hide_from_listings=hidden, post_password=password)

    @rule(
        number=numbers, scope=st.sampled_from(SCOPES), venues=some, organizers=some, categories=some, tags=some,
        with_picture=st.booleans(),
    )  # fmt: skip
    def relink(
        self, number: int, scope: str, venues: list[int], organizers: list[int], categories: list[int],
        tags: list[int], with_picture: bool,
    ) -> None:  # fmt: skip
        body = self.links(venues, organizers, categories, tags) | (
            {"image": self.new_picture()} if with_picture else {}
        )
        self.send(self.world.put, f"/events/{self.chosen('event', number)}?scope={scope}", **body)

    @rule(number=numbers, parent=numbers)
    def give_parent(self, number: int, parent: int) -> None:
        body = {"post_parent": self.chosen("event", parent)}
        self.send(self.world.put, f"/events/{self.chosen('event', number)}", **body)

    @rule(number=numbers, scope=st.sampled_from(("following", "all")), recurrence=st.sampled_from(("", *RULES)))
    def change_rule(self, number: int, scope: str, recurrence: str) -> None:
        self.send(self.world.put, f"/events/{self.chosen('event', number)}?scope={scope}", recurrence=recurrence)

    @rule(number=numbers, scope=st.sampled_from(SCOPES), force=st.booleans())
    def delete_event(self, number: int, scope: str, force: bool) -> None:
        flag = "true" if force else "false"
        self.send(self.world.delete, f"/events/{self.chosen('event', number)}?scope={scope}&force={flag}")

    @rule(number=numbers, scope=st.sampled_from(SCOPES))
    def restore_event(self, number: int, scope: str) -> None:
        id = self.chosen("event", number, "status = 'trash'")
        self.send(self.world.put, f"/events/{id}?scope={scope}", status="publish")

    @rule()
    def empty_trash(self) -> None:
        trash_empty_trash(self.world.calendar, self.caller)

    # Several at once, and review

    @rule(
        wanted=st.lists(numbers, min_size=1, max_size=4),
        change=st.sampled_from(({"status": "publish"}, {"status": "draft"}, {"status": "trash"}, {"featured": True})),
    )
    def change_several(self, wanted: list[int], change: dict[str, Any]) -> None:
        with suppress(ApiError):
            chosen = [Chosen(id) for id in self.all_chosen("event", wanted)]
            done = bulk.change_events(self.world.calendar, self.caller, chosen, lambda *_: dict(change))
            self.previous = list(done.previous)

    @rule(wanted=st.lists(numbers, min_size=1, max_size=4), hidden=st.booleans())
    def hide_several(self, wanted: list[int], hidden: bool) -> None:
        change = {"hide_from_listings": hidden}
        with suppress(ApiError):
            chosen = [Chosen(id) for id in self.all_chosen("event", wanted)]
            done = bulk.change_events(self.world.calendar, self.caller, chosen, lambda *_: dict(change))
            self.previous = list(done.previous)

    @rule()
    def take_back_several(self) -> None:
        with suppress(ApiError):
            bulk.undo_changes(self.world.calendar, self.caller, self.previous)

    @rule(
        number=numbers, action=st.sampled_from(("publish", "send_back", "decline")),
        scope=st.sampled_from(("this", "all")),
    )  # fmt: skip
    def review(self, number: int, action: str, scope: str) -> None:
        with suppress(ApiError):
            asked = Decision(self.chosen("event", number, "status = 'pending'"), scope=scope)
            self.world.calendar.write(self.caller, decide, asked, action, "Not yet")

    # Venues, organizers, categories and tags

    @rule(kind=PLACES, who=st.sampled_from(WRITERS), with_picture=st.booleans())
    def create_place(self, kind: str, who: str, with_picture: bool) -> None:
        image = {"image": self.new_picture()} if with_picture else {}
        self.send(self.world.post, f"/{KIND_OF[kind].plural}", who, **{kind: "Hall"}, **image)

    @rule(kind=PLACES, number=numbers, status=st.sampled_from((*STATUSES, "trash")))
    def change_place(self, kind: str, number: int, status: str) -> None:
        self.send(self.world.put, f"/{KIND_OF[kind].plural}/{self.chosen(kind, number)}", status=status)

    @rule(kind=PLACES, number=numbers, force=st.booleans())
    def delete_place(self, kind: str, number: int, force: bool) -> None:
        flag = "true" if force else "false"
        self.send(self.world.delete, f"/{KIND_OF[kind].plural}/{self.chosen(kind, number)}?force={flag}")

    @rule(kind=TERMS, name=numbers, parent=numbers)
    def create_term(self, kind: str, name: int, parent: int) -> None:
        above = {"parent": self.chosen("category", parent)} if kind == "category" and parent % 2 else {}
        self.send(self.world.post, f"/{KIND_OF[kind].plural}", name=f"Term {name}", **above)

    @rule(number=numbers, parent=numbers, name=numbers)
    def move_category(self, number: int, parent: int, name: int) -> None:
        body = {"parent": self.chosen("category", parent) if parent % 3 else 0, "slug": f"slug-{name}"}
        self.send(self.world.put, f"/categories/{self.chosen('category', number)}", **body)

    @rule(kind=TERMS, number=numbers)
    def delete_term(self, kind: str, number: int) -> None:
        self.send(self.world.delete, f"/{KIND_OF[kind].plural}/{self.chosen(kind, number)}?force=true")

    @rule(kind=MERGED, old=numbers, new=numbers)
    def merge(self, kind: str, old: int, new: int) -> None:
        with suppress(ApiError):
            old, new = self.chosen(kind, old), self.chosen(kind, new)
            merging.merge_in_parts(self.world.calendar, self.caller, KIND_OF[kind], old, new)

    @rule(number=numbers)
    def delete_picture(self, number: int) -> None:
        with suppress(ApiError):
            image_store.delete_in_parts(self.world.calendar, self.caller, self.chosen("media", number))

    # Time, people, history, imports

    @rule(days=st.sampled_from((0.1, 1, 20, 90)))
    def time_passes(self, days: float) -> None:
        self.world.clock.move(days=days)
        assert self.world.get("/events").status_code == 200  # a read notices what is due

    @rule()
    def fill_series(self) -> None:
        filling.fill_all(self.world.calendar)

    @rule(kind=RECORDS, number=numbers)
    def take_back(self, kind: str, number: int) -> None:
        with self.world.calendar.store.read() as session:
            found = session.all("SELECT id, rev FROM version WHERE kind = ? ORDER BY rev", (kind,))
        if found:
            id, rev = found[number % len(found)]
            with suppress(ApiError):
                self.world.calendar.write(self.caller, restoring.restore, KIND_OF[kind], id, rev)

    @rule(who=st.sampled_from(("author", "contributor", "other_author")), to=st.sampled_from(("author", "editor")))
    def hand_over(self, who: str, to: str) -> None:
        with suppress(BadUser), self.world.calendar.writing(SERVICE) as work:
            user, successor = (users.find_user(work, self.world.ids[name]) for name in (who, to))
            users.hand_over(work, user, successor)

    @rule(who=st.sampled_from(("author", "contributor", "other_author")))
    def remove_account(self, who: str) -> None:
        """And somebody else of that role comes, so that the others still have someone to meet."""
        world = self.world
        self.accounts += 1
        with world.calendar.writing(SERVICE) as work:
            user, editor = (users.find_user(work, world.ids[name]) for name in (who, "editor"))
        users.remove_in_parts(world.calendar, SERVICE, user, editor)
        with world.calendar.writing(SERVICE) as work:
            added = users.add_user(work, f"person-{self.accounts}", user.role, "correct horse")
            world.tokens[who], _ = credentials.add_token(work, added, "tests")
            world.ids[who] = added.id

    @rule()
    def export(self) -> None:
        path = Path(self.files.name) / f"{len(self.exports)}.json"
        path.write_bytes(exported(self.world))
        self.exports.append(path)

    @rule(number=numbers)
    def import_export(self, number: int) -> None:
        if self.exports:
            import_into(self.world, KalendsJson(self.exports[number % len(self.exports)]))
