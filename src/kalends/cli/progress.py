"""The progress bar of long commands."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Shows a progress bar; yields the function that advances it by a number of steps."""
    console = Console(highlight=False, soft_wrap=True)
    with Progress(TextColumn(what), BarColumn(), MofNCompleteColumn(), console=console) as shown:
        task = shown.add_task("", total=total)
        yield lambda steps: shown.advance(task, steps)
