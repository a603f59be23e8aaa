"""The JSON of records in the forms of WordPress; `contract/compat/wp_keys.py` lists the same keys."""
