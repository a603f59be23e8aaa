"""Imports in the admin, a module a screen."""
