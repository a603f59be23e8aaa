"""Settings of the site in the store: what counts, where, and from when on."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, NS, World

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists import joined_fragments
from kalends.contract.kinds import EVENT
from kalends.http.cache.prerender_worker import PrerenderWorker
from kalends.settings import load

SETTINGS = "/admin/settings/calendar"


@pytest.fixture
def plain(make_world: Any) -> World:
    """A calendar for which the server's own settings say nothing."""
    found: World = make_world(timezone=None, site_name=None)
    return found


def save(world: World, **values: str) -> None:
    AdminClient(world, "administrator").post(SETTINGS, values)


@pytest.mark.both_stores
def test_a_change_counts_at_once_on_every_node(plain: World) -> None:
    neighbour = plain.neighbour()
    for client in (plain.client, neighbour):
        assert "<bdi>Kalends</bdi>" in client.get(f"{BASE_URL}/events/").text
    save(plain, site_name="Town & Hall", site_description="What is on", language="de")
    for client in (neighbour, plain.client):
        page = client.get(f"{BASE_URL}/events/")
        assert "<bdi>Town &amp; Hall</bdi>" in page.text
        assert page.headers["Content-Language"] == "de"
        assert client.get(f"{BASE_URL}/api/").json()["description"] == "What is on"
        assert "Town &amp; Hall" in client.get(f"{BASE_URL}/events.rss").text
    asked = neighbour.get(f"{BASE_URL}/events/", headers={"Accept-Language": "en"})
    assert asked.headers["Content-Language"] == "en"


@pytest.mark.both_stores
def test_another_zone_and_currency_show_in_every_record(plain: World) -> None:
    """Prerendered records are of the old zone then: they must not be sent, and are rendered again."""
    made = plain.make("events", cost="10", date="2026-01-01 12:00:00", status="publish")
    path = f"{NS}/events/{made['id']}"
    neighbour = plain.neighbour()
    assert neighbour.get(path).json()["cost"] == "$10"
    save(plain, timezone="Asia/Tokyo", currency_symbol="¥", currency_position="prefix")
    for client in (neighbour, plain.client):
        shown = client.get(path).json()
        assert (shown["date"], shown["date_utc"]) == ("2026-01-01 21:00:00", "2026-01-01 12:00:00")
        assert shown["cost"] == "¥10"
        listed = client.get(f"{NS}/events/?include={made['id']}").json()["events"][0]
        assert (listed["date"], listed["cost"]) == (shown["date"], shown["cost"])
    worker = PrerenderWorker(plain.calendar)
    worker.run()
    assert joined_fragments.read_record(plain.calendar, ANONYMOUS, EVENT, made["id"]) is not None
    plain.calendar.revision()
    save(plain, timezone="UTC")
    assert plain.client.get(path).json()["date"] == "2026-01-01 12:00:00"
    worker.run()
    assert joined_fragments.read_record(plain.calendar, ANONYMOUS, EVENT, made["id"]) is not None


@pytest.mark.both_stores
def test_new_events_are_in_the_new_zone_on_every_node(plain: World) -> None:
    """Also on one that has read nothing since."""
    neighbour = plain.neighbour()
    assert neighbour.get(f"{NS}/events").json()["events"] == []
    save(plain, timezone="Europe/Berlin")
    made = neighbour.post(
        f"{NS}/events",
        json={"title": "Fair", "start_date": "2027-01-01", "end_date": "2027-01-02"},
        headers={"Authorization": f"Bearer {plain.tokens['administrator']}"},
    )
    assert made.json()["timezone"] == "Europe/Berlin"
    assert plain.make("events")["timezone"] == "Europe/Berlin"


