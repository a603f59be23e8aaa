"""Where the calendar is kept: connections, transactions, migrations and queries. No rights, no HTTP."""
