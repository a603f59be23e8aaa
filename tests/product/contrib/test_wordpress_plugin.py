"""The plugin for WordPress: valid PHP, escaped output, checked settings, and redirects of old addresses alone."""

import json
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent.parent
PLUGIN = ROOT / "contrib" / "wordpress" / "kalends" / "kalends.php"
FUNCTIONS = Path(__file__).parent / "wordpress_functions.php"
PHP = shutil.which("php")
MOST_LINES = 300
ADDRESS = "https://calendar.test"
needs_php = pytest.mark.skipif(PHP is None, reason="there is no php here (scripts/system-packages php-cli)")


def call(function: str, *given: Any, **scenario: Any) -> dict[str, Any]:
    """Calls a function of the plugin; what it told WordPress, and its output."""
    options = {"kalends_settings": {"address": ADDRESS, "redirects": 1}}
    sent = {"call": function, "given": given, "options": options} | scenario
    done = subprocess.run(
        [str(PHP), "-d", "display_errors=1", "-d", "error_reporting=E_ALL", str(FUNCTIONS), str(PLUGIN)],
        input=json.dumps(sent),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    printed, _, told = done.stdout.rpartition("\n")
    assert not printed.strip(), printed
    found: dict[str, Any] = json.loads(told)
    return found


def test_it_is_short_and_free() -> None:
    text = PLUGIN.read_text()
    assert len(text.splitlines()) <= MOST_LINES
    assert "License: GPL-2.0-or-later" in text


def test_it_is_not_in_the_wheel() -> None:
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    assert packages["find"]["where"] == ["src"]
    assert not PLUGIN.is_relative_to(ROOT / "src")


@needs_php
def test_it_is_valid_php() -> None:
    done = subprocess.run([str(PHP), "-l", str(PLUGIN)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@needs_php
def test_what_it_registers() -> None:
    told = call("kalends_register")
    assert told["shortcodes"] == ["tribe_events", "tribe_events_list", "kalends"]
    assert told["blocks"] == ["kalends_render_block"]
    assert told["actions"] == ["admin_init", "admin_menu", "init", "template_redirect"]
    told = call("kalends_register", shortcodes=["tribe_events", "tribe_events_list"])
    assert told["shortcodes"] == ["kalends"], "the other plugin is still active"
    assert call("kalends_register_settings")["settings"] == ["kalends_sanitize"]
    assert call("kalends_add_page")["pages"] == ["manage_options"]


@needs_php
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, 'view="month"'),
        ({"view": "photo"}, 'view="list"'),
        ({"view": "week"}, 'view="week"'),
        ({"category": "music, jazz"}, 'view="month" category="music,jazz"'),
        ({"tag": "free", "events_per_page": "5"}, 'view="month" tag="free" limit="5"'),
        ({"events_per_page": "100000"}, 'view="month" limit="100"'),
        ({"tribe-bar": "false", "view": "list"}, 'view="list" views="none"'),
        ({"filter-bar": "true"}, 'view="month" filters'),
        ({"date": '2027-01"><script>'}, 'view="month"'),
        ({"category": '"><script>alert(1)</script>'}, 'view="month" category="script-alert-1-script"'),
        ({"keyword": '" onload="x'}, 'view="month" search="&quot; onload=&quot;x"'),
        ({"events_per_page": "-1 or 1=1", "unknown": "x"}, 'view="month" limit="1"'),
    ],
)  # fmt: skip
def test_a_shortcode_is_the_element(given: dict[str, str], expected: str) -> None:
    told = call("kalends_shortcode", given)
    link = f'<a href="{ADDRESS}/events/">Calendar of events</a>'
    assert told["output"] == f'<kalends-calendar src="{ADDRESS}" {expected}>{link}</kalends-calendar>'
    assert told["enqueued"] == [f"{ADDRESS}/embed.js"]


