"""Responses to anonymous reads, kept as bytes and sent again without the framework."""
