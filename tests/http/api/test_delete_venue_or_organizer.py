"""DELETE of one venue or organizer, by id and by slug, and the rights to its record."""

import pytest
from tests.http.api.conftest import make_named as make

from kalends.contract.kinds import ORGANIZER, VENUE

KINDS = pytest.mark.parametrize("kind", [VENUE, ORGANIZER], ids=lambda kind: kind.name)
# Who, whose record, its status → update and delete by id, by slug; read by id, by slug.
RIGHTS = [
    ("anonymous", "author", "publish", 401, 401, 200, 200), ("anonymous", "author", "draft", 401, 401, 403, 404),
    ("subscriber", "author", "private", 403, 403, 403, 404),
    ("contributor", "contributor", "draft", 200, 200, 200, 200),
    ("contributor", "contributor", "publish", 403, 403, 200, 200),
    ("contributor", "author", "draft", 403, 404, 403, 404),
    ("author", "author", "publish", 200, 200, 200, 200), ("author", "other_author", "publish", 403, 403, 200, 200),
    ("author", "other_author", "pending", 403, 404, 403, 404), ("editor", "author", "draft", 200, 200, 200, 200),
]  # fmt: skip


@KINDS
@pytest.mark.parametrize(("who", "owner", "status", "by_id", "by_slug", "read_id", "read_slug"), RIGHTS)
def test_who_may_do_what_with_whose_record(world, at, kind, who, owner, status, by_id, by_slug, read_id, read_slug):
    made = make(world, kind, author=world.ids[owner], status=status)
    for way, written, read in (("id", by_id, read_id), ("slug", by_slug, read_slug)):
        response = world.get(at(kind, made, way), who)
        assert response.status_code == read
        if read == 403:
            assert response.json()["code"] == f"{kind.name}-not-accessible"
        count = world.count()
        assert world.put(at(kind, made, way), who, json={"phone": way}).status_code == written
        deleted = world.delete(at(kind, made, way), who)
        assert deleted.status_code == written
        assert (world.count() == count) == (written != 200)
        if written == 200:
            assert deleted.json()["status"] == "trash"
            world.put(at(kind, made, "id"), json={"status": status})


@KINDS
@pytest.mark.parametrize("way", ["id", "slug"])
def test_delete_answers_the_record_as_it_then_is(world, at, kind, way):
    made = make(world, kind, phone="112", description="Stays")
    world.clock.move(minutes=1)
    response = world.delete(at(kind, made, way))
    assert response.status_code == 200
    changed = {"status": "trash", "modified": "2026-11-15 07:01:00", "modified_utc": "2026-11-15 12:01:00"}
    assert response.json() == made | changed | {"rev": response.json()["rev"]}
    assert world.get(at(kind, made, "id")).json()["code"] == f"{kind.name}-not-accessible"
