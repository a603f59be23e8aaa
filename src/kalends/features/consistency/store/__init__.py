"""Checks that what a store says twice agrees, and that nothing in it refers to what is not there."""
