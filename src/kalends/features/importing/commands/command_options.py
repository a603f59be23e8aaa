"""The options that all imports have in common, and how an import is shown in a terminal."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from rich.console import Console

from kalends.bootstrap import collect_garbage_rarely, make_administrator
from kalends.calendar.access import Caller
from kalends.calendar.accounts.account_rules import BadUser
from kalends.calendar.service import Calendar
from kalends.cli.opening import administrator, open_calendar, show_password
from kalends.cli.options import settings_from, with_settings
from kalends.cli.progress import progress
from kalends.contract.roles import Role
from kalends.features.importing.applying import images
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.applying.report import UNCHANGED, RecordOutcome, Report
from kalends.features.importing.records.record import ImportSource, SourceError
from kalends.features.importing.run import Import
from kalends.features.importing.sources.site import RemoteSite
from kalends.features.importing.sources.web_client import WebClient
from kalends.settings import IMPORT_PASSWORD
from kalends.store.rows import users as stored_users

INCOMPLETE = 3  # the exit code of an import that left something out
MOST_LISTED = 20

F = TypeVar("F", bound=Callable[..., Any])

COMMON = (
    click.option("--dry-run", is_flag=True, help="Show what would happen, and change nothing."),
    click.option("--as-drafts", is_flag=True, help="Import new events as drafts, which nobody sees until published."),
    click.option("--theirs", is_flag=True, help="Overwrite what was changed here since the last import."),
    click.option("--keep-ids", is_flag=True, help="Give records the ids that they have there, where these are free."),
    click.option("--create-users", is_flag=True, help="Add the authors that are not users here, without a password."),
    click.option("--no-images", is_flag=True, help="Leave images out."),
    click.option("--as", "user", metavar="USER", help="Who imports, and owns what has no known author."),
    click.option("--source", metavar="NAME", default="", help="What the records remember as their source."),
    click.option("--allow-private", is_flag=True, help="Let addresses be inside of your network, on any port."),
    click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Write a report as JSON."),
    click.option("--quiet", is_flag=True, help="Show errors only."),
)
CREDENTIALS = (
    click.option("--user", "login", metavar="NAME", default="", help="Log in there, for drafts and private ones."),
    click.option(
        "--password-file",
        type=click.Path(path_type=Path, dir_okay=False, exists=True),
        help=f"The file with the (application) password; else {IMPORT_PASSWORD} or a prompt.",
    ),
)


def with_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def import_command(command: F) -> F:
    """Adds the common options and those of the settings; the command receives all of them as `given`."""
    return with_options(*COMMON)(with_settings(command))


@dataclass(frozen=True)
class ImportCommand:
    """An import as a command was asked for it."""

    calendar: Calendar
    caller: Caller
    options: Mapping[str, Any]

    @classmethod
    def open(cls, options: dict[str, Any]) -> "ImportCommand":
        common = {option: options.pop(option) for option in OPTION_NAMES if option in options}
        calendar = open_calendar(settings_from(options))
        first = make_administrator(calendar)
        show_password(Console(highlight=False, soft_wrap=True), first)
        collect_garbage_rarely()
        return cls(calendar, import_caller(calendar, common.get("user")), common)

    @property
    def quiet(self) -> bool:
        return bool(self.options.get("quiet"))

    def importer(self, source: ImportSource, advance: Callable[[int], None]) -> Import:
        given = self.options
        host = source.host if isinstance(source, RemoteSite) else ""
        options = ImportOptions(
            theirs=given["theirs"],
            keep_ids=given["keep_ids"],
            dry_run=given["dry_run"],
            create_users=given["create_users"],
            as_drafts=given["as_drafts"],
        )
        return Import(
            self.calendar,
            self.caller,
            options,
            images.guarded_fetch(self.calendar, allow_private=given["allow_private"], private_host=host),
            with_images=not given["no_images"],
            watch=self._print if given["dry_run"] and not self.quiet else lambda outcome: None,
            progress=advance,
        )

    def run(self, source: ImportSource) -> Report:
        """Imports a source and tells what became of it."""
        total = source.prepare()
        if not self.quiet:
            for remark in source.remarks:
                click.echo(f"{source.label}: {remark}")
        if self.options["dry_run"] and not self.quiet:
            self._print(RecordOutcome("action", "kind", "name", "where", ["details"]))
        with progress(f"Importing {source.label}", total, quiet=self.quiet or self.options["dry_run"]) as advance:
            importer = self.importer(source, advance)
            try:
                report = importer.run(source)
            finally:
                self.write_report(importer.report)
        if not self.quiet:
            for remark in report.remarks[len(source.remarks) :]:
                click.echo(remark)
        return report

    def finish(self, report: Report) -> None:
        """Tells the counts and what was left out, and ends the command."""
        if not self.quiet:
            for sentence in report.sentences():
                click.echo(("would be " if self.options["dry_run"] else "") + sentence)
        outcomes = [] if self.options["dry_run"] and not self.quiet else report.remarkable
        for outcome in outcomes[:MOST_LISTED]:
            where = f" ({outcome.where})" if outcome.where else ""
            click.echo(
                f"{outcome.action}: {outcome.kind} {outcome.name}{where}: {'; '.join(outcome.details)}", err=True
            )
        left = len(outcomes) - MOST_LISTED + report.omitted
        if left > 0:
            click.echo(f"and {left} more; --report FILE has them all", err=True)
        if not report.is_complete:
            sys.exit(INCOMPLETE)

    def write_report(self, report: Report) -> None:
        path = self.options.get("report")
        if path is None:
            return
        try:
            path.write_bytes(msgspec.json.format(msgspec.json.encode(report.as_json()), indent=1) + b"\n")
        except OSError as error:
            raise SourceError(
                "the report {path} cannot be written: {reason}", path=path, reason=error.strerror
            ) from None

    def client(self) -> WebClient:
        login = str(self.options.get("login") or "")
        password = _password(login, self.options.get("password_file")) if login else ""
        return WebClient(login, password, allow_private=bool(self.options["allow_private"]), warn=_warn)

    def _print(self, outcome: RecordOutcome) -> None:
        """A row of the table of a dry run."""
        if outcome.action != UNCHANGED:
            details = "; ".join([*outcome.details, *outcome.understood])
            name = outcome.name if len(outcome.name) <= 40 else f"{outcome.name[:39]}…"
            click.echo(f"{outcome.action:<9} {outcome.kind:<9} {name:<40} {outcome.where:<20} {details}".rstrip())


OPTION_NAMES = [option.name for option in click.command()(with_options(*COMMON, *CREDENTIALS)(lambda: None)).params]


def _warn(warning: str) -> None:
    click.echo(f"Warning: {warning}", err=True)


def import_caller(calendar: Calendar, name: str | None) -> Caller:
    if name is None:
        return administrator(calendar)
    with calendar.store.read() as session:
        found = stored_users.find_user_by_name(session, name)
    if found is None:
        raise BadUser(f"there is no user {name}")
    role = Role[found.role.upper()]
    if role < Role.EDITOR:
        raise BadUser(f"{name} is {found.role}, and an import needs an editor or an administrator")
    return Caller(found.id, found.name, role)


def _password(login: str, file: Path | None) -> str:
    if file is not None:
        return file.read_text(encoding="utf-8").strip()
    if IMPORT_PASSWORD in os.environ:
        return os.environ[IMPORT_PASSWORD]
    if not sys.stdin.isatty():
        raise SourceError(
            "there is no password for {user}: set {name}, or use --password-file", user=login, name=IMPORT_PASSWORD
        )
    return str(click.prompt(f"Password of {login}", hide_input=True))