@needs_php
def test_the_list_and_the_block() -> None:
    listed = call("kalends_list_shortcode", {"limit": "3", "category": "music"})["output"]
    assert f'src="{ADDRESS}" view="list" views="none" category="music" limit="3"' in listed
    block = call("kalends_render_block", {"view": "list", "perPage": 7, "hideBar": True})["output"]
    assert 'view="list" views="none" limit="7"' in block
    assert 'view="month"' in call("kalends_shortcode", "")["output"], "WordPress sends a text where there are none"


@needs_php
def test_without_an_address_only_the_owner_is_told() -> None:
    assert call("kalends_shortcode", {}, options={})["output"] == ""
    told = call("kalends_shortcode", {}, options={}, may=True)
    assert "Settings" in told["output"]
    assert "enqueued" not in told


@needs_php
def test_the_settings_page_is_for_those_who_manage_the_site() -> None:
    assert call("kalends_show_page")["output"] == ""
    evil = {"kalends_settings": {"address": '"><script>alert(1)</script>', "redirects": 1}}
    page = call("kalends_show_page", may=True, options=evil)["output"]
    assert "_wpnonce" in page
    assert 'action="options.php"' in page
    assert "<script>" not in page


@needs_php
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({"address": " https://new.test/ ", "redirects": "1"}, {"address": "https://new.test", "redirects": 1}),
        ({"address": ""}, {"address": "", "redirects": 0}),
        ({"address": "javascript:alert(1)"}, {"address": ADDRESS, "redirects": 0}),
        ({"address": "https://user:pass@new.test"}, {"address": ADDRESS, "redirects": 0}),
        ({"address": "https://new.test/?x=1"}, {"address": ADDRESS, "redirects": 0}),
        ({"address": ["https://new.test"]}, {"address": "", "redirects": 0}),
        ("nonsense", {"address": "", "redirects": 0}),
    ],
)  # fmt: skip
def test_settings_are_checked(sent: Any, kept: dict[str, Any]) -> None:
    told = call("kalends_sanitize", sent)
    assert told["output"] == kept
    assert bool(told.get("errors")) == (kept["address"] == ADDRESS)


@needs_php
@pytest.mark.parametrize(
    ("uri", "target"),
    [
        ("/event/jazz-jam/", "/event/jazz-jam/"),
        ("/event/jazz-jam/2027-01-15/?ical=1", "/event/jazz-jam/2027-01-15/?ical=1"),
        ("/events/category/music/?tribe_eventcategory[]=5", "/events/category/music/?tribe_eventcategory[]=5"),
        ("/venue/hall/", "/venue/hall/"),
        ("/series/club/", "/series/club/"),
        ("/?post_type=tribe_events&p=12", "/?post_type=tribe_events&p=12"),
        ("/?tribe_events=jazz-jam", "/?tribe_events=jazz-jam"),
        ("/", ""),
        ("/?p=12", ""),
        ("/eventful/", ""),
        ("/about/event/x/", ""),
        ("/event/../wp-admin/", ""),
        ("//evil.test/event/x/", ""),
    ],
)  # fmt: skip
def test_old_addresses_lead_to_the_calendar_and_nothing_else(uri: str, target: str) -> None:
    redirects = call("kalends_redirect", uri=uri).get("redirects")
    assert redirects == ([[ADDRESS + target, 301]] if target else None)


@needs_php
def test_what_stays_on_the_site() -> None:
    uri = "/event/jazz-jam/"
    assert "redirects" not in call("kalends_redirect", uri=uri, missing=False), "it has such a page"
    assert "redirects" not in call("kalends_redirect", uri=uri, method="POST")
    assert "redirects" not in call("kalends_redirect", uri=uri, options={"kalends_settings": {"address": ADDRESS}})
    assert "redirects" not in call("kalends_redirect", uri=uri, home=ADDRESS), "it would lead to itself"
    below = call("kalends_redirect", uri="/blog/event/jazz-jam/", home="https://site.test/blog")
    assert below["redirects"] == [[f"{ADDRESS}/event/jazz-jam/", 301]]
