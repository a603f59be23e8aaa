"""Headers that only clients of WordPress get, and what for (tests/server/test_response_headers.py)."""

ALLOWED = {"x-wp-total": "how many records a list has, as WordPress tells it", "x-wp-totalpages": "how many pages"}
