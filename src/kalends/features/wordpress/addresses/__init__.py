"""The addresses of `wp/v2` and `tec/v1` as rows of the contract."""
