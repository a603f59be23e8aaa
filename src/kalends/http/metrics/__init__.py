"""Metrics for Prometheus: counts of requests, shared by all workers of a node."""
