"""The values of the settings of mail."""

import pytest
from tests.settings.test_settings import from_environment

from kalends.features.mail.mail_server import MailServer
from kalends.settings import TABLE, SettingError


@pytest.mark.parametrize(
    ("key", "written", "value"),
    [
        ("mail_server", "smtp://localhost:25", MailServer("localhost", 25)),
        ("mail_from", "Town, Hall <events@example.org>", "Town, Hall <events@example.org>"),
        ("mail_reply_to", "", ""),
    ],
)
def test_accepted(key: str, written: str, value: object) -> None:
    assert getattr(from_environment(**{key: written}), key) == value


@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("mail_server", "localhost"),
        ("mail_server", "smtp://anna@localhost"),
        ("mail_from", "nobody"),
        ("mail_from", "A\nB <events@example.org>"),
        ("mail_reply_to", "events@example.org, others@example.org"),
    ],
)
def test_an_error_is_one_line_that_names_the_source_and_what_is_accepted(key: str, written: str) -> None:
    with pytest.raises(SettingError) as caught:
        from_environment(**{key: written})
    message = str(caught.value)
    assert message.startswith(f"the environment variable {TABLE[key].variable} ")
    assert message.endswith(f"accepted: {TABLE[key].kind.accepts}")
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize("written", ["mailer:s3cret", "smtp//mailer:s3cret@host", "mailer s3cret"])
def test_a_server_that_cannot_be_read_and_may_have_a_password_is_not_repeated(written: str) -> None:
    with pytest.raises(SettingError, match=r"has a value that cannot be used: .*accepted:") as caught:
        from_environment(mail_server=written)
    assert "s3cr" not in str(caught.value)
