"""Settings: which source wins, earlier names, what an error says, and what is never shown."""

import traceback
from ipaddress import ip_network
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kalends.cli.options import settings_from, with_settings
from kalends.settings import RENAMED, TABLE, SettingError, Settings, load

MEGABYTE = 1024 * 1024


def from_environment(**settings: str) -> Settings:
    # A folder that does not exist: no kalends.toml is read.
    environ = {TABLE[key].variable: written for key, written in settings.items()}
    return load(None, {"data": "/nonexistent"} if "data" not in settings else {}, environ)


def from_file(folder: Path, content: str) -> Settings:
    (folder / "kalends.toml").write_text(content, encoding="utf-8")
    return load(folder, {}, {})


def error_of_file(folder: Path, content: str) -> str:
    with pytest.raises(SettingError) as caught:
        from_file(folder, content)
    return str(caught.value)


def test_an_error_quotes_what_was_written() -> None:
    with pytest.raises(SettingError, match="KALENDS_MAX_PER_PAGE says 'lots': accepted: a whole number from 1"):
        from_environment(max_per_page="lots")


@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("database", "postgresql://kalends:s3cr/et@db/events"),
        ("database", "postgresql://db/events/?password=s3cret&x=1"),
        ("database_replica", "kalends:s3cret"),
    ],
)
def test_what_cannot_be_read_and_may_have_a_password_is_not_repeated(key: str, written: str) -> None:
    with pytest.raises(SettingError, match=r"has a value that cannot be used: .*accepted:") as caught:
        from_environment(**{key: written})
    assert "s3cr" not in str(caught.value)


def test_the_password_of_a_database_is_never_shown() -> None:
    usable = "postgresql://kalends:s3cret@db/events"
    assert "s3cret" not in repr(from_environment(database=usable, database_replica=usable))


@pytest.mark.parametrize(
    ("database", "path"),
    [
        ("", "/srv/k/kalends.db"),
        ("sqlite:///other.db", "/srv/k/other.db"),
        ("sqlite:////var/e.db", "/var/e.db"),
    ],
)
def test_the_database_file_is_found_from_the_data_folder(database: str, path: str) -> None:
    assert load(Path("/srv/k"), {"database": database}, {}).database_path == Path(path)


def test_command_line_over_environment_over_file_over_default(tmp_path: Path) -> None:
    (tmp_path / "kalends.toml").write_text('site_name = "file"\nlanguage = "fr"\ncurrency_code = "CHF"\n')
    environ = {"KALENDS_SITE_NAME": "environment", "KALENDS_LANGUAGE": "it", "PATH": "/bin"}
    settings = load(tmp_path, {"site_name": "option", "language": None}, environ)
    assert settings.site_name == "option"
    assert settings.language == "it"
    assert settings.currency_code == "CHF"
    assert settings.home_view == "month"


def test_the_data_folder_of_the_command_line_wins_and_its_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "kalends.toml").write_text('site_name = "Here"\n')
    settings = load(tmp_path, {}, {"KALENDS_DATA": "/elsewhere"})
    assert settings.data == tmp_path
    assert settings.site_name == "Here"


def test_the_data_folder_of_the_environment_has_its_file_read(tmp_path: Path) -> None:
    (tmp_path / "kalends.toml").write_text('site_name = "Here"\n')
    assert load(None, {}, {"KALENDS_DATA": str(tmp_path)}).site_name == "Here"


def test_a_home_folder_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert from_environment(data="~/calendar").data == Path("/home/ada/calendar")


def test_a_wrong_value_is_an_error_even_where_another_source_wins() -> None:
    with pytest.raises(SettingError, match="KALENDS_LANGUAGE"):
        load(Path("/nonexistent"), {"language": "de"}, {"KALENDS_LANGUAGE": "tlh"})


