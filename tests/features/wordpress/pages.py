"""Addresses that answer an administrator (tests/calendar/access/test_beside_a_writer.py)."""

READS = ("/wp-json/wp/v2/users/me", "/wp-json/wp/v2/tribe_events?status=draft", "/wp-json/wp/v2/settings")
