"""What comes with a hidden event is as hidden as the event, after every kind of change, until it becomes public."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.calendar.access.requests import everything_said
from tests.calendar.access.secret_records import picture
from tests.calendar.access.ways_out import ways_out
from tests.conftest import BASE_URL
from tests.effort import effort

from kalends.calendar.access import Caller
from kalends.calendar.posts import merging
from kalends.calendar.series import filling
from kalends.contract.kinds import VENUE
from kalends.contract.operations.model import COMPAT_ROOT
from kalends.contract.roles import Role

# How an event is hidden, and what is sent for it.
STATES: dict[str, dict[str, Any]] = {
    "draft": {"status": "draft"},
    "pending": {"status": "pending"},
    "private": {"status": "private"},
    "future": {"status": "publish", "date": "2030-01-05 00:00:00"},
    "protected": {"post_password": "open me"},
    "series": {"status": "draft", "recurrence": "FREQ=WEEKLY;COUNT=3"},
    "endless": {"status": "private", "recurrence": "FREQ=YEARLY"},
}
CALLERS = effort(("anonymous", "other_contributor"), ("anonymous", "subscriber", "other_contributor", "other_author"))


@dataclass
class Secret:
    """A hidden event, and the words of everything that came with it. A protected event shows its title."""

    state: str
    event: int = 0
    venue: int = 0
    organizer: int = 0
    words: dict[str, str] = field(default_factory=dict)  # by where they are

    def word(self, place: str) -> str:
        return self.words.setdefault(place, f"leak{self.state}{place}x{len(self.words)}")


@dataclass
class Stage:
    world: Any
    secrets: dict[str, Secret]
    public: set[str] = field(default_factory=set)  # words that may be said by now
    asked: int = 0
    checks: int = 0

    def hidden_words(self) -> dict[str, str]:
        """The words that must not be said, and what they are of."""
        found = {}
        for secret in self.secrets.values():
            for place, word in secret.words.items():
                if word not in self.public and not (secret.state == "protected" and place == "title"):
                    found[word] = f"{place} of the {secret.state} event"
        return found

    def check(self, after: str) -> None:
        """Reads everything, as everybody who may not read the secrets; usually each address as one of them, after the
        next change as another."""
        hidden = self.hidden_words()
        some = sorted(hidden)[:: effort(29, 3)]
        self.checks += 1
        for number, path in enumerate(dict.fromkeys(ways_out(self.world, some)), self.checks):
            callers = CALLERS if not path.startswith(BASE_URL) or COMPAT_ROOT in path else CALLERS[:1]
            for who in effort((callers[number % len(callers)],), callers):
                said = everything_said(self.world.get(path, who))
                leaked = {word: what for word, what in hidden.items() if word in said and word not in path}
                assert not leaked, f"after {after}: {who} reads at {path} {leaked}"
                self.asked += 1

    def publish(self, words: Iterable[str]) -> None:
        self.public.update(words)

    def is_said(self, path: str, word: str) -> bool:
        return word in everything_said(self.world.get(path))


def send(world: Any, secret: Secret, who: str) -> None:
    """An event with a venue, an organizer, a category, a tag and a picture of its own, with words in all of them."""
    image = world.upload(picture(len(secret.state)), name=f"{secret.word('picture')}.png")["id"]
    word = secret.word
    made = world.make(
        "events",
        who,
        title=word("title"),
        description=f"<p>{word('description')}</p>",
        excerpt=word("excerpt"),
        cost=word("cost"),
        website=f"https://{word('website')}.test/",
        start_date="2027-05-01 10:00:00",
        end_date="2027-05-01 12:00:00",
        venue={"venue": word("venue"), "address": word("address"), "phone": word("phone"), "image": image},
        organizer=[{"organizer": word("organizer"), "email": f"{word('email')}@example.test"}],
        categories=[word("category")],
        tags=[word("tag")],
        tickets=[{"name": word("ticket")}],
        image=image,
        **STATES[secret.state],
    )
    secret.event, secret.venue, secret.organizer = made["id"], made["venue"]["id"], made["organizer"][0]["id"]


@pytest.fixture
def stage(world: Any) -> Stage:
    world.make(
        "events", title="Open day", venue={"venue": "Town hall"}, categories=["Fairs"], recurrence="FREQ=YEARLY"
    )
    secrets = {state: Secret(state) for state in STATES}
    for secret in secrets.values():
        send(world, secret, "administrator")
    return Stage(world, secrets)


def put(stage: Stage, state: str, body: dict[str, Any], query: str = "") -> None:
    response = stage.world.put(f"/events/{stage.secrets[state].event}{query}", json=body)
    assert response.status_code == 200, response.text


def edit(stage: Stage) -> None:
    for state, secret in stage.secrets.items():
        put(stage, state, {"description": secret.word("text"), "organizer": {"organizer": secret.word("second")}})
    put(stage, "series", {"excerpt": stage.secrets["series"].word("later")}, "?scope=all")
    put(stage, "endless", {"excerpt": stage.secrets["endless"].word("later")}, "?scope=following")


def fill(stage: Stage) -> None:
    stage.world.clock.move(days=200)
    filling.fill_all(stage.world.calendar)


def merge(stage: Stage) -> None:
    calendar, secrets = stage.world.calendar, stage.secrets
    editor = Caller(stage.world.ids["editor"], "editor", Role.EDITOR)
    merging.merge_in_parts(calendar, editor, VENUE, secrets["draft"].venue, secrets["private"].venue)


def trash_and_restore(stage: Stage) -> None:
    for state, secret in stage.secrets.items():
        assert stage.world.delete(f"/events/{secret.event}").status_code == 200
        status = STATES[state].get("status", "publish")
        assert stage.world.put(f"/events/{secret.event}", json={"status": status}).status_code == 200


def rename_what_came_along(stage: Stage) -> None:
    for secret in stage.secrets.values():
        for kind, id in (("venues", secret.venue), ("organizers", secret.organizer)):
            if stage.world.get(f"/{kind}/{id}", "administrator").json()["status"] != "trash":
                body = {"description": secret.word(f"{kind}text")}
                assert stage.world.put(f"/{kind}/{id}", json=body).status_code == 200


CHANGES: tuple[Callable[[Stage], None], ...] = (edit, fill, merge, trash_and_restore, rename_what_came_along, fill)


def test_nothing_that_comes_with_a_hidden_event_is_read_by_others(stage: Stage) -> None:
    stage.check("creating")
    for number, change in enumerate(CHANGES, 1):
        change(stage)
        if number % effort(3, 1) == 0:
            stage.check(change.__name__)
    assert stage.asked > effort(500, 1000)


def test_what_came_along_is_public_with_its_event_and_nothing_else_is(stage: Stage) -> None:
    draft, future = stage.secrets["draft"], stage.secrets["future"]
    put(stage, "draft", {"status": "publish"})
    stage.publish(draft.words.values())
    assert stage.is_said(f"/events/{draft.event}", draft.words["address"])
    assert stage.is_said(f"/venues/{draft.venue}", draft.words["phone"])
    assert stage.is_said("/organizers", draft.words["email"])
    stage.check("publishing a draft")
    stage.world.clock.now = stage.world.clock.now.replace(year=2030, month=1, day=5, hour=5)  # midnight in New York
    stage.publish(future.words.values())
    assert stage.is_said(f"/venues/{future.venue}", future.words["phone"])
    assert stage.is_said(f"/events/{future.event}", future.words["address"])
    stage.check("the time has come")


def test_a_series_that_was_hidden_date_by_date_stays_hidden_when_it_is_filled(stage: Stage) -> None:
    world = stage.world
    secret = stage.secrets["hidden"] = Secret("hidden")
    first = world.make("events", title="Quiet circle", recurrence="FREQ=MONTHLY")
    wide = "start_date=2020-01-01&end_date=2060-01-01&per_page=100"
    found = world.get(f"/events?series={first['series']}&{wide}", "administrator").json()["events"]
    ids = [event["id"] for event in found]
    for id in ids:
        assert world.put(f"/events/{id}", json={"status": "private"}).status_code == 200
    body = {"title": secret.word("title"), "description": secret.word("description")}
    assert world.put(f"/events/{ids[-1]}?scope=all", json=body).status_code == 200
    world.clock.move(days=100)
    filling.fill_all(world.calendar)
    stage.check("hiding every date of a series, and filling it")