def test_the_file_may_use_the_types_of_toml(tmp_path: Path) -> None:
    settings = from_file(
        tmp_path,
        "\ufeffcors = false\nmax_per_page = 50\ngeoloc_radius = 2.5\n"
        'trusted_proxies = ["127.0.0.1", "::1"]\nmax_body = "1MB"\n',
    )
    assert settings.cors is False
    assert settings.max_per_page == 50
    assert settings.geoloc_radius == 2.5
    assert settings.trusted_proxies == (ip_network("127.0.0.1"), ip_network("::1"))
    assert settings.max_body == MEGABYTE


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("max_per_page = 0", "the key max_per_page in {file} says '0': accepted: a whole number"),
        ("max_per_page = 1.5", "the key max_per_page in {file} says '1.5'"),
        ("max_per_page = [1]", "the key max_per_page in {file} says '[1]'"),
        ("trusted_proxies = [1]", "the key trusted_proxies in {file} says '[1]'"),
        ("language = 2026-01-01", "the key language in {file} says '2026-01-01'"),
        ("[cors]\nopen = true", "the key cors in {file} says"),
        ("max_perpage = 5", "the key 'max_perpage' in {file} is no setting: did you mean max_per_page?"),
        ("MAX_BODY = 5", "the key 'MAX_BODY' in {file} is no setting: did you mean max_body?"),
        ("qqqq = 5", "the key 'qqqq' in {file} is no setting: docs/settings.md lists them all"),
        ('data = "/x"', "the key data in {file} cannot be used: the file is itself found in the data folder"),
        ("site_name = ", "{file} cannot be used: it is not TOML: Invalid value (at "),
        ("a = " + "9" * 5000, "{file} cannot be used: it is not TOML"),
    ],
)
def test_a_wrong_file_is_an_error_in_one_line(tmp_path: Path, content: str, says: str) -> None:
    message = error_of_file(tmp_path, content)
    assert message.startswith(says.format(file=tmp_path / "kalends.toml"))
    assert len(message.splitlines()) == 1


def test_a_file_that_is_not_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "kalends.toml").write_bytes(b'site_name = "K\xf6ln"')
    with pytest.raises(SettingError, match=r"kalends\.toml cannot be used: it is not UTF-8 text"):
        load(tmp_path, {}, {})


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "kalends.toml").mkdir()
    with pytest.raises(SettingError, match="it cannot be read"):
        load(tmp_path, {}, {})


def test_a_data_folder_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(SettingError, match="its folder is a file"):
        load(tmp_path / "data", {}, {})


def test_variables_of_the_commands_are_no_settings() -> None:
    load(Path("/nonexistent"), {}, {"KALENDS_IMPORT_PASSWORD": "secret", "KALENDS_SOURCE_PASSWORD": "secret"})


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("KALENDS_TIMEZON", "did you mean KALENDS_TIMEZONE?"),
        ("KALENDS_base_url", "did you mean KALENDS_BASE_URL?"),
        ("KALENDS_ZZZZ", "docs/settings.md lists them all"),
    ],
)
def test_an_unknown_variable_is_an_error_with_the_closest_name(name: str, hint: str) -> None:
    with pytest.raises(SettingError) as caught:
        load(Path("/nonexistent"), {}, {name: "hidden value"})
    assert str(caught.value) == f"the environment variable {name!r} is no setting: {hint}"


def test_an_unknown_option_is_an_error_with_the_closest_name() -> None:
    with pytest.raises(SettingError, match=r"did you mean --site-name\?"):
        load(Path("/nonexistent"), {"site-nme": "x"}, {})


def test_variables_of_other_programs_are_left_alone() -> None:
    assert load(Path("/nonexistent"), {}, {"KALENDSX": "1", "LANGUAGE": "tlh"}).language == "en"


def test_a_secret_is_kept_and_never_shown() -> None:
    settings = from_environment(admin_password="correct horse")
    assert settings.admin_password == "correct horse"
    assert "correct horse" not in f"{settings!r} {settings}"


