"""The interface as data: kinds, fields, parameters, operations and errors. Everything else is derived from it."""
