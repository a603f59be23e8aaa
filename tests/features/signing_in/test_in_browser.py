"""Signing in with Chromium: at a provider, and with a passkey of its virtual authenticator."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.clusters import free_port
from tests.features.signing_in.mock_provider import CLIENT, SECRET, MockProvider, running
from tests.site.browser_pages import PageMonitor
from tests.site.serving import served
from tests.site.test_admin_in_browser import sign_in
from tests.stores import Template


@pytest.fixture(scope="module")
def provider() -> Iterator[MockProvider]:
    with running() as made:
        made.person = {"sub": "ada-1", "name": "Ada Lovelace", "groups": ["staff"]}
        yield made


@pytest.fixture(scope="module")
def real_service(
    template: Template, tmp_path_factory: pytest.TempPathFactory, provider: MockProvider
) -> Iterator[str]:
    """A calendar that has a provider, under a name: browsers have no passkeys for numbers."""
    port = free_port()
    settings = {
        "base_url": f"http://localhost:{port}",
        "secret_key": "a key of some length",
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SECRET,
        "oidc_name": "University",
        "oidc_roles": "groups: staff=editor",
    }
    with served(template, tmp_path_factory.mktemp("service"), port=port, **settings):
        yield settings["base_url"]


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_passkey_is_made_and_signs_in(monitor: PageMonitor, real_service: str) -> None:
    page = monitor.open(f"{real_service}/admin/profile/factors/passkey")
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device = devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    sign_in(page, "editor")
    page.get_by_label("Name").fill("Laptop of the office")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    expect(page.get_by_text("Laptop of the office")).to_be_visible()
    sign_out(page)
    page.goto(f"{real_service}/admin/venues")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Venues")
    sign_out(page)
    sign_in(page, "editor")  # then it is the second factor
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    sign_out(page)
    devices.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": device})
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})  # one that has no passkey
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("No passkey was shown")


def test_at_the_provider(monitor: PageMonitor, real_service: str, provider: MockProvider) -> None:
    page = monitor.open(f"{real_service}/admin/sign-in?next=/admin/venues")
    provider.asked.clear()
    page.get_by_role("link", name="Sign in with University").click()
    page.get_by_role("link", name="It is me").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Venues")
    assert len([path for path in provider.asked if not path.startswith("/authorize")]) <= 2
    page.goto(f"{real_service}/admin/profile")
    expect(page.get_by_text("ada-1")).to_be_visible()
    expect(page.get_by_role("heading", name="Password", exact=True)).to_have_count(0)
    sign_out(page)
    sign_in(page, "author")  # who has an account here links it
    page.goto(f"{real_service}/admin/profile")
    provider.person["sub"] = "grace-1"
    page.get_by_role("button", name="Link an account there").click()
    page.get_by_role("link", name="Continue to University").click()
    page.get_by_role("link", name="It is me").click()
    expect(page.get_by_role("status")).to_have_text("Your account is linked.")
    sign_out(page)
    page.get_by_role("link", name="Sign in with University").click()
    page.get_by_role("link", name="It is me").click()
    expect(page.locator(".account .who bdi")).to_have_text("author")
