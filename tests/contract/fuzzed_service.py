"""The service that is fuzzed: a calendar with a user of every role, whose credentials stay valid."""

import io
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conftest import Clock, settings_for
from tests.contract import mutation
from tests.pictures import png

from kalends.bootstrap import open_calendar
from kalends.calendar.accounts import credentials as tokens
from kalends.calendar.images.processing import Picture, read_picture
from kalends.calendar.service import Calendar
from kalends.contract.roles import ROLE_WORDS
from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import Session
from kalends.values import names
from kalends.worker import make_app

BASE_URL = "http://calendar.test"
DAMAGED = 20  # copies of each request, unless the caller says otherwise


@dataclass
class Service:
    """The calendar under test, somebody of every role in it, and their tokens."""

    calendar: Calendar
    tokens: dict[str, str]
    statuses: Counter[int] = field(default_factory=Counter)
    crashes: list[str] = field(default_factory=list)
    shadow: "Service | None" = None  # gets every request too, in every role
    damaged: int = DAMAGED

    def __post_init__(self) -> None:
        self._app = make_app(self.calendar)
        self._numbers = itertools.count(1)
        self.random = random.Random(1)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The application, each request from another address: who guesses passwords is slowed down."""
        if self.shadow is not None:
            self.shadow.ask_as_everyone(environ)
        number = next(self._numbers)
        environ["REMOTE_ADDR"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        environ["HTTP_HOST"] = "calendar.test"
        environ.pop("HTTP_ACCEPT_ENCODING", None)  # nothing in here would unpack the answer

        def start(status: str, *more: Any) -> Any:
            self.statuses[int(status[:3])] += 1
            if status >= "500":
                told = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}?{environ['QUERY_STRING']}"
                self.crashes.append(f"{status}: {told[:1000]} as {environ.get('HTTP_AUTHORIZATION')}")
            return start_response(status, *more)

        answer = list(self._app(environ, start))
        if "/users" in environ["PATH_INFO"] and environ["REQUEST_METHOD"] not in ("GET", "HEAD", "OPTIONS"):
            self._keep_credentials()
        return answer

    def ask_as_everyone(self, environ: dict[str, Any]) -> None:
        """The same request in every role, and damaged copies of it in some, on this calendar: what one role deletes
        is not missed on the other one."""
        body = environ["wsgi.input"].read()
        environ["wsgi.input"] = io.BytesIO(body)
        query = environ["QUERY_STRING"].encode("latin-1")
        everyone = [*self.tokens.values(), ""]
        for token in everyone:
            self._send(environ, token, query, body)
        for _ in range(self.damaged):
            damaged = mutation.damage(query, self.random), mutation.damage(body, self.random)
            self._send(environ, self.random.choice(everyone), *damaged)

    def _send(self, environ: dict[str, Any], token: str, query: bytes, body: bytes) -> None:
        copy = {name: value for name, value in environ.items() if name != "HTTP_AUTHORIZATION"}
        copy |= {"QUERY_STRING": query.decode("latin-1"), "wsgi.input": io.BytesIO(body)}
        if environ.get("CONTENT_LENGTH"):
            copy["CONTENT_LENGTH"] = str(len(body))
        if token:
            copy["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        self(copy, lambda *_: None)

    def _keep_credentials(self) -> None:
        """An administrator may take away the very token that the requests come with: it is given back."""
        with self.calendar.store.write() as session:
            restore(session, self.tokens)


def restore(session: Session, tokens_of: dict[str, str]) -> None:
    """Users 1, 2… with these tokens of the same ids, whatever was made of them."""
    for id, (name, clear) in enumerate(tokens_of.items(), 1):
        digest, user = tokens.digest(clear), (name, names.fold(name), name)
        session.run('DELETE FROM "user" WHERE name_key = ? AND id <> ?', (user[1], id))
        session.run(
            'INSERT INTO "user" (id, name, name_key, role, password, created_utc)'
            " VALUES (?, ?, ?, ?, '', '2026-11-15 12:00:00') ON CONFLICT DO NOTHING",
            (id, *user),
        )
        session.run('UPDATE "user" SET name = ?, name_key = ?, role = ? WHERE id = ?', (*user, id))
        session.run("DELETE FROM token WHERE digest = ? AND id <> ?", (digest, id))
        columns = '(id, "user", name, digest, purpose, read_only, created_utc)'
        token = (id, id, digest)
        session.run(
            f"INSERT INTO token {columns} VALUES (?, ?, 'fuzzing', ?, 'bearer', 0, '2026-11-15 12:00:00')"
            " ON CONFLICT DO NOTHING",
            token,
        )
    # Numbers that were given by hand are not given again.
    session.run(
        "UPDATE sequence SET last = ? WHERE name IN ('user', 'token') AND last < ?", (len(tokens_of), len(tokens_of))
    )


def a_picture(_url: str, _settings: object) -> Picture:
    """What every address of the web leads to."""
    return read_picture(png(8, 6, colour="teal"))


def make_service(data: Path, database: str = "") -> Service:
    """A calendar with somebody of every role; on SQLite, unless the address of a database is given."""
    calendar = open_calendar(settings_for(data, base_url=BASE_URL, database=database), Clock())
    calendar.fetch = a_picture
    if isinstance(calendar.store, SqliteStore):  # which need not survive a power cut
        calendar.store._open_writer().execute("PRAGMA synchronous = OFF")
    # The highest role first: user 1 stays an administrator, so that there always is one.
    tokens_of = {role: f"kal_{role}" for role in reversed(ROLE_WORDS)}
    with calendar.store.write() as session:
        restore(session, tokens_of)
    return Service(calendar, tokens_of)
