"""`kalends serve`: runs the service."""

import fcntl
import gc
import logging.config
import os
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir
from threading import Thread

import click
from rich.console import Console

from kalends.bootstrap import FirstStart, first_link, make_administrator
from kalends.calendar import site_settings
from kalends.cli.opening import open_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.contract.operations.model import NAMESPACE
from kalends.feature import declared
from kalends.http.master import LONGEST_DELAY as USUAL_DELAY
from kalends.http.master import Master
from kalends.http.middleware import logs
from kalends.http.parent_process import COUNTS, MASTER
from kalends.settings import TABLE, SettingError, Settings, current_key

COUNTER_FOLDER, COUNTER_LOCK = "kalends-counters-", "lock"  # where workers share their counters
CHECK_SECONDS = 0.05
LONGEST_DELAY = USUAL_DELAY  # between two starts of workers that die
JUST_MADE = 10.0  # seconds in which another service may not have its lock yet
# Idle connections count too until they are closed: the limit is higher than what one client opens.
CONNECTIONS = 20_000  # a worker
OWN_FILES = 256  # descriptors for everything that is no connection
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104
# What the link of the first administrator is for: a calendar that is set up, such as that of the demo, asks no more.
SET_UP = "Open this link to choose a password and set up your calendar."
CHOOSE_PASSWORD = "Open this link to choose a password and get into the admin."  # noqa: S105


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="The port.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="How many processes serve.")
@click.option("--demo", is_flag=True, help="Fill a calendar that has no events with those of a made-up town.")
@with_settings
def serve(host: str, port: int, workers: int, demo: bool, **overrides: str | None) -> None:
    """Run the service."""
    settings = settings_from(overrides)
    check_port(host, port)
    calendar = open_calendar(settings)
    calendar.files.check()
    first = make_administrator(calendar)
    for fill in declared("sample_data") if demo else ():
        fill(calendar, Console(highlight=False, soft_wrap=True))
    key = first_link(calendar)
    with calendar.store.read() as session:
        offer = CHOOSE_PASSWORD if site_settings.is_set_up(session) else SET_UP
    calendar.store.close()
    link = None if key is None else (offer, key)
    Thread(target=welcome_when_ready, args=(settings, host, port, first, link), daemon=True).start()
    # The workers are separate processes that read their settings from the environment.
    for key, value in overrides.items():
        if value is not None:
            os.environ[TABLE[current_key(key)].variable] = value
    os.environ.pop(TABLE["admin_password"].variable, None)
    os.environ[MASTER] = str(os.getpid())
    connections = most_connections()
    load_worker()
    with shared_counter_folder(settings):
        logging.config.dictConfig(logs.configuration(settings))
        Master(host, port, workers, partial(serve_requests, connections=connections), LONGEST_DELAY).run()


def load_worker() -> None:
    """Loads all of the program, which other commands do not need, before the workers are forked: they share that
    memory, and one that is started again is there at once."""
    import_module("kalends.worker")
    gc.collect()
    gc.freeze()


def serve_requests(listening: socket.socket, connections: int) -> None:
    """A worker process."""
    import_module("kalends.worker").serve(listening, connections)


def most_connections() -> int:
    """How many connections a worker accepts: CONNECTIONS at most, and so few that each can be open twice within the
    limit of open files, as they are while one of them is looked at (http/front/connection.py)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * CONNECTIONS + OWN_FILES
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft == resource.RLIM_INFINITY or soft >= allowed:
        allowed = wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)
    else:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max((allowed - OWN_FILES) // 2, allowed // 4)


@contextmanager
def shared_counter_folder(settings: Settings) -> Iterator[None]:
    """A temporary folder in which the workers share their counters."""
    if not settings.metrics:
        yield
        return
    try:
        remove_abandoned_folders(Path(gettempdir()))
        folder = TemporaryDirectory(prefix=COUNTER_FOLDER)
        lock = os.open(Path(folder.name, COUNTER_LOCK), os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError as error:
        raise SettingError(f"there is no folder to count in for /metrics: {error.strerror}") from None
    with folder:
        os.environ[COUNTS] = folder.name
        yield
    os.close(lock)


def remove_abandoned_folders(among: Path) -> None:
    """Removes such folders of services that were killed: nobody has their lock, which a process has until it ends."""
    for lock in among.glob(f"{COUNTER_FOLDER}*/{COUNTER_LOCK}"):
        with suppress(OSError), lock.open("rb") as file:
            if time.time() - lock.stat().st_mtime > JUST_MADE:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                rmtree(lock.parent, ignore_errors=True)


def check_port(host: str, port: int) -> None:
    """Fails now, with one line, when the port is taken."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family[0], socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(family[4])
    except OSError as error:
        raise SettingError(f"cannot listen on {host} port {port}: {error.strerror}") from None


def welcome_when_ready(
    settings: Settings, host: str, port: int, first: FirstStart | None, link: tuple[str, str] | None
) -> None:
    """Says that it is ready when it answers."""
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    while True:
        try:
            with closing(HTTPConnection(reached, port, timeout=10)) as connection:
                connection.request("GET", "/healthz")
                if connection.getresponse().status < 500:
                    break
        except (OSError, HTTPException):
            pass
        time.sleep(CHECK_SECONDS)
    welcome(settings, host, port, first, link)


def welcome(
    settings: Settings, host: str, port: int, first: FirstStart | None, link: tuple[str, str] | None = None
) -> None:
    """Prints the addresses, the link by which the first administrator gets in with what it is for, and the first
    password."""
    # Where it listens on every address, a browser on this machine needs one of them.
    shown_host = "localhost" if host in EVERY_ADDRESS else f"[{host}]" if ":" in host else host
    base = settings.base_url or f"http://{shown_host}:{port}"
    ns = f"{base}{settings.api_root}/{NAMESPACE}"
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]Kalends[/] is ready. Its data is in {settings.data}.\n")
    console.print(f"  calendar   {base}/events/")
    console.print(f"  admin      {base}/admin")
    console.print(f"  events     {ns}/events")
    console.print(f"  API        {base}/docs")
    console.print(f"  health     {base}/healthz")
    if link is not None:
        offer, key = link
        console.print(f"\n{offer} It works once:\n")
        console.print(f"  {base}/admin/link?key={key}", style="bold", markup=False)
    if first is None:
        console.print()
        return
    password = first.password or "$KALENDS_ADMIN_PASSWORD"
    if first.password:
        console.print(
            "\nFor scripts until then: "
            f"the administrator is [bold]{first.name}[/], the password [bold]{first.password}[/]"
        )
    console.print("\nTry the API:\n")
    console.print(
        f'  curl -u "{first.name}:{password}" {ns}/events \\\n'
        "    -d title='Opening night' -d start_date='tomorrow 7pm' -d end_date='tomorrow 10pm'\n",
        markup=False,
    )
