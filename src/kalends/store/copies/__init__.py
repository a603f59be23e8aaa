"""Copies of a whole store: into another one, and into the archive of a backup."""
