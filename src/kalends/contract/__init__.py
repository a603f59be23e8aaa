"""What is promised, as data: kinds, fields, parameters and errors. Everything else is derived from these tables."""
