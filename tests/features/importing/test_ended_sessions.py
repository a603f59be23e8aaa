"""The log-in of an import is not kept where a session has ended."""

from tests.admin.admin_client import AdminClient
from tests.admin.test_ended_sessions import OWN_PAGE
from tests.conftest import World


def test_the_login_of_an_import_is_not_kept(world: World) -> None:
    typed = {"login": "ed", "login_password": "app pass"}
    answer = AdminClient(world).post("/admin/import/1", typed, 303, headers=OWN_PAGE)
    assert answer.headers["Location"] == "/admin/sign-in"
