"""`kalends token`: credentials for programs."""

import click

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import credentials
from kalends.calendar.accounts.account_rules import BadUser
from kalends.calendar.accounts.credentials import APPLICATION, BEARER
from kalends.cli.opening import existing_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.cli.user import find_user
from kalends.contract.errors import ApiError
from kalends.values import dates


@click.group()
def token() -> None:
    """Credentials for programs."""


@token.command()
@click.argument("name")
@click.option("--label", default="command line", show_default=True, help="What the token is for.")
@click.option("--expires", metavar="DATE", help="When it expires, such as 2027-12-31 or '+90 days'.")
@click.option("--read-only", is_flag=True, help="A token that may only read.")
@click.option("--application", is_flag=True, help="A password to log in with as NAME, instead of a token.")
@with_settings
def add(
    name: str, label: str, expires: str | None, read_only: bool, application: bool, **overrides: str | None
) -> None:
    """Create a token for the user NAME and print it. It is shown only once."""
    calendar = existing_calendar(settings_from(overrides))
    now = calendar.clock()
    try:
        ends = None if expires is None else dates.read(expires).utc(calendar.revision().settings.timezone, now)
    except dates.NotADate:
        raise BadUser("{date} is not a date", date=repr(expires)) from None
    if ends is not None and ends <= now:
        raise BadUser("a token must end in the future")
    with calendar.writing(SERVICE) as work:
        clear, _ = credentials.add_token(
            work,
            find_user(work, name),
            label,
            purpose=APPLICATION if application else BEARER,
            read_only=read_only,
            expires=ends,
        )
    click.echo(clear)


@token.command("list")
@click.argument("name")
@with_settings
def list_tokens(name: str, **overrides: str | None) -> None:
    """List the tokens of NAME: id, label, kind, rights, expiry and last use."""
    calendar = existing_calendar(settings_from(overrides))
    with calendar.reading_latest(SERVICE) as work:
        for found in credentials.tokens_of(work, find_user(work, name)):
            rights = "read only" if found.read_only else "read and write"
            ends = f"until {found.expires_utc}" if found.expires_utc else "without end"
            used = f"used {found.used_utc}" if found.used_utc else "never used"
            click.echo("\t".join((str(found.id), found.name, found.purpose, rights, ends, used)))


@token.command()
@click.argument("name")
@click.argument("id", type=int)
@with_settings
def revoke(name: str, id: int, **overrides: str | None) -> None:
    """Revoke the token ID of the user NAME. It stops working at once."""
    calendar = existing_calendar(settings_from(overrides))
    with calendar.writing(SERVICE) as work:
        try:
            found = credentials.revoke_token(work, find_user(work, name), id)
        except ApiError:
            raise BadUser("{name} has no token {id}", name=repr(name), id=id) from None
    click.echo(f"Revoked {found.name} ({id}).")
