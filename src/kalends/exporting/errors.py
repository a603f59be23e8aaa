"""What keeps an export from being written."""


class ExportError(Exception):
    """The message is one line for the person who asked for the export."""
