"""Work is admitted: places for each class, a fair order between clients, refusals instead of long waits."""

import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from tests.waiting import until

from kalends.calendar import admission as module
from kalends.calendar.admission import FETCH, HASH, QUICK, SLOW, STREAM, TABLE, UPLOAD, WRITE, Admission
from kalends.calendar.images.image_files import DistantFiles
from kalends.cli.serve import THREADS
from kalends.contract.errors import ApiError
from kalends.http.middleware import admitting
from kalends.http.middleware.admitting import Costs
from kalends.store.engine.postgresql import PostgresStore

WAIT = 60


def waiting(admission: Admission) -> int:
    return sum(waiting for _, _, waiting, _ in admission.figures())


def refused(admission: Admission) -> int:
    return sum(refused for _, _, _, refused in admission.figures())


class Clients:
    """Threads that want a turn each, and note when they have it."""

    def __init__(self, admission: Admission) -> None:
        self.admission = admission
        self.order: list[str] = []
        self.refused: list[str] = []
        self.threads: list[threading.Thread] = []

    def ask(self, client: str, work: module.Work = SLOW, number: int = 1) -> None:
        for _ in range(number):
            before = self.seen()
            thread = threading.Thread(target=self._run, args=(work, client))
            thread.start()
            self.threads.append(thread)
            until(lambda before=before: self.seen() > before)

    def seen(self) -> int:
        return waiting(self.admission) + len(self.refused) + len(self.order)

    def _run(self, work: module.Work, client: str) -> None:
        try:
            turn = self.admission.enter(work, client)
        except ApiError:
            self.refused.append(client)
            return
        self.order.append(client)
        self.admission.leave(turn)

    def join(self) -> None:
        for thread in self.threads:
            thread.join(WAIT)


def test_all_places_and_all_who_wait_leave_threads_for_kept_bytes_and_health() -> None:
    places = sum(work.slots for work in TABLE) + PostgresStore.parallel_reads
    assert places + module.MOST_WAITING <= THREADS - 8
    assert UPLOAD.slots + STREAM.slots <= THREADS / 2


def test_who_used_the_least_processor_time_lately_is_next() -> None:
    admission = Admission()
    clients = Clients(admission)
    admission.give_back(SLOW, (first := admission.enter(SLOW, "heavy")).client, 2.0)
    first = admission.enter(SLOW, "heavy")
    second = admission.enter(SLOW, "another")
    clients.ask("heavy", number=3)
    clients.ask("light")
    admission.leave(second)
    until(lambda: clients.order)
    assert clients.order == ["light"]
    admission.leave(first)
    clients.join()
    assert clients.order == ["light", "heavy", "heavy", "heavy"]


def test_slow_work_of_one_client_rests_while_kept_responses_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    admission, sent, rests = Admission(), [0], list[float]()
    admission.count_cached(lambda: sent[0])
    monkeypatch.setattr(module, "sleep", rests.append)

    def follow(client: str, used: float, work: module.Work = SLOW) -> None:
        """The next of this client, after one of them who used so much; it is taken in by that one's end."""
        clients = Clients(admission)
        places = [admission.enter(work, name) for name in (client, "another")]
        clients.ask(client, work)
        admission.give_back(work, client, used)
        clients.join()
        admission.leave(places[1])

    follow("heavy", 0.01)
    assert rests == []
    sent[0] += 1
    follow("heavy", 0.01)
    assert rests == [pytest.approx(0.01 * SLOW.rest)]
    follow("heavy", 0.01)  # none was sent since
    assert len(rests) == 1
    sent[0] += 1
    follow("heavy", 5.0)
    assert rests[1:] == [module.LONGEST_REST]
    sent[0] += 1
    follow("heavy", 5.0, QUICK)
    assert len(rests) == 2


def test_one_client_leaves_a_place_for_others() -> None:
    admission = Admission()
    held = [admission.enter(WRITE, "heavy") for _ in range(WRITE.of_one)]
    clients = Clients(admission)
    clients.ask("heavy", WRITE)
    clients.ask("light", WRITE)
    until(lambda: clients.order == ["light"])
    admission.leave(held.pop())
    clients.join()
    assert clients.order == ["light", "heavy"]


