"""What keeps an export from being written."""

from kalends.user_error import UserError


class ExportError(UserError):
    """The message is one line for the person who asked for the export."""
