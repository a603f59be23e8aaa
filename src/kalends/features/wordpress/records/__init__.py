"""Records as `wp/v2` and `tec/v1` show them."""
