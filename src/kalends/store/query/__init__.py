"""Queries of lists: conditions, visibility, windows of time, totals."""
