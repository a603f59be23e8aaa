"""Work for later as administrators see it: in the admin and in /metrics."""

from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.calendar.background.task_kinds import Failed, Run, TaskKind
from kalends.store.rows import tasks

PATH = "/admin/settings/background"


def refuse(run: Run) -> None:
    raise Failed("the <server> is away")


def failing(world: World) -> None:
    world.calendar.background.register(TaskKind("test", "Letters", refuse, retries=()))  # type: ignore[arg-type]
    with world.calendar.store.write() as session:
        tasks.add(session, "test", "12", "2026-01-01 00:00:00")
    world.calendar.background.run_due()


def test_an_administrator_sees_what_failed_and_lets_it_be_tried_again(world: World) -> None:
    failing(world)
    admin = AdminClient(world, "administrator")
    page = admin.get(PATH).text
    assert "Letters" in page
    assert "the &lt;server&gt; is away" in page
    assert "It will not be tried again automatically." in page
    assert "Add the next dates of series" in page
    assert world.calendar.background.run_due() == 0
    admin.post(PATH, {"kind": "test", "key": "12"})
    assert "is away" not in admin.get(PATH).text
    assert world.calendar.background.run_due() == 1


def test_without_work(world: World) -> None:
    assert "There is nothing to do." in AdminClient(world, "administrator").get(PATH).text


def test_only_administrators_see_it(world: World) -> None:
    AdminClient(world, "editor").get(PATH, status=403)


def test_a_task_that_is_gone_cannot_be_tried_again(world: World) -> None:
    AdminClient(world, "administrator").post(PATH, {"kind": "test", "key": "1"}, status=404)


def test_metrics_count_it(make_world: type[World]) -> None:
    world = make_world(metrics="127.0.0.1")  # type: ignore[call-arg]
    failing(world)
    text = world.client.get("/metrics", extensions={}).text
    assert 'kalends_tasks_failed{kind="test"} 1.0' in text
    assert 'kalends_tasks_waiting{kind="series"} 1.0' in text
    assert 'kalends_tasks_running{kind="series"} 0.0' in text
