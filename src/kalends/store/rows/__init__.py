"""Tables as records: one module for each table or family of tables."""
