"""`kalends serve`: runs the service."""

import fcntl
import os
import resource
import signal
import socket
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir
from threading import Thread
from typing import Any

import click
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from rich.console import Console

from kalends import hooks
from kalends.bootstrap import FirstStart, first_link, make_administrator
from kalends.calendar import site_settings
from kalends.cli.opening import open_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.contract.operations.model import NAMESPACE
from kalends.http.middleware import logs
from kalends.http.parent_process import COUNTS, MASTER
from kalends.settings import TABLE, SettingError, Settings, current_key

# The master process: starts the workers, and restarts them when they die, with growing delays.

WINDOW = 60.0  # seconds for which the death of a worker counts
FIRST_DELAY, LONGEST_DELAY = 0.25, 10.0
CHECK_SECONDS = 0.05
COUNTER_FOLDER, COUNTER_LOCK = "kalends-counters-", "lock"  # where workers share their counters
JUST_MADE = 10.0  # seconds in which another service may not have its lock yet


class Supervisor(Granian):  # type: ignore[misc,valid-type]
    """Granian's own master ends the service when a worker dies twice within seconds. This one waits longer before
    each restart instead, since the other workers may be healthy."""

    deaths: deque[float]

    def serve(self, *arguments: Any, **options: Any) -> None:
        os.register_at_fork(after_in_child=_exit_on_signal)
        super().serve(*arguments, **options)

    # Granian's own name: it has no public way to wait between restarts.
    def _respawn_workers(self, workers: Any, spawn_target: Any, target_loader: Any, delay: float = 0) -> None:
        if not delay:  # not a requested restart: workers died
            self._back_off(len(workers))
            if self.interrupt_signal:
                return
        super()._respawn_workers(workers, spawn_target, target_loader, delay)
        self.respawned_wrks.clear()  # by which Granian knows that one died twice

    def shutdown(self, exit_code: int = 0) -> None:
        """Waits until the workers have ended. Granian looks once after each has, when it may not know of it yet, and
        then reports that it had to be killed."""
        for worker in self.wrks:
            worker.terminate()
        until = time.monotonic() + self.workers_kill_timeout
        while any(worker.is_alive() for worker in self.wrks) and time.monotonic() < until:
            time.sleep(CHECK_SECONDS)
        super().shutdown(exit_code)

    def _back_off(self, count: int) -> None:
        now = time.monotonic()
        if not hasattr(self, "deaths"):
            self.deaths = deque(maxlen=100)
        while self.deaths and now - self.deaths[0] > WINDOW:
            self.deaths.popleft()
        until = now + delay_after(len(self.deaths))
        self.deaths.extend([now] * count)
        while time.monotonic() < until and not self.interrupt_signal:
            time.sleep(CHECK_SECONDS)


def _exit_on_signal() -> None:
    """In a new worker, which inherits the master's handlers: until it has its own, a signal would be lost on it, and
    the service would stop only when the worker is killed."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def delay_after(deaths: int) -> float:
    """The seconds until the restart, by the number of earlier deaths: none, then 0.25, 0.5, 1…"""
    return 0.0 if not deaths else min(FIRST_DELAY * 2.0 ** min(deaths - 1, 20), LONGEST_DELAY)


# More than all places and all who wait (calendar/admission.py), so that kept bytes and health checks find one. The
# server starts them as they are needed.
THREADS = 376
BACKLOG = 4096
# Idle connections count too until they are closed: the limit is higher than what one client opens.
CONNECTIONS = 20_000  # a worker
HEADER_SECONDS = 5.0  # that a connection may be open without a whole request
STOP_SECONDS = 8  # for requests under way; then the workers are killed
OWN_FILES = 256  # descriptors for everything that is no connection
FEW_CONNECTIONS = 1000  # fewer than one client opens
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
    for fill in hooks.fill_with_samples if demo else ():
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
    with shared_counter_folder(settings):
        Supervisor(
            "kalends.worker:application",
            factory=True,
            address=host,
            port=port,
            interface=Interfaces.WSGI,
            workers=workers,
            blocking_threads=THREADS,
            backlog=BACKLOG,
            backpressure=connections,
            # Connections without a whole request are closed. With HTTP/2 and "auto", they never are.
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=round(1000 * header_seconds(connections))),
            websockets=False,
            workers_kill_timeout=STOP_SECONDS,
            log_level=LogLevels.warning,
            log_dictconfig=logs.configuration(settings),
            respawn_failed_workers=True,
        ).serve()


def most_connections() -> int:
    """How many connections a worker accepts: CONNECTIONS at most, and half of the open files that it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * CONNECTIONS + OWN_FILES
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft == resource.RLIM_INFINITY or soft >= allowed:
        allowed = wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)
    else:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max((allowed - OWN_FILES) // 2, allowed // 4)


def header_seconds(connections: int) -> float:
    """How long a connection may be open without a whole request. Where few can be, those that say nothing keep others
    out, health checks too, so they are closed sooner."""
    return HEADER_SECONDS if connections >= FEW_CONNECTIONS else HEADER_SECONDS / 5


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
