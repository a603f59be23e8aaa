"""Pages that an administrator can open, for walks through all of them (tests/admin/admin_client.py)."""

ADMIN_PAGES = ("/admin/settings/mail", "/admin/settings/followers")
