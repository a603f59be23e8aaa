"""What is sent on create and on update is what GET gives back, for every field, by id and by slug."""

from kalends.contract.kinds import KINDS


def test_every_field_of_every_kind_has_a_case(field_cases):
    covered = [(case.kind.name, case.name) for case in field_cases]
    assert len(covered) == len(set(covered))
    # A recurrence makes further events and has scopes (tests/calendar/series); custom fields are defined first.
    elsewhere = {("event", "recurrence"), ("event", "custom_fields")}
    assert set(covered) == {(kind.name, field.name) for kind in KINDS for field in kind.fields} - elsewhere


def test_what_is_sent_comes_back(world, refs, required, at, case, way):
    kind = case.kind
    for first, second in ((0, 1), (1, 0)):
        made = world.post(f"/{kind.plural}", json=required[kind.plural] | case.body(first, refs))
        assert made.status_code == 201, made.text
        assert case.visibility(world, made.json()) == case.expected(first, refs)
        read = world.get(at(kind, made.json(), way), "administrator").json()
        assert case.visibility(world, read) == case.expected(first, refs)

        changed = world.put(at(kind, made.json(), way), json=case.body(second, refs))
        assert changed.status_code == 200, changed.text
        assert case.visibility(world, changed.json()) == case.expected(second, refs)
        read = world.get(at(kind, changed.json(), way), "administrator").json()
        assert read["id"] == made.json()["id"]
        assert case.visibility(world, read) == case.expected(second, refs)
        world.delete(f"/{kind.plural}/{read['id']}", params={"force": "true"} if not kind.is_term else {})
