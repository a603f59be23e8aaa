"""Persistence: connections, transactions, migrations and every SQL query. No rights, no HTTP."""
