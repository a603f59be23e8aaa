"""Requests to addresses that a person or another server named: only to public addresses, within limits."""
