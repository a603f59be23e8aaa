"""`kalends mail`: whether the mail server takes messages."""

import secrets

import click

from kalends.bootstrap import media_files, system_clock
from kalends.calendar.revisions import StoredSettings
from kalends.cli.opening import existing_store
from kalends.cli.options import settings_from, with_settings
from kalends.features.mail import login, messages
from kalends.features.mail.letters import rendering, to_accounts
from kalends.features.mail.messages import Envelope
from kalends.features.mail.settings import MailSettings
from kalends.features.mail.smtp import MailConnection, NotSent
from kalends.settings import SettingError
from kalends.user_error import UserError
from kalends.values import mail_addresses


class MailError(UserError):
    """What went wrong, in the words of the mail server."""


@click.group()
def mail() -> None:
    """Mail."""


@mail.command()
@click.argument("address")
@with_settings
def test(address: str, **overrides: str | None) -> None:
    """Send a message to ADDRESS at once, and tell what the mail server said."""
    given = settings_from(overrides)
    try:
        recipient = mail_addresses.checked(address, also_local=True)
    except mail_addresses.NotAnAddress:
        raise MailError("this is not an address of mail") from None
    with existing_store(given).read() as session:
        settings = StoredSettings(given).read(session)
    server = settings.of(MailSettings).mail_server
    if server is None:
        raise SettingError("no mail server is set up: the setting mail_server names one")
    letter = rendering.write(to_accounts.test.name, {}, settings.language, settings, media_files(settings))
    sender = messages.sender_of(settings)
    message_id = f"<{secrets.token_hex(16)}@{messages.host_of(settings)}>"
    envelope = Envelope(recipient, sender, messages.reply_to_of(settings), message_id, system_clock())
    try:
        with MailConnection(login.opened(server, settings)) as connection:
            answer = connection.send(messages.build(letter, envelope), sender.address, recipient)
    except NotSent as failure:
        raise MailError(str(failure)) from None
    click.echo(f"{server} took the message to {recipient}: {answer}")
