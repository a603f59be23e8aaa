"""The pages of the admin: what their templates are given."""