def test_twenty_reads_of_one_office_are_all_answered_beside_one_who_sends_much() -> None:
    admission = Admission()
    held = [admission.enter(SLOW, "heavy"), admission.enter(SLOW, "office")]
    clients = Clients(admission)
    clients.ask("heavy", number=60)
    assert clients.refused == ["heavy"] * (60 - module.MOST_WAITING_OF_ONE)
    clients.ask("office", number=19)
    assert "office" not in clients.refused
    assert waiting(admission) == module.MOST_WAITING_OF_ONE + 19
    for turn in held:
        admission.leave(turn)
    clients.join()
    assert clients.order.count("office") == 19
    assert waiting(admission) == 0
    assert refused(admission) == len(clients.refused)


def test_the_last_of_those_who_wait_most_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 6)
    admission = Admission()
    held = [admission.enter(SLOW, "heavy"), admission.enter(SLOW, "another")]
    clients = Clients(admission)
    clients.ask("heavy", number=6)
    clients.ask("light", number=4)
    until(lambda: len(clients.refused) == 4)
    assert sorted(clients.refused) == ["heavy", "heavy", "heavy", "light"]
    for turn in held:
        admission.leave(turn)
    clients.join()
    assert sorted(clients.order) == ["heavy"] * 3 + ["light"] * 3


def test_a_request_that_waited_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    admission = Admission()
    impatient = replace(SLOW, patience=0.02)
    admission._queues[impatient] = module.Queue(impatient, 1, 1)
    held = admission.enter(impatient, "one")
    with pytest.raises(ApiError) as error:
        admission.enter(impatient, "two")
    assert error.value.error_type.status == 503
    assert int(error.value.headers["Retry-After"]) > 0
    assert waiting(admission) == 0
    admission.leave(held)
    admission.leave(admission.enter(impatient, "two"))


def test_a_quick_read_does_not_wait_long_for_one_that_turns_out_slow() -> None:
    admission = Admission()
    held = admission.enter(QUICK, "one")
    began = time.monotonic()
    admission.leave(admission.enter(QUICK, "one"))
    assert time.monotonic() - began < 5
    admission.leave(held)


def test_what_waits_for_something_else_holds_no_turn_meanwhile() -> None:
    admission = Admission()
    clients = Clients(admission)
    turn = admission.enter(SLOW, "one")
    with admission.released(FETCH):
        clients.ask("one")
        clients.join()
        assert clients.order == ["one"]
        assert ("fetch", 1, 0, 0) in admission.figures()
    assert turn.is_held
    admission.leave(turn)
    assert all(not running for _, running, _, _ in admission.figures())


def test_what_fails_beside_its_turn_gives_everything_back() -> None:
    admission = Admission()
    turn = admission.enter(SLOW, "one")
    with pytest.raises(OSError), admission.released(HASH):
        raise OSError
    assert turn.is_held  # what else the request does is admitted too
    admission.leave(turn)
    assert all(not running for _, running, _, _ in admission.figures())


def test_who_is_refused_other_work_has_its_turn_again() -> None:
    admission, impatient = Admission(), replace(HASH, patience=0.0)
    admission._queues[impatient] = module.Queue(impatient, 1, 1)
    other = admission.enter(impatient, "one")
    turn = admission.enter(SLOW, "one")
    with pytest.raises(ApiError), admission.released(impatient):
        raise AssertionError("it was let in")
    assert turn.is_held
    admission.leave(turn)
    admission.leave(other)
    assert all(not running for _, running, _, _ in admission.figures())


def test_a_thread_without_a_turn_needs_none_for_what_is_beside_it() -> None:
    admission = Admission()
    with admission.released(HASH):
        assert all(not running for _, running, _, _ in admission.figures())
    admission.pause()


def test_long_work_lets_others_pass_between_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_WITHOUT_PAUSE", 0.0)
    admission = Admission()
    clients = Clients(admission)
    other = admission.enter(SLOW, "another")
    turn = admission.enter(SLOW, "long")
    clients.ask("light")
    admission.pause()
    clients.join()
    assert clients.order == ["light"]
    admission.leave(turn)
    admission.leave(other)


def test_long_work_lets_those_of_its_own_client_pass_who_have_waited_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moved = [0.0]
    monkeypatch.setattr(module, "monotonic", lambda: time.monotonic() + moved[0])
    monkeypatch.setattr(module, "LONGEST_WITHOUT_PAUSE", 0.0)
    admission = Admission()
    clients = Clients(admission)
    turn = admission.enter(SLOW, "office")
    clients.ask("office")
    admission.pause()
    assert clients.order == []
    moved[0] += SLOW.patience / 2 + 0.5
    admission.pause()
    clients.join()
    assert clients.order == ["office"]
    admission.leave(turn)


