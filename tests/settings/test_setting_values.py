"""The values of every setting: its default, and what it accepts."""

from dataclasses import fields
from ipaddress import ip_network
from pathlib import Path

import pytest

from kalends.feature import declared
from kalends.settings import TABLE, SettingError, Settings, load

MEGABYTE = 1024 * 1024

DEFAULTS = {
    "data": Path("data"),
    "database": "",
    "database_replica": (),
    "database_connections": 16,
    "database_timeout": 5.0,
    "media": "",
    "media_endpoint": "",
    "media_region": "",
    "base_url": "",
    "api_root": "/api",
    "compat": True,
    "site_name": "Kalends",
    "site_description": "",
    "timezone": "UTC",
    "currency_symbol": "$",
    "currency_code": "",
    "currency_position": "prefix",
    "country": "",
    "week_start": "auto",
    "hour_format": "auto",
    "logo": "",
    "accent_color": "",
    "typeface": "serif",
    "header_links": "",
    "footer_text": "",
    "legal_links": "",
    "home_view": "month",
    "quick_choices": "today, weekend, week, free, online",
    "custom_css": "",
    "map_tiles": "",
    "map_attribution": "",
    "submissions": False,
    "submission_question": "",
    "submission_answer": "",
    "history_days": 365,
    "changes_days": 90,
    "fetch_private": False,
    "secret_key": "",
    "security_contact": (),
    "recurrence_months": 24,
    "max_per_page": 100,
    "max_body": 10 * MEGABYTE,
    "max_image": 25 * MEGABYTE,
    "image_timeout": 10.0,
    "geoloc_radius": 40.0,
    "trusted_proxies": (),
    "language": "en",
    "cache_age": 10,
    "cache_size": 32 * 1024**2,
    "cors": True,
    "rate_limit": 0,
    "metrics": (),
    "log_format": "text",
    "log_requests": False,
    "admin_password": "",
}

GOOD = [
    ("database", "", ""),
    ("database", "sqlite:///other.db", "sqlite:///other.db"),
    ("database", "sqlite:////srv/kalends/events.db", "sqlite:////srv/kalends/events.db"),
    ("database", "postgres://localhost/events", "postgresql://localhost/events"),
    (
        "database",
        "postgresql://k:pw@one,two:5433/events?sslmode=require",
        "postgresql://k:pw@one,two:5433/events?sslmode=require",
    ),
    ("database_replica", "postgresql://one/e  postgres://two/e", ("postgresql://one/e", "postgresql://two/e")),
    ("media", "", ""),
    ("media", "s3://town", "s3://town"),
    ("media", "s3://town.example.org/calendar/images", "s3://town.example.org/calendar/images"),
    ("media_endpoint", "http://127.0.0.1:9000", "http://127.0.0.1:9000"),
    ("media_region", "eu-central-1", "eu-central-1"),
    ("base_url", "", ""),
    ("base_url", "https://events.example.org", "https://events.example.org"),
    ("base_url", "http://localhost:8000/town/calendar", "http://localhost:8000/town/calendar"),
    ("base_url", "http://[::1]:8000", "http://[::1]:8000"),
    ("api_root", "/rest/v2", "/rest/v2"),
    ("api_root", "/.well-known", "/.well-known"),
    ("compat", "false", False),
    ("compat", "No", False),
    ("cors", "on", True),
    ("cors", "0", False),
    ("site_name", "  Stadt Köln · 東京  ", "Stadt Köln · 東京"),
    ("site_description", "What happens, and when", "What happens, and when"),
    ("timezone", "Europe/Berlin", "Europe/Berlin"),
    ("timezone", "europe/berlin", "Europe/Berlin"),
    ("timezone", "UTC+2", "UTC+2"),
    ("currency_symbol", "€", "€"),
    ("currency_symbol", "", ""),
    ("currency_code", "eur", "EUR"),
    ("currency_position", "postfix", "postfix"),
    ("country", "ie", "IE"),
    ("week_start", "Sunday", "sunday"),
    ("hour_format", "24", "24"),
    ("max_per_page", "1", 1),
    ("max_per_page", "1000", 1000),
    ("max_body", "2048", 2048),
    ("max_body", "512K", 512 * 1024),
    ("max_body", "10MB", 10 * MEGABYTE),
    ("max_body", "10 mb", 10 * MEGABYTE),
    ("max_image", "3MiB", 3 * MEGABYTE),
    ("max_image", "1g", 1024 * MEGABYTE),
    ("image_timeout", "2.5", 2.5),
    ("geoloc_radius", "0.5", 0.5),
    ("trusted_proxies", "", ()),
    ("trusted_proxies", "127.0.0.1, 10.0.0.0/8,", (ip_network("127.0.0.1"), ip_network("10.0.0.0/8"))),
    ("trusted_proxies", "2001:db8::/32", (ip_network("2001:db8::/32"),)),
    ("language", "pt_BR", "pt_BR"),
    ("language", "pt-br", "pt_BR"),
    ("cache_age", "0", 0),
    ("rate_limit", "600", 600),
    ("metrics", "::1, 10.0.0.7", (ip_network("::1"), ip_network("10.0.0.7"))),
    ("log_format", "JSON", "json"),
    ("log_requests", "yes", True),
    ("admin_password", "", ""),
    ("admin_password", " spaces stay ", " spaces stay "),
]

