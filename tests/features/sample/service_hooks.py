"""What the feature answers when a running service calls it."""

from kalends.features.sample import rows

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.calendar.background.task_kinds import Done, Run, TaskKind
from kalends.calendar.service import Calendar
from kalends.site.pages.page_blocks import Block
from kalends.site.records.event_pages import EventPage
from kalends.store.engine.store import Session


def register_tasks(calendar: Calendar) -> None:
    def forget_empty(run: Run) -> Done:
        def also(session: Session) -> None:
            rows.forget_empty(session)

        return Done(also=also)

    calendar.background.register(TaskKind("wishes", "Forget empty wishes", forget_empty, every=3600.0))


def page_blocks(work: UnitOfWork, page: object) -> list[Block]:
    return [Block("features/sample/block.html", page.title)] if isinstance(page, EventPage) else []


SERVICE_HOOKS = [hooks.register_tasks.by(register_tasks), hooks.page_blocks.by(page_blocks)]
