"""The matrix of rights: every caller × operation × status × password, and what a response may contain."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import cycle
from typing import Any

import pytest
from tests.calendar.access import rights
from tests.calendar.access.requests import basic, bearer, everything_said
from tests.calendar.access.rights import CALLERS, POSTS, SINGULAR, STATES, STATUSES, TERMS, Caller, Outcome
from tests.conftest import NOW, PASSWORD
from tests.effort import effort
from tests.stores import Snapshot

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import credentials as tokens
from kalends.calendar.accounts import users
from kalends.contract.roles import ROLE_WORDS

OWNERS = ("contributor", "author", "other_author")
WORD = re.compile("zq[0-9]+q")
NAME_FIELDS = {"events": "title", "venues": "venue", "organizers": "organizer"}
TEXTS = {
    "events": ("description", "excerpt", "cost"),
    "venues": ("description", "excerpt", "address", "city", "country", "province", "state", "zip", "phone"),
    "organizers": ("description", "excerpt", "phone"),
}
SECRETS = {"": None, "wrong": "not the secret", "right": "the secret"}
UPDATES, KEYS = ("POST", "PUT", "PATCH"), ("id", "slug")


@dataclass(frozen=True)
class Record:
    """A record of the matrix. Its word is in each of its texts."""

    kind: str
    owner: str
    state: str
    protected: bool
    id: int
    slug: str
    word: str

    def path(self, by: str) -> str:
        return f"/{self.kind}/{self.id}" if by == "id" else f"/{self.kind}/by-slug/{self.slug}"


@dataclass
class Stage:
    """One calendar with a record of every kind, owner and state, restored after each case."""

    world: Any
    records: list[Record]
    terms: dict[str, dict[str, Any]]
    headers: dict[str, dict[str, str]]
    snapshot: Snapshot
    revision: int
    wrong: list[str] = field(default_factory=list)
    cases: int = 0

    def ask(self, caller: Caller, method: str, path: str, **more: Any) -> Any:
        self.cases += 1
        return self.world.ask(method, path, headers=self.headers[caller.label], **more)

    def check(self, case: str, response: Any, expected: Outcome, word: str) -> None:
        """Compares a response with the expected outcome, then restores the calendar."""
        head = " HEAD " in case
        body = {} if head or not response.content else response.json()
        found = (response.status_code, body.get("code", ""))
        if found[0] != expected.status or (not head and found[1] != expected.code):
            self.wrong.append(f"{case}: {found}, not {(expected.status, expected.code)}")
        said = set(WORD.findall(everything_said(response)))
        wanted = {word} if expected.shows and not head else set()
        if said != wanted:
            self.wrong.append(f"{case}: says {said}, not {wanted}")
        if not expected.shows and self.world.count() != self.revision:
            self.wrong.append(f"{case}: changed something")
        self.snapshot.restore()

    def assert_all_as_expected(self, at_least: int) -> None:
        assert not self.wrong, "\n".join(self.wrong)
        assert self.cases >= at_least


@pytest.fixture(scope="module")
def calendar(build_world: Any) -> Iterator[Stage]:
    world = build_world()
    records = [make(world, n, *traits) for n, traits in enumerate(all_traits())]
    terms = {kind: world.make(kind, name="zq9999qname", description="zq9999qdescription") for kind in TERMS}
    headers = credentials(world)
    for sent in headers.values():  # so that the last use of each token is recorded already
        world.get("/users/me", headers=sent)
    stage = Stage(world, records, terms, headers, Snapshot(world.calendar.store), world.count())
    yield stage
    stage.snapshot.close()


@pytest.fixture
def stage(calendar: Stage) -> Stage:
    calendar.wrong, calendar.cases = [], 0
    return calendar


def all_traits() -> Iterator[tuple[str, str, str, bool]]:
    for kind in POSTS:
        for owner in OWNERS:
            for state in STATES:
                for protected in (False, True) if kind == "events" else (False,):
                    yield kind, owner, state, protected


def make(world: Any, n: int, kind: str, owner: str, state: str, protected: bool) -> Record:
    word = f"zq{n}q"
    body: dict[str, Any] = {name: f"{word}{name}" for name in (NAME_FIELDS[kind], *TEXTS[kind])}
    body |= {"website": f"https://{word}.test/", "author": world.ids[owner]}
    body["status"] = {"trash": "publish", "trash-of-draft": "draft"}.get(state, state)
    body |= {"date": "2030-01-01 00:00:00"} if state == "future" else {}
    body |= {"post_password": SECRETS["right"]} if protected else {}
    body |= {"tickets": [{"name": f"{word}ticket"}]} if kind == "events" else {}
    body |= {"email": f"{word}@example.test"} if kind == "organizers" else {}
    made = world.make(kind, **body)
    if state.startswith("trash"):
        assert world.delete(f"/{kind}/{made['id']}").status_code == 200
    found = world.read(kind, made["id"])
    assert (found["status"], found["author"]) == (rights.status_of(state), str(world.ids[owner]))
    return Record(kind, owner, state, protected, made["id"], made["slug"], word)


def credentials(world: Any) -> dict[str, dict[str, str]]:
    with world.calendar.writing(SERVICE) as work:
        editor = users.find_user(work, world.ids["editor"])
        expired, _ = tokens.add_token(work, editor, "old", expires=NOW - timedelta(days=1))
        read_only, _ = tokens.add_token(work, editor, "reader", read_only=True)
        revoked, token = tokens.add_token(work, editor, "gone")
        tokens.revoke_token(work, editor, token.id)
    assert world.get("/users/me", headers=basic("editor", PASSWORD)).status_code == 200
    special = {
        "anonymous": {},
        "bad-password": basic("editor", "guess"),
        "garbled-header": {"Authorization": "Basic ???"},
        "expired-token": bearer(expired),
        "revoked-token": bearer(revoked),
        "read-only-token": bearer(read_only),
    }
    return {c.label: special.get(c.label, bearer(world.tokens.get(c.role, ""))) for c in CALLERS}


every_caller = pytest.mark.parametrize("caller", CALLERS, ids=lambda caller: caller.label)


def passwords(record: Record) -> tuple[str, ...]:
    return tuple(SECRETS) if record.protected else ("",)


def passwords_of_writes(record: Record, turns: Iterator[str]) -> tuple[str, ...]:
    """A password gives no right to write: usually each write is tried with one of them, and the next with another."""
    return effort((next(turns),), tuple(SECRETS)) if record.protected else ("",)


@every_caller
@pytest.mark.parametrize("kind", POSTS)
def test_reads(stage: Stage, caller: Caller, kind: str) -> None:
    for record in [r for r in stage.records if r.kind == kind and r.owner == caller.owner]:
        own = record.owner == caller.role
        for by in KEYS:
            for password in passwords(record):
                for method in effort(("GET",) if password else ("GET", "HEAD"), ("GET", "HEAD")):
                    expected = rights.read(caller, kind, by, own, record.state, record.protected, password)
                    query = {"password": SECRETS[password]} if password else {}
                    response = stage.ask(caller, method, record.path(by), params=query)
                    case = f"{caller.label} {method} {record.state} {kind} by {by}, password {password or 'none'}"
                    stage.check(case, response, expected, record.word)
                    if expected.shows and method == "GET":
                        assert response.json()["id"] == record.id
    stage.assert_all_as_expected(28)


@every_caller
@pytest.mark.parametrize("kind", POSTS)
def test_updates(stage: Stage, caller: Caller, kind: str) -> None:
    methods, turns = cycle(UPDATES), cycle(SECRETS)
    for record in [r for r in stage.records if r.kind == kind and r.owner == caller.owner]:
        own = record.owner == caller.role
        for by in KEYS:
            expected = rights.write(caller, kind, by, own, record.state, delete=False)
            # The methods do the same: each of them is tried on some records, or on every one.
            for method in effort((next(methods),), UPDATES):
                for password in passwords_of_writes(record, turns):
                    body = {"phone" if kind != "events" else "cost": "77", "password": SECRETS[password]}
                    response = stage.ask(caller, method, record.path(by), json=body)
                    case = f"{caller.label} {method} {record.state} {kind} by {by}, password {password or 'none'}"
                    if expected.shows and response.status_code == 200:
                        assert "77" in response.json()["phone" if kind != "events" else "cost"]
                        assert response.json()["status"] == rights.status_of(record.state)
                    stage.check(case, response, expected, record.word)
    stage.assert_all_as_expected(effort(14, 42))


@every_caller
@pytest.mark.parametrize("kind", POSTS)
def test_deletes(stage: Stage, caller: Caller, kind: str) -> None:
    turns = cycle(SECRETS)
    for record in [r for r in stage.records if r.kind == kind and r.owner == caller.owner]:
        own = record.owner == caller.role
        for by in KEYS:
            for force in (False, True):
                state = record.state.removeprefix("trash") if force else record.state
                expected = rights.write(caller, kind, by, own, record.state, delete=bool(state) and not force)
                for password in passwords_of_writes(record, turns):
                    query = {"password": SECRETS[password] or "", "force": str(force)}
                    response = stage.ask(caller, "DELETE", record.path(by), params=query)
                    case = f"{caller.label} DELETE {record.state} {kind} by {by}, force {force}"
                    if expected.shows and response.status_code == 200:
                        assert response.json()["status"] == "trash"
                    stage.check(case, response, expected, record.word)
    stage.assert_all_as_expected(28)


@pytest.mark.both_stores
@every_caller
@pytest.mark.parametrize("kind", POSTS)
def test_lists(stage: Stage, caller: Caller, kind: str) -> None:
    """Which records a caller sees in lists, and which of them are masked."""
    records = [r for r in stage.records if r.kind == kind]
    for status in ("", *STATUSES):
        for password in SECRETS if kind == "events" else ("",):
            query = {"per_page": 100} | ({"status": status} if status else {})
            query |= {"password": SECRETS[password]} if password else {}
            response = stage.ask(caller, "GET", f"/{kind}", params=query)
            case = f"{caller.label} lists {kind}, status {status or 'any'}, password {password or 'none'}"
            stage.wrong += [f"{case}: {line}" for line in list_errors(caller, records, status, password, response)]
            stage.snapshot.restore()
    stage.assert_all_as_expected(7)


def list_errors(caller: Caller, records: list[Record], status: str, password: str, response: Any) -> Iterator[str]:
    said = everything_said(response)
    if caller.refused or (status not in ("", "publish") and not caller.may("create")):
        expected = (401, caller.refused) if caller.refused else (400, "rest_invalid_param")
        if (response.status_code, response.json().get("code")) != expected or WORD.search(said):
            yield f"{response.status_code} {response.text}"
        return
    wanted, unmasked = {}, set()
    for record in records:
        own, now = record.owner == caller.role, rights.status_of(record.state)
        if rights.may_read(caller, own, record.state) and (now == status if status else now != "trash"):
            wanted[record.id] = record
            if rights.is_unmasked(caller, own, record.state, record.protected, password):
                unmasked.add(record.word)
    found = {item["id"]: item for item in response.json()[records[0].kind]}
    if found.keys() != wanted.keys():
        yield f"{found.keys() ^ wanted.keys()}"
    if not len(wanted) == response.json()["total"] == int(response.headers["x-tec-total"]):
        yield f"total {response.json()['total']}, not {len(wanted)}"
    if set(WORD.findall(said)) != {record.word for record in wanted.values()}:
        yield "words of another record"
    told = {word for word in unmasked if f"{word}description" in said}
    if told != unmasked or len(re.findall("zq[0-9]+q(?=description)", said)) != len(unmasked):
        yield f"hidden text: {told ^ unmasked}"
    for record in wanted.values():
        title_and_slug = 3 if record.kind == "events" else None  # in url, title and slug
        if record.word not in unmasked and str(found[record.id]).count(record.word) != title_and_slug:
            yield f"too much of {record}"


@every_caller
@pytest.mark.parametrize("kind", [*POSTS, *TERMS])
def test_creates(stage: Stage, caller: Caller, kind: str) -> None:
    expected = rights.create(caller, kind)
    body = {NAME_FIELDS.get(kind, "name"): "zq7777q"}
    body |= {"start_date": "2027-03-10", "end_date": "2027-03-10"} if kind == "events" else {}
    response = stage.ask(caller, "POST", f"/{kind}", json=body)
    if expected.shows and kind in POSTS:
        assert response.json()["status"] == ("draft" if caller.role == "contributor" else "publish")
        assert response.json()["author"] == str(stage.world.ids[caller.role])
    stage.check(f"{caller.label} creates {kind}", response, expected, "zq7777q")
    stage.assert_all_as_expected(1)


@every_caller
@pytest.mark.parametrize("kind", TERMS)
def test_terms(stage: Stage, caller: Caller, kind: str) -> None:
    path = f"/{kind}/{stage.terms[kind]['id']}"
    for method in ("GET", "HEAD"):
        for address in (path, f"/{kind}?hide_empty=false"):
            response = stage.ask(caller, method, address)
            stage.check(f"{caller.label} {method} {kind}", response, rights.read_term(caller), "zq9999q")
    for method in (*UPDATES, "DELETE"):
        body = {} if method == "DELETE" else {"json": {"slug": "renamed"}}
        response = stage.ask(caller, method, path, **body)
        stage.check(f"{caller.label} {method} {kind}", response, rights.write_term(caller, kind), "zq9999q")
    stage.assert_all_as_expected(8)


def test_the_matrix_is_complete(stage: Stage) -> None:
    """It has every role, and a record of each kind, state and owner."""
    assert {caller.role for caller in CALLERS} == {*ROLE_WORDS, "anonymous"}
    staged = {(r.kind, r.owner, r.state) for r in stage.records}
    assert staged == {(k, o, s) for k in SINGULAR if k in POSTS for o in OWNERS for s in STATES}
    assert {caller.owner for caller in CALLERS} == set(OWNERS)
