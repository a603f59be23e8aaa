"""Checks that the calendar agrees with itself, and mends what can be mended."""
