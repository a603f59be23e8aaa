"""Errors that the person who runs a command can fix."""


class UserError(Exception):
    """Ends a command with its message, which says what to do, instead of a traceback."""