def test_the_use_of_a_second_ago_counts_half() -> None:
    use = module.Use()
    use.add("one", 8.0)
    now = time.monotonic()
    assert use.of("one", now + 2) == pytest.approx(2.0, rel=0.1)
    assert use.of("unknown", now) == 0.0


@pytest.mark.parametrize(("waited", "order"), [(0.0, ["begun", "new"]), (3.0, ["new", "begun"])])
def test_what_an_office_has_begun_goes_first_until_its_other_reads_have_waited_for_some_seconds(
    monkeypatch: pytest.MonkeyPatch, waited: float, order: list[str]
) -> None:
    """Else the parts of two long feeds would take turns until everything else of the office is refused."""
    moved = [0.0]
    monkeypatch.setattr(module, "monotonic", lambda: time.monotonic() + moved[0])
    admission, had = Admission(), []
    held = admission.enter(SLOW, "office")

    def take(what: str) -> None:
        turn = admission.enter(SLOW, "office", is_continuation=what == "begun")
        had.append(what)
        admission.leave(turn)

    threads = []
    for number, what in enumerate(("new", "begun"), 1):
        threads.append(threading.Thread(target=take, args=(what,), daemon=True))
        threads[-1].start()
        until(lambda number=number: waiting(admission) == number)
        moved[0] += waited
    admission.leave(held)
    for thread in threads:
        thread.join(WAIT)
    assert had == order


def test_costs_follow_what_requests_of_a_shape_took_lately() -> None:
    costs, shape = Costs(), ("/events", frozenset[str]())
    assert costs.is_slow(shape)  # not known yet
    costs.note(shape, 1.0)
    for _ in range(40):
        costs.note(shape, 0.001)
    assert not costs.is_slow(shape)
    for number in range(3 * admitting.MOST_SHAPES):
        costs.note((f"/{number}", frozenset()), 0.001)
    assert len(costs._seconds) <= admitting.MOST_SHAPES


def test_requests_of_one_shape_are_of_one_class_though_their_costs_are_about_the_limit() -> None:
    costs, shape = Costs(), ("/events", frozenset({"search"}))
    costs.note(shape, admitting.SLOW_SECONDS * 0.9)
    assert not costs.is_slow(shape)
    costs.note(shape, admitting.SLOW_SECONDS * 2)
    for _ in range(20):
        assert costs.is_slow(shape)
        costs.note(shape, admitting.SLOW_SECONDS * 0.9)


def test_who_waits_for_a_bucket_holds_no_turn() -> None:
    """Each operation of distant files gives the turn up, and takes one again."""
    seen: list[tuple[str, str]] = []

    class Bucket:
        def __getattr__(self, name: str) -> Any:
            def note(*args: object) -> bytes:
                seen.append((name, ", ".join(work for work, running, _, _ in module.WORKER.figures() if running)))
                return b""

            return note

    turn = module.WORKER.enter(WRITE, "somebody")
    try:
        files = DistantFiles(Bucket())
        files.save("a.png", b"")
        files.read("a.png")
        files.remove("a.png")
        assert turn.is_held
    finally:
        module.WORKER.leave(turn)
    assert seen == [("save", "fetch"), ("read", "fetch"), ("remove", "")]


def test_who_turns_out_to_be_a_client_waits_for_a_place_of_that_one() -> None:
    admission, entered = Admission(), list[str]()
    held = [admission.enter(WRITE, "account 1") for _ in range(WRITE.of_one)]

    def sign_in() -> None:
        turn = admission.enter(WRITE, "192.0.2.1")
        admission.identify("account 1")
        entered.append(admission.client)
        admission.leave(turn)

    thread = threading.Thread(target=sign_in)
    thread.start()
    until(lambda: waiting(admission) == 1)
    held += [admission.enter(WRITE, "192.0.2.1") for _ in range(WRITE.slots - WRITE.of_one)]  # it holds none
    assert not entered
    for turn in held:
        admission.leave(turn)
    thread.join(WAIT)
    assert entered == ["account 1"]
