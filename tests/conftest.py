"""A running calendar for every test: its own store, a clock that stands still, and somebody of every role."""

import gc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import hypothesis
import msgspec
import pytest
from argon2 import PasswordHasher
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from httpx._transports import default
from tests.both_stores import kinds_for, left_out
from tests.clusters import Cluster
from tests.effort import EVERYTHING, effort
from tests.postgresql_programs import missing
from tests.quick_routes import QuickRouter
from tests.second_attempts import pytest_terminal_summary
from tests.site.browser import api, browser, monitor, real_service
from tests.stores import PostgresTemplate, SqliteTemplate, Template, careless_store

from kalends.bootstrap import collect_garbage_rarely, media_files
from kalends.calendar.access import SERVICE, Caller
from kalends.calendar.accounts import account_rules, event_passwords, users
from kalends.calendar.accounts import credentials as tokens
from kalends.calendar.images.processing import Picture
from kalends.calendar.service import Calendar
from kalends.contract.roles import ROLE_WORDS, Role
from kalends.http import app
from kalends.present import conventions
from kalends.settings import Settings, load
from kalends.worker import make_app

__all__ = ["api", "browser", "monitor", "pytest_terminal_summary", "real_service"]  # fixtures, and a hook

gc.disable()  # until all tests are collected: what is made until then stays

# How long an example takes says more about the machine than about the code.
# The usual run tries the same examples every time; with TEST_ALL=1 they are others each time.
hypothesis.settings.register_profile(
    "untimed", deadline=None, derandomize=not EVERYTHING, max_examples=effort(40, 200)
)
hypothesis.settings.load_profile("untimed")

BASE_URL = "http://calendar.test"
LONGEST_TESTS = [Path(__file__).parent / name for name in ("product", "site")]
NS = f"{BASE_URL}/api/calendar/events/v1"
COMPAT_NS = f"{BASE_URL}/wp-json/tribe/events/v1"
NOW = datetime(2026, 11, 15, 12, 0, 0)
PASSWORD = "correct horse"
SITE = {"timezone": "America/New_York", "site_name": "Test calendar"}

Writing = Callable[[], AbstractContextManager[None]]  # while it is open, another process writes

ROLES = {role.word: role for role in Role}

# Two people of a role where "own" and "another's" differ.
PEOPLE = {role: role for role in ROLE_WORDS} | {"other_contributor": "contributor", "other_author": "author"}


