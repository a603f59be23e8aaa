"""Pages that an administrator can open, for walks through all of them (tests/admin/admin_client.py)."""

ADMIN_PAGES = ("/admin/events/export", "/admin/events/export/print")
# The lowest role that may open them (tests/admin/test_rights_matrix.py); others have that of the page above.
LOWEST = {"/admin/export": "administrator"}
