"""The handlers of `wp/v2` and `tec/v1`."""
