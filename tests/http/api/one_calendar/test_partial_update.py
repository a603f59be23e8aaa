"""An update changes what was sent and nothing else."""

import pytest

from kalends.contract.kinds import KINDS

ALWAYS = {"modified", "modified_utc", "rev"}


@pytest.fixture
def make_full(world, refs, field_cases):
    """Makes a record with a value in every field, which is gone after the test."""
    paths = []

    def make(kind):
        body = {}
        for case in field_cases:
            if case.kind is kind:
                body |= case.body(0, refs)
        made = world.make(kind.plural, **body)
        paths.append(f"/{kind.plural}/{made['id']}" + ("" if kind.is_term else "?force=true"))
        return made

    yield make
    for path in paths:
        assert world.delete(path).status_code == 200


def differences(before, after):
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def test_one_field_changes_nothing_else(world, refs, make_full, at, case, way):
    kind = case.kind
    made = make_full(kind)
    before = world.read(kind.plural, made["id"])
    world.clock.move(minutes=5)
    changed = world.ask("PATCH", at(kind, made, way), "administrator", json=case.body(1, refs))
    assert changed.status_code == 200, changed.text
    after = world.read(kind.plural, made["id"])
    touched = differences(before, after)
    assert touched <= ALWAYS | {case.name, "json_ld", *case.touches}
    assert case.name in touched or case.name == "post_password"
    assert after["rev"] > before["rev"]
    if not kind.is_term:
        assert after["modified"] > before["modified"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_an_update_with_nothing_changes_nothing(world, make_full, kind, method):
    made = make_full(kind)
    before = world.read(kind.plural, made["id"])
    response = world.ask(method, f"/{kind.plural}/{made['id']}", "administrator", json={})
    assert response.status_code == 200
    assert differences(before, world.read(kind.plural, made["id"])) <= ALWAYS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_refused_update_changes_nothing(world, make_full, kind):
    made = make_full(kind)
    before, count = world.read(kind.plural, made["id"]), world.count()
    bad = {kind.name_field: "Another name", "description": "Another", "slug": [], "author": "nobody", "parent": -1}
    assert world.put(f"/{kind.plural}/{made['id']}", json=bad).status_code == 400
    assert world.read(kind.plural, made["id"]) == before
    assert world.count() == count
