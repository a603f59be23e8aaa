"""The size of a file as pages tell it."""


def told(size: int) -> str:
    """`25 MB`, or of less than one `800 KB`."""
    megabytes, rest = divmod(size, 2**20)
    return f"{megabytes} MB" if megabytes else f"{rest // 1024} KB"
