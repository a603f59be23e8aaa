"""The two databases behind one `Store`: SQLite and PostgreSQL, connections, migrations, copies."""