@dataclass
class Clock:
    """A clock that only moves when a test says so."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


def client_of(application: Any) -> httpx.Client:
    """A client of an application in this process. Paths are handed over as WSGI wants them: bytes, each as one
    character."""

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        path = environ["PATH_INFO"].encode("utf-8", "surrogateescape").decode("latin-1")
        return application(environ | {"PATH_INFO": path}, start_response)

    return httpx.Client(transport=httpx.WSGITransport(app=answer), base_url=BASE_URL)


@dataclass
class World:
    """A calendar, its clock, and ways to ask it."""

    calendar: Calendar
    clock: Clock
    tokens: dict[str, str]
    ids: dict[str, int]
    pictures: dict[str, Picture] = field(default_factory=dict)
    ns: str = NS

    def __post_init__(self) -> None:
        self.neighbours: list[Calendar] = []
        self.front = make_app(self.calendar)
        self.cache = self.front.cache.kept
        self.client = client_of(self.front)

    def neighbour(self) -> httpx.Client:
        """Another process with the same store, as far as connections and memory go."""
        settings = self.calendar.settings
        calendar = Calendar(careless_store(settings), self.calendar.files, settings, self.clock)
        self.neighbours.append(calendar)
        return client_of(make_app(calendar))

    def ask(
        self, method: str, path: str, who: str = "anonymous", headers: dict[str, str] | None = None, **more: Any
    ) -> httpx.Response:
        """A request as somebody: `path` is below the namespace unless it is a whole address."""
        url = path if path.startswith("http") else self.ns + path
        sent = dict(headers or {})
        if who != "anonymous":
            sent.setdefault("Authorization", f"Bearer {self.tokens[who]}")
        return self.client.request(method, url, headers=sent, **more)

    def get(self, path: str, who: str = "anonymous", **more: Any) -> httpx.Response:
        return self.ask("GET", path, who, **more)

    def post(self, path: str, who: str = "administrator", **more: Any) -> httpx.Response:
        return self.ask("POST", path, who, **more)

    def put(self, path: str, who: str = "administrator", **more: Any) -> httpx.Response:
        return self.ask("PUT", path, who, **more)

    def delete(self, path: str, who: str = "administrator", **more: Any) -> httpx.Response:
        return self.ask("DELETE", path, who, **more)

    def make(self, plural: str, who: str = "administrator", **body: Any) -> dict[str, Any]:
        """A record that is there; an event gets dates when it has none."""
        if plural == "events":
            body = {
                "title": "An event",
                "start_date": "2027-03-10 09:00:00",
                "end_date": "2027-03-10 11:00:00",
            } | body
        response = self.post(f"/{plural}", who, json=body)
        assert response.status_code == 201, response.text
        made: dict[str, Any] = response.json()
        return made

    def upload(self, content: bytes, who: str = "administrator", name: str = "") -> dict[str, Any]:
        """A picture that is in the library; `name`: that of its file."""
        headers = {"Content-Type": "image/png"}
        if name:
            headers["Content-Disposition"] = f'attachment; filename="{name}"'
        response = self.post("/media", who, content=content, headers=headers)
        assert response.status_code == 201, response.text
        made: dict[str, Any] = response.json()
        return made

    def read(self, plural: str, id: int, who: str = "administrator") -> dict[str, Any]:
        response = self.get(f"/{plural}/{id}", who)
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def caller(self, who: str) -> Caller:
        """Somebody, as operations know him."""
        return Caller(self.ids[who], who, ROLES[PEOPLE[who]])

    def count(self) -> int:
        """How many changes the journal holds: the same before and after means that nothing changed."""
        with self.calendar.store.read() as session:
            return int(session.value("SELECT coalesce(max(rev), 0) FROM journal"))


def settings_for(data: Path, **more: str) -> Settings:
    return load(data, SITE | more, {})


@pytest.fixture(autouse=True)
def usual_conventions() -> None:
    """A request that an earlier test made in this thread may have left those of its site."""
    conventions.use(conventions.AUTO, conventions.AUTO)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Of several processes that collect the same tests, each rewrites the assertions of some of the modules, and
    finds the others as they were written by its neighbours: that is half of what collecting takes."""
    process: dict[str, Any] = getattr(session.config, "workerinput", {})
    if not process:
        return
    folders = [Path(argument).absolute() for argument in session.config.args]
    modules = sorted(path for folder in folders for path in folder.rglob("test_*.py"))
    for path in modules[int(process["workerid"].removeprefix("gw")) :: process["workercount"]]:
        with suppress(Exception):  # which collecting it will tell
            import_module(".".join(path.relative_to(session.config.rootpath).with_suffix("").parts))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest first: begun at the end, they would keep one process busy while the others have nothing left."""
    if left := left_out(items):
        config.hook.pytest_deselected(items=[item for item in items if item in left])
        items[:] = [item for item in items if item not in left]
    items.sort(key=lambda item: not _is_long(item.path))


@cache
def _is_long(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in LONGEST_TESTS)


def pytest_collection_finish() -> None:
    """The collector need not look at thousands of collected tests again and again: that took a fifth of the time."""
    gc.enable()
    gc.collect()
    collect_garbage_rarely()


@pytest.fixture(scope="session", autouse=True)
def quick_routes() -> Iterator[None]:
    """Applications of this process share what the router compiles."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "Router", QuickRouter)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_clients() -> Iterator[None]:
    """Clients that share the certificates of this machine: reading them took longer than most requests. That wait
    longer than five seconds: on a busy machine a service is not so quick to answer. And that look for cookies only
    in answers that have some."""
    extract = httpx.Cookies.extract_cookies

    def extract_if_any(cookies: httpx.Cookies, response: httpx.Response) -> None:
        if "set-cookie" in response.headers:
            extract(cookies, response)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx.Cookies, "extract_cookies", extract_if_any)
        for phase in ("connect", "read", "write", "pool"):
            patch.setattr(DEFAULT_TIMEOUT_CONFIG, phase, 60.0)
        patch.setattr(default, "create_ssl_context", cache(default.create_ssl_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hashing that takes no time; how strong it is in earnest is not what these tests are about."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(account_rules, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        patch.setattr(event_passwords, "COST", 2)
        yield


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Whatever needs a calendar is tested on SQLite, and on PostgreSQL too where the store decides."""
    if "store_kind" in metafunc.fixturenames:
        metafunc.parametrize("store_kind", kinds_for(metafunc.definition), indirect=True, scope="session")


@pytest.fixture(scope="session")
def store_kind(request: pytest.FixtureRequest) -> str:
    """The kind of store that a test runs on: see both_stores.py."""
    if request.param == "postgresql" and (reason := missing()):
        pytest.skip(reason)
    return str(request.param)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """The PostgreSQL server of these tests."""
    made = Cluster().start()
    yield made
    if isinstance(template := TEMPLATES.pop("postgresql", None), PostgresTemplate):
        template.close()
    made.remove()


TEMPLATES: dict[str, Template] = {}


@pytest.fixture(scope="session")
def template(
    store_kind: str,
    quick_passwords: None,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Template:
    """A migrated store with people in it, made once and copied for every test."""
    # A process that gets tests of both stores in turn asks for each of them again.
    if store_kind not in TEMPLATES:
        data = tmp_path_factory.mktemp("template")
        if store_kind == "sqlite":
            TEMPLATES[store_kind] = SqliteTemplate(data, settings_for(data), add_people)
        else:
            cluster = request.getfixturevalue("cluster")
            TEMPLATES[store_kind] = PostgresTemplate(
                cluster, lambda url: settings_for(data, database=url), add_people
            )
    return TEMPLATES[store_kind]


def add_people(calendar: Calendar) -> tuple[dict[str, str], dict[str, int]]:
    clear, ids = {}, {}
    with calendar.writing(SERVICE) as work:
        work = msgspec.structs.replace(work, now=NOW)
        for name, role in PEOPLE.items():
            user = users.add_user(work, name, role, PASSWORD)
            clear[name], _ = tokens.add_token(work, user, "tests")
            ids[name] = user.id
    return clear, ids


def build(template: Template, data: Path, **settings: str) -> World:
    """A calendar of its own in an empty folder."""
    template.fresh(data)
    chosen, clock = settings_for(data, **settings), Clock()
    pictures: dict[str, Picture] = {}
    calendar = Calendar(template.open(chosen), media_files(chosen), chosen, clock, lambda url, _: pictures[url])
    return World(calendar, clock, dict(template.tokens), dict(template.ids), pictures)


def close(template: Template, world: World) -> None:
    world.client.close()
    for calendar in world.neighbours:
        calendar.store.close()
    template.give_back(world.calendar.store)


@pytest.fixture(scope="module")
def build_world(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Makes worlds that a whole module shares."""
    made: list[World] = []

    def make(**settings: str) -> World:
        made.append(build(template, tmp_path_factory.mktemp("world"), **settings))
        return made[-1]

    yield make
    for world in made:
        close(template, world)


@pytest.fixture(scope="module")
def shared_world(build_world: Any) -> World:
    """The usual calendar, for a module whose tests only read it or notice nothing of each other's changes."""
    found: World = build_world()
    return found


@pytest.fixture
def make_world(template: Template, tmp_path: Path) -> Iterator[Any]:
    """Makes a world with other settings than the usual ones."""
    made: list[World] = []

    def make(**settings: str) -> World:
        data = tmp_path / f"data-{len(made)}"
        data.mkdir()
        made.append(build(template, data, **settings))
        return made[-1]

    yield make
    for world in made:
        close(template, world)


@pytest.fixture
def world(make_world: Any) -> World:
    """The usual calendar: New York, 2026-11-15 12:00 UTC."""
    found: World = make_world()
    return found


@pytest.fixture
def writing(world: World) -> Iterator[Writing]:
    """Another process in the middle of a write."""
    store = careless_store(world.calendar.settings)

    @contextmanager
    def hold() -> Iterator[None]:
        with store.write():
            yield

    yield hold
    store.close()


@pytest.fixture(scope="session")
def s3_server() -> Iterator[Any]:
    # Only the tests of buckets pay for loading a server of them.
    from tests.calendar.images.buckets import Bucket

    server = Bucket()
    yield server
    server.stop()


@pytest.fixture
def bucket(s3_server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An empty bucket on loopback, and credentials for it."""
    from tests.calendar.images.buckets import ENVIRONMENT

    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    s3_server.empty()
    return s3_server


@pytest.fixture(params=["folder", "bucket"])
def media(request: pytest.FixtureRequest) -> dict[str, str]:
    """Where images lie, as settings: each of the two ways in turn."""
    found: dict[str, str] = request.getfixturevalue("bucket").settings if request.param == "bucket" else {}
    return found
