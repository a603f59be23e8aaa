"""What programs find by themselves: /llms.txt, the catalog of interfaces, and security.txt."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.conftest import BASE_URL, NOW, World, settings_for

from kalends.settings import SettingError


def test_llms_txt_leads_to_everything(world: World) -> None:
    response = world.get(f"{BASE_URL}/llms.txt")
    assert response.headers["Content-Type"].startswith("text/plain")
    lines = response.text.splitlines()
    assert lines[0] == "# Test calendar"
    links = [line.partition("](")[2].partition(")")[0] for line in lines if line.startswith("- [")]
    assert f"{BASE_URL}/mcp" in links
    for link in links:
        assert world.get(link).status_code == (405 if link.endswith("/mcp") else 200), link


def test_the_catalog_of_interfaces(world: World) -> None:
    response = world.get(f"{BASE_URL}/.well-known/api-catalog")
    assert response.headers["Content-Type"].startswith("application/linkset+json")
    assert 'profile="https://www.rfc-editor.org/info/rfc9727"' in response.headers["Content-Type"]
    assert 'rel="api-catalog"' in response.headers["Link"]
    api, mcp = response.json()["linkset"]
    assert (api["anchor"], mcp["anchor"]) == (f"{world.ns}/", f"{BASE_URL}/mcp")
    for described in (api, mcp):
        for relation in described.values():
            for link in relation if isinstance(relation, list) else []:
                found = world.get(link["href"])
                assert found.status_code == 200
    head = world.ask("HEAD", f"{BASE_URL}/.well-known/api-catalog")
    assert (head.status_code, head.content) == (200, b"")
    assert 'rel="api-catalog"' in head.headers["Link"]


def test_security_txt_has_its_contacts_and_an_end(make_world: Any) -> None:
    world = make_world(security_contact="mailto:security@example.org, https://example.org/report")
    response = world.get(f"{BASE_URL}/.well-known/security.txt")
    assert response.headers["Content-Type"] == "text/plain; charset=UTF-8"
    lines = response.text.splitlines()
    assert lines[:2] == ["Contact: mailto:security@example.org", "Contact: https://example.org/report"]
    expires = datetime.fromisoformat(next(line for line in lines if line.startswith("Expires: "))[9:])
    left = expires.replace(tzinfo=None) - NOW
    assert timedelta(days=100) < left < timedelta(days=365)
    assert f"Canonical: {BASE_URL}/.well-known/security.txt" in lines


def test_without_a_contact_there_is_no_security_txt(world: World) -> None:
    assert world.get(f"{BASE_URL}/.well-known/security.txt").status_code == 404


@pytest.mark.parametrize("contact", ["security@example.org", "http://example.org", "mailto:a@b.c\nEvil: yes"])
def test_other_contacts_are_refused(tmp_path: Any, contact: str) -> None:
    with pytest.raises(SettingError):
        settings_for(tmp_path, security_contact=contact)