def test_what_the_server_says_wins_and_the_page_says_so(world: World) -> None:
    admin = AdminClient(world, "administrator")
    page = admin.get(SETTINGS).text
    assert "KALENDS_SITE_NAME" in page
    admin.post(SETTINGS, {"site_name": "Mine", "site_description": "Kept"})
    assert world.client.get(f"{BASE_URL}/api/").json()["name"] == "Test calendar"
    assert world.client.get(f"{BASE_URL}/api/").json()["description"] == "Kept"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("site_name", ""),
        ("site_name", "x" * 201),
        ("site_name", "two\nlines"),
        ("timezone", "Europe/Nowhere"),
        ("language", "tlh"),
        ("week_start", "friday"),
        ("hour_format", "13"),
        ("country", "Ireland"),
        ("currency_code", "EURO"),
        ("currency_symbol", "1€"),
        ("currency_position", "above"),
    ],
)
def test_bad_input_is_shown_again_with_a_sentence_and_changes_nothing(plain: World, key: str, value: str) -> None:
    admin = AdminClient(plain, "administrator")
    before = plain.count()
    page = admin.post(SETTINGS, {"site_description": "Typed", key: value}, status=400).text
    assert error_beside(page, key)
    assert 'value="Typed"' in page
    assert plain.count() == before


def test_a_stored_value_of_another_version_is_ignored(plain: World) -> None:
    with plain.calendar.store.write() as session:
        session.run(
            "INSERT INTO site (key, value) VALUES ('settings', ?)",
            ('{"timezone": "Mars/Olympus", "site_name": "Still", "unheard_of": "1"}',),
        )
    assert plain.neighbour().get(f"{BASE_URL}/api/").json()["name"] == "Still"


def test_texts_of_the_settings_are_never_markup(plain: World) -> None:
    save(plain, site_name="<script>alert(1)</script>", site_description='"><img src=x onerror=alert(1)>')
    admin = AdminClient(plain, "administrator")
    for path in ("/admin", SETTINGS, "/admin/set-up", "/admin/sign-in", "/events/"):
        page = admin.client.get(BASE_URL + path).text
        assert "<script>alert" not in page
        assert "<img src=x" not in page


class TestSetUp:
    def test_it_saves_the_facts_and_derives_how_prices_look(self, plain: World) -> None:
        admin = AdminClient(plain, "administrator")
        assert "Set up your calendar" in admin.get("/admin").text
        sent = {"site_name": "Town", "timezone": "Europe/Berlin", "language": "de", "currency_code": "EUR"}
        admin.client.headers["Accept-Language"] = "de"
        admin.post("/admin/set-up", sent)
        settings = plain.calendar.revision().settings
        assert (settings.currency_symbol, settings.currency_position) == ("€", "postfix")
        assert "/admin/set-up" not in admin.get("/admin").text

    def test_a_calendar_in_germany_has_euros_behind_the_number(self, plain: World) -> None:
        sent = {"site_name": "Town", "language": "de", "country": "DE", "currency_code": ""}
        AdminClient(plain, "administrator").post("/admin/set-up", sent)
        settings = plain.calendar.revision().settings
        assert settings.currency == ("€", "EUR", "postfix")
        made = plain.make("events", cost="12", title="Cinema", start_date="tomorrow 19:00")
        page = plain.client.get(f"{BASE_URL}/event/{made['slug']}/").text
        assert "12 €" in page.replace("\xa0", " ")

    def test_no_name_is_written_for_anybody(self, plain: World) -> None:
        admin = AdminClient(plain, "administrator")
        assert re.search(r'<input id="field-site_name"[^>]* value=""[^>]* required', admin.get("/admin/set-up").text)
        page = admin.post("/admin/set-up", {"site_name": "", "country": "IE"}, status=400).text
        assert error_beside(page, "site_name")
        save(plain, site_name="Mine")
        assert 'value="Mine"' in admin.get("/admin/set-up").text

    def test_the_language_of_the_browser_is_chosen_until_somebody_chooses_another(self, plain: World) -> None:
        admin = AdminClient(plain, "administrator")

        def chosen(accepted: str) -> list[str]:
            page = admin.get("/admin/set-up", headers={"Accept-Language": accepted}).text
            choices = re.search(r'<select id="field-language".*?</select>', page, re.DOTALL)[0]  # type: ignore[index]
            return re.findall(r'value="(\w+)" selected', choices)

        assert chosen("de-AT,de;q=0.9,en;q=0.5") == ["de"]
        assert chosen("pt") == ["pt_BR"]
        assert chosen("fi, sv;q=0.5") == ["en"]
        save(plain, language="fr")
        assert chosen("de") == ["fr"]

    def test_bad_input_is_refused(self, plain: World) -> None:
        page = AdminClient(plain, "administrator").post("/admin/set-up", {"timezone": "x"}, status=400).text
        assert error_beside(page, "timezone")


