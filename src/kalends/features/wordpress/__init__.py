"""Everything for clients of WordPress: tables, JSON and handlers of `wp/v2` and `tec/v1`, rewritten addresses.

The server knows nothing of it: `application.py` adds `routes.WORDPRESS`.
"""
