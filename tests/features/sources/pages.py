"""Pages of sources, for walks through all of them."""

# The lowest role that may open them (tests/admin/test_rights_matrix.py); others have that of the page above.
LOWEST = {"/admin/duplicates": "editor"}
