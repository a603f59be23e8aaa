"""The progress bar of long commands."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress(what: str, total: int | None, *, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """Shows a progress bar with counts and the time left; yields the function that advances it by a number of steps.
    Nothing is shown where nobody watches."""
    console = Console(highlight=False, soft_wrap=True, stderr=True)
    if quiet or not console.is_terminal:
        yield lambda steps: None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as shown:
        task = shown.add_task("", total=total)
        yield lambda steps: shown.advance(task, steps)