@pytest.mark.parametrize("secret", ["hunter2", "broken \udce4 hunter2", "hunter2" * 200])
def test_a_bad_secret_is_in_no_message_and_no_traceback(secret: str) -> None:
    with pytest.raises(SettingError) as caught:
        from_environment(admin_password=secret)
    # What Python would print, without the lines of this file.
    printed = "".join(traceback.format_exception_only(caught.value))
    assert "KALENDS_ADMIN_PASSWORD has a value that cannot be used" in printed
    assert "hunter2" not in printed
    assert caught.value.__context__ is None


def test_a_secret_of_the_wrong_type_in_the_file_is_not_shown(tmp_path: Path) -> None:
    assert "hunter2" not in error_of_file(tmp_path, 'admin_password = ["hunter2"]')


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(AttributeError):
        from_environment().cors = False  # type: ignore[misc]


def test_earlier_names_stand_for_settings_of_today() -> None:
    assert not set(RENAMED) & set(TABLE)
    assert set(RENAMED.values()) <= set(TABLE)


def test_an_earlier_name_is_accepted_in_every_source_with_one_warning(tmp_path: Path) -> None:
    warnings: list[str] = []
    file = tmp_path / "kalends.toml"
    file.write_text("compat_namespace = false\n")
    assert load(tmp_path, {}, {}, warnings.append).compat is False
    file.unlink()
    assert load(tmp_path, {}, {"KALENDS_COMPAT_NAMESPACE": "false"}, warnings.append).compat is False
    assert load(tmp_path, {"compat_namespace": "false"}, {}, warnings.append).compat is False
    assert warnings == [
        f"the key compat_namespace in {file} has an earlier name; the setting is called compat now",
        "the environment variable KALENDS_COMPAT_NAMESPACE has an earlier name; the setting is called compat now",
        "the option --compat-namespace has an earlier name; the setting is called compat now",
    ]


def test_the_name_of_today_wins_over_an_earlier_one_in_the_same_source() -> None:
    environ = {"KALENDS_COMPAT_NAMESPACE": "true", "KALENDS_COMPAT": "false"}
    assert load(Path("/nonexistent"), {}, environ).compat is False
    assert load(Path("/nonexistent"), {"compat_namespace": "true"}, {"KALENDS_COMPAT": "false"}).compat is True


def test_a_bad_value_under_an_earlier_name_is_an_error_that_names_it() -> None:
    with pytest.raises(SettingError, match="KALENDS_COMPAT_NAMESPACE says 'perhaps': accepted: true or false"):
        load(Path("/nonexistent"), {}, {"KALENDS_COMPAT_NAMESPACE": "perhaps"})


def test_a_command_takes_an_earlier_option_and_warns_on_standard_error(tmp_path: Path) -> None:
    @click.command()
    @with_settings
    def command(**overrides: str | None) -> None:
        click.echo(settings_from(overrides).compat)

    run = CliRunner().invoke(command, ["--data", str(tmp_path), "--compat-namespace", "no"])
    assert run.stdout == "False\n"
    assert (
        run.stderr == "Warning: the option --compat-namespace has an earlier name; the setting is called compat now\n"
    )
    assert "--compat-namespace" not in CliRunner().invoke(command, ["--help"]).stdout


def test_the_help_of_a_command_is_short_and_says_where_the_settings_are() -> None:
    @click.command()
    @click.option("--own", help="An option of its own.")
    @with_settings
    def command(own: str, **overrides: str | None) -> None:
        raise AssertionError

    shown = CliRunner().invoke(command, ["--help"]).stdout
    assert [word for word in shown.split() if word.startswith("--")] == [
        *("--own", "--data", "--database", "--help-settings", "--help")
    ]
    listed = CliRunner().invoke(command, ["--help-settings"])
    assert listed.exit_code == 0
    assert [
        row.option for row in TABLE.values() if not row.secret and f"{row.option} VALUE" not in listed.stdout
    ] == []
    assert [row.option for row in TABLE.values() if row.secret and row.option in listed.stdout] == []