def test_the_first_day_of_the_week_and_the_clock_are_those_of_the_site(plain: World) -> None:
    plain.make("events", title="Tea", start_date="2026-11-16 16:30", end_date="2026-11-16 17:30")
    path = f"{BASE_URL}/events/month/2026-11/"
    usual = plain.client.get(path).text
    assert usual.index("Sunday") < usual.index("Monday")
    assert "4:30\u202fPM" in usual
    save(plain, week_start="monday", hour_format="24")
    chosen = plain.client.get(path).text
    assert chosen.index("Monday") < chosen.index("Sunday")
    assert "16:30" in chosen
    assert '"hourCycle":"h23"' in plain.client.get(f"{BASE_URL}/embed.js").text


MONEY = {"currency_code": "", "currency_symbol": "$", "currency_position": "prefix"}
EUROS = {"currency_code": "EUR", "currency_symbol": "€", "currency_position": "postfix"}
DOLLARS = {"currency_code": "USD", "currency_symbol": "$", "currency_position": "prefix"}
BEHIND = DOLLARS | {"currency_position": "postfix"}
WRITTEN = EUROS | {"currency_symbol": "Euro"}


class TestCurrency:
    """Of a country, as long as nobody writes another one."""

    @pytest.mark.parametrize(
        ("before", "country", "sent", "after"),
        [
            ({}, "DE", MONEY, EUROS),
            ({"country": "DE", **EUROS}, "US", EUROS, DOLLARS),
            ({"country": "DE", **EUROS}, "DE", {**EUROS, "currency_code": "USD"}, BEHIND),
            ({"country": "DE", **DOLLARS}, "IE", DOLLARS, DOLLARS),
            ({"country": "DE", **EUROS}, "US", WRITTEN, WRITTEN),
            ({"country": "DE", **EUROS}, "DE", MONEY, MONEY),
        ],
    )  # fmt: skip
    def test_the_settings(
        self, plain: World, before: dict[str, str], country: str, sent: dict[str, str], after: dict[str, str]
    ) -> None:
        if before:
            save(plain, language="en", **before)
        save(plain, language="en", country=country, **sent)
        settings = plain.calendar.revision().settings
        assert {key: settings.text_of(key) for key in MONEY} == after

    @pytest.mark.parametrize(
        ("given", "money"),
        [
            ({"country": "DE"}, ("€", "EUR", "postfix")),
            ({"country": "CH", "language": "de"}, ("CHF", "CHF", "prefix")),
            ({"country": "CA", "language": "fr"}, ("$", "CAD", "postfix")),
            ({"country": "EG", "language": "ar"}, ("ج.م.", "EGP", "postfix")),
            ({"country": "DE", "currency_code": "USD"}, ("$", "USD", "postfix")),
            ({"country": "DE", "currency_code": ""}, ("$", "", "prefix")),
            ({"country": "DE", "currency_symbol": "Taler"}, ("Taler", "", "prefix")),
            ({"country": "AQ"}, ("$", "", "prefix")),
            ({}, ("$", "", "prefix")),
        ],
    )
    def test_the_settings_of_the_server(self, given: dict[str, str], money: tuple[str, str, str]) -> None:
        assert load(None, dict(given), {}).currency == money
