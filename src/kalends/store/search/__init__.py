"""Full-text search: parsed queries, the texts of records, and the word index of SQLite."""
