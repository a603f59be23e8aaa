"""The table of rights: the code, the documentation and the tests say the same."""

from pathlib import Path

from tests.calendar.access.rights import RIGHTS as EXPECTED

from kalends.calendar.access import Caller, may_create, may_edit_others, may_publish, visibility_of
from kalends.contract import rights
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from kalends.contract.roles import Role

SECURITY = Path(__file__).parents[3] / "docs" / "security.md"


def test_the_documentation_shows_the_table_of_the_code() -> None:
    assert rights.as_markdown() in SECURITY.read_text("utf-8"), "replace the table by that of rights.as_markdown()"


def test_the_table_lists_every_right() -> None:
    declared = {right for right in vars(rights).values() if isinstance(right, rights.Right)}
    assert set(rights.RIGHTS) == declared
    assert len(rights.RIGHTS) == len(declared)


def test_the_code_and_an_independent_table_agree() -> None:
    """`rights.py` beside this was written by hand from the contract; the matrix of requests is compared with it."""
    for role in Role:
        caller = Caller(7, "someone", role)
        visibility = visibility_of(caller)
        found = {
            "read_own": visibility.everything or visibility.owner == 7,
            "read_others": visibility.everything,
            "create": all(may_create(caller, kind) for kind in (EVENT, VENUE, ORGANIZER)),
            "edit_own": visibility.can_edit_as(7, "draft"),
            "edit_own_published": visibility.can_edit_as(7, "publish"),
            "edit_others": may_edit_others(caller) and visibility.can_edit_as(8, "draft"),
            "categories": may_create(caller, CATEGORY),
            "tags": may_create(caller, TAG),
        }
        assert {name for name, held in found.items() if held} == EXPECTED[role.word], role
        assert may_publish(caller) == (role >= Role.AUTHOR)
