"""GET of one venue or organizer, by id and by slug."""

import pytest
from tests.http.api.conftest import make_named as make

from kalends.contract.kinds import ORGANIZER, VENUE

KINDS = pytest.mark.parametrize("kind", [VENUE, ORGANIZER], ids=lambda kind: kind.name)


@KINDS
def test_json_ld_of_a_single_read(world, kind):
    made = make(world, kind, name="Olga & Otto", description="<p>A &amp; B</p>", website="https://o.test/")
    ld = world.read(kind.plural, made["id"])["json_ld"]
    assert ld["@type"] == {"venue": "Place", "organizer": "Organization"}[kind.name]
    assert (ld["name"], ld["description"], ld["sameAs"]) == ("Olga & Otto", "A & B", "https://o.test/")


@KINDS
@pytest.mark.parametrize("path", ["99999", "0", "9" * 40, "by-slug/unknown"])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_an_unknown_record_is_404(world, kind, path, method):
    other = ORGANIZER if kind is VENUE else VENUE
    foreign = make(world, other, name="Foreign")
    for tried in (path, str(foreign["id"]), "by-slug/foreign"):
        response = world.ask(method, f"/{kind.plural}/{tried}", "administrator", json={})
        assert (response.status_code, response.json()["code"]) == (404, f"rest-{kind.name}-not-found")


@KINDS
@pytest.mark.parametrize("way", ["id", "slug"])
def test_a_public_record_is_read_by_everybody(world, at, kind, way):
    made = make(world, kind, name="Ärger & Söhne")
    for who in ("anonymous", "subscriber", "administrator"):
        read = world.get(at(kind, made, way), who).json()
        assert {k: v for k, v in read.items() if k != "json_ld"} == made
    assert world.get(f"/{kind.plural}/by-slug/ARGER-SOHNE").json()["id"] == made["id"]