BAD = [
    ("data", ""),
    ("database", "kalends.db"),
    ("database", "sqlite:///"),
    ("database", "sqlite:///folder/"),
    ("database", "sqlite:///:memory:"),
    ("database", "mysql://localhost/events"),
    ("database", "postgresql://localhost"),
    ("database", "postgresql://localhost/a/b"),
    ("database_replica", "sqlite:///copy.db"),
    ("database_replica", "postgresql://one/events,postgresql://two/events"),
    ("database_connections", "0"),
    ("database_timeout", "0"),
    ("media", "/srv/images"),
    ("media", "s3://"),
    ("media", "s3://Town"),
    ("media", "s3://town/"),
    ("media", "s3://town//images"),
    ("media", "s3://town/../images"),
    ("media", "https://town.example.org"),
    ("media_endpoint", "127.0.0.1:9000"),
    ("media_endpoint", "https://key:secret@bucket.example.org"),
    ("media_region", "Frankfurt am Main"),
    ("base_url", "events.example.org"),
    ("base_url", "ftp://events.example.org"),
    ("base_url", "https://events.example.org/"),
    ("base_url", "https://events.example.org/?a=b"),
    ("base_url", "https://events.example.org:port"),
    ("base_url", "https://events.example.org:70000"),
    ("base_url", "https://"),
    ("base_url", "http://[::1"),
    ("api_root", ""),
    ("api_root", "/"),
    ("api_root", "api"),
    ("api_root", "/api/"),
    ("api_root", "/a//b"),
    ("api_root", "/a/../b"),
    ("api_root", "/{id}"),
    ("compat", "perhaps"),
    ("cors", ""),
    ("site_name", ""),
    ("site_name", "   "),
    ("site_name", "two\nlines"),
    ("site_name", "broken \udce4"),
    ("site_name", "x" * 201),
    ("timezone", ""),
    ("timezone", "Mars/Olympus"),
    ("timezone", "../../etc/passwd"),
    ("currency_symbol", "4u"),
    ("currency_symbol", "much too long"),
    ("currency_code", "DOLLAR"),
    ("currency_position", "above"),
    ("country", "Ireland"),
    ("week_start", "friday"),
    ("hour_format", "23"),
    ("max_per_page", "0"),
    ("max_per_page", "1001"),
    ("max_per_page", "-5"),
    ("max_per_page", "1e2"),
    ("max_per_page", "٣"),
    ("max_per_page", "9" * 5000),
    ("max_per_page", ""),
    ("max_body", "ten"),
    ("max_body", "10TB"),
    ("max_body", "1.5MB"),
    ("max_body", "100"),
    ("max_body", "2G"),
    ("image_timeout", "0"),
    ("image_timeout", "nan"),
    ("geoloc_radius", "inf"),
    ("geoloc_radius", "-1"),
    ("trusted_proxies", "localhost"),
    ("trusted_proxies", "10.0.0.1/8"),
    ("trusted_proxies", "10.0.0.0/40"),
    ("language", "tlh"),
    ("cache_age", "1 minute"),
    ("rate_limit", "many"),
    ("admin_password", "short"),
]


def from_environment(**settings: str) -> Settings:
    # A folder that does not exist: no kalends.toml is read.
    environ = {TABLE[key].variable: written for key, written in settings.items()}
    return load(None, {"data": "/nonexistent"} if "data" not in settings else {}, environ)


def test_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load(None, {}, {})
    core = TABLE.keys() - {field.name for added in declared("settings") for field in fields(added)}
    assert {key: getattr(settings, key) for key in core} == DEFAULTS


@pytest.mark.parametrize(("key", "written", "value"), GOOD)
def test_accepted(key: str, written: str, value: object) -> None:
    assert getattr(from_environment(**{key: written}), key) == value


@pytest.mark.parametrize(("key", "written"), BAD)
def test_an_error_is_one_line_that_names_the_source_and_what_is_accepted(key: str, written: str) -> None:
    with pytest.raises(SettingError) as caught:
        from_environment(**{key: written})
    message = str(caught.value)
    assert message.startswith(f"the environment variable {TABLE[key].variable} ")
    assert message.endswith(f"accepted: {TABLE[key].kind.accepts}")
    assert len(message.splitlines()) == 1
    assert len(message) < 300
