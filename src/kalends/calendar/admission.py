"""Admits work. A worker has so many places for each class of it; who finds none waits for a short time, in a fair
order, or is refused.

Next is the client who used the least processor time lately, so others beside one who sends much wait for a slot and
not for its queue. A client is an account or an address; behind one address may be a whole office, which waits in the
order of arrival. Whoever waits for a network, another process or a slow client gives the slot up meanwhile
(`released`), and long work gives it up between its parts (`pause`).
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from time import monotonic, sleep, thread_time

from kalends.contract.errors import UNAVAILABLE, ApiError

MOST_WAITING = 80  # in a worker; each of them holds a thread
MOST_WAITING_OF_ONE = 48
RETRY_AFTER = "2"
LONGEST_WITHOUT_PAUSE = 0.02  # seconds of processor time after which long work lets others pass
SHORTEST_REST, LONGEST_REST = 0.002, 0.02  # seconds; what is sent costs more than the thread that hands it over
LATELY = 0.1  # seconds after a request in which the next one is expected
MOST_CLIENTS = 10_000  # whose use is remembered


@dataclass(frozen=True, eq=False, slots=True)
class Work:
    """A class of work, by what it holds while it runs."""

    name: str
    slots: int  # at once, in a worker
    of_one: int  # of them for one client at most
    patience: float  # seconds that one waits for a place
    price: float = 0.0  # seconds of processor time that are not those of its own thread
    overdue: float = 0.0  # seconds after which one who waits goes in beside a slot that does not end
    rest: float = 0.0  # between two turns of one client while kept bytes are sent, as a share of the first


# Kept bytes and health checks are in no class: they hold nothing and are never refused. All places and all who wait
# are fewer than the threads of a worker (cli/serve.py), so that these always find one.
#
# Reads of one client run one at a time: SQLite's calls release the interpreter lock, and sixteen threads that wait
# for it again were a third slower than one.
QUICK = Work("quick", slots=2, of_one=1, patience=5.0, overdue=0.05)
SLOW = Work("slow", slots=2, of_one=1, patience=5.0, rest=0.3)
WRITE = Work("write", slots=6, of_one=4, patience=5.0)
HASH = Work("hash", slots=2, of_one=1, patience=5.0, price=0.05)  # 64 MB each, in threads of its own
IMAGE = Work("image", slots=2, of_one=1, patience=10.0)  # a helper process each (images/image_process.py)
FETCH = Work("fetch", slots=6, of_one=3, patience=2.0)
# Bodies that arrive, and long responses that are sent: each holds a thread as long as its client likes
# (http/messages/bodies.py, long_responses.py). All together they are less than half of the threads.
UPLOAD = Work("upload", slots=90, of_one=8, patience=5.0)
STREAM = Work("stream", slots=90, of_one=8, patience=10.0)
# Readers of changes who wait for the next one: at most a quarter of the threads. The others are answered at once.
WAIT = Work("wait", slots=32, of_one=32, patience=0.0)
TABLE = (QUICK, SLOW, WRITE, HASH, IMAGE, FETCH, UPLOAD, STREAM, WAIT)


@dataclass(slots=True)
class Slot:
    """A place that a thread has, for a client."""

    work: Work
    client: str
    began: float = 0.0  # by the processor time of the thread
    used: float = 0.0  # seconds of processor time, until it was given up
    is_held: bool = False


@dataclass(slots=True, eq=False)
class Waiter:
    client: str
    is_bounded: bool  # counts among those who wait, and may be refused
    low_priority_until: float  # to what its client has begun
    lock: threading.Lock = field(default_factory=threading.Lock)  # released when the waiting is over
    is_admitted: bool = False
    rest: float = 0.0  # seconds before it begins


@dataclass(slots=True, eq=False)
class Queue:
    """The places of one class in this worker, and who waits for them."""

    work: Work
    slots: int
    of_one: int
    count: int = 0
    running: dict[str, int] = field(default_factory=dict)  # by client; a Counter takes three times as long
    waiters: list[Waiter] = field(default_factory=list)  # in the order of arrival
    refused: int = 0
    moved: float = 0.0  # when somebody last came in

    def admit_at_once(self, client: str) -> bool:
        """Whether there is a place, which is then taken."""
        running = self.running.get(client, 0)
        if self.count >= self.slots or running >= self.of_one:
            return False
        self.count += 1
        self.running[client] = running + 1
        self.moved = monotonic()
        return True

    def admit(self, client: str) -> None:
        self.count += 1
        self.running[client] = self.running.get(client, 0) + 1
        self.moved = monotonic()

    def dismiss(self, client: str) -> None:
        self.count -= 1
        left = self.running.pop(client) - 1
        if left:
            self.running[client] = left


class Use:
    """The processor time that clients used lately: what was a second ago counts half."""

    def __init__(self) -> None:
        self._seconds: dict[str, tuple[float, float]] = {}  # and when it was so much

    def of(self, client: str, now: float) -> float:
        seconds, at = self._seconds.get(client, (0.0, now))
        return float(seconds * 0.5 ** (now - at))

    def add(self, client: str, seconds: float) -> None:
        now = monotonic()
        if len(self._seconds) >= MOST_CLIENTS:
            self._seconds = {}
        used, at = self._seconds.get(client, (0.0, now))
        self._seconds[client] = used * 0.5 ** (now - at) + seconds, now


class Admission:
    """The places of a worker."""

    def __init__(self) -> None:
        self._queues = {work: Queue(work, work.slots, work.of_one) for work in TABLE}
        self._cached_sent: Callable[[], int] = lambda: 0
        self._cached_seen = 0
        self._use = Use()
        # What gives places back whose holder was dropped: garbage may be collected while this thread has the lock.
        self.dropped: list[Callable[[], None]] = []
        self._bounded: Counter[str] = Counter()  # how many of each client wait
        self._lock = threading.Lock()
        self._thread = threading.local()

    def allow(self, work: Work, of_one: int) -> None:
        """Lets so many of one client run at once, and one of another beside them."""
        queue = self._queues[work]
        queue.of_one, queue.slots = of_one, of_one + 1

    def enter(self, work: Work, client: str, *, is_continuation: bool = False) -> Slot:
        """A place, which is given back by `leave`. Raises ApiError when there is none for long, unless this goes on
        with what was begun."""
        slot = Slot(work, client)
        with self._lock:
            is_admitted = self._queues[work].admit_at_once(client)
        if is_admitted:
            slot.is_held, slot.began = True, thread_time()
            self._thread.slot = slot
        else:
            self._begin(slot, is_continuation=is_continuation)
        self._thread.entered = slot
        return slot

    def leave(self, slot: Slot) -> None:
        """Ends a slot: from now on this thread works for nobody."""
        self.give_up(slot)
        self._thread.entered = None

    def give_up(self, slot: Slot) -> None:
        """Gives the place of a slot back, if it has it."""
        if not slot.is_held:
            return
        slot.is_held = False
        self._thread.slot = None
        seconds = thread_time() - slot.began
        slot.used += seconds
        self.give_back(slot.work, slot.client, seconds)

    def released(self, work: Work | None = None, *, is_continuation: bool = False) -> "ReleasedSlot":
        """Gives the slot of this thread up for other work in between, which waits for something else than the
        processor. `is_continuation`: it is not refused another one afterwards, as after work of another class. A
        thread without a slot is that of a command or of the background, which bound themselves."""
        return ReleasedSlot(self, work, is_continuation=is_continuation)

    def identify(self, client: str) -> None:
        """Says whose slot this thread has, once that is known: what it does from now on counts among what the same
        client does, however it was called before."""
        slot = self._slot()
        if slot is not None and slot.client != client:
            self.give_up(slot)
            slot.client = client
            self._begin(slot, is_continuation=False)

    def pause(self) -> None:
        """Between two parts of long work: lets others pass who wait for the same, and those of the same client who
        have waited for long."""
        slot = self._slot()
        if slot is None or thread_time() - slot.began < LONGEST_WITHOUT_PAUSE:
            return
        now, waiting = monotonic(), [*self._queues[slot.work].waiters]
        if any(waiter.client != slot.client or waiter.low_priority_until <= now for waiter in waiting):
            self.give_up(slot)
            self._begin(slot, is_continuation=True)

    @contextmanager
    def extra_slot(self, work: Work) -> Iterator[None]:
        """A further slot for other work within the slot of this thread. ApiError when there is none for long."""
        client = self.client
        self._acquire(work, client, work.patience)
        began = monotonic()
        try:
            yield
        finally:
            self.give_back(work, client, monotonic() - began)

    def hold(self, work: Work) -> Callable[[], None]:
        """A place for as long as a client takes, also after its request; the function gives it back. This thread
        gives its slot up while it waits. ApiError when there is none for long."""
        self._take_back()
        client, queue = self.client, self._queues[work]
        with self._lock:
            is_admitted = queue.admit_at_once(client)
        if not is_admitted:
            with self.released(is_continuation=True):
                self._acquire(work, client, work.patience)
        return partial(self.give_back, work, client, 0.0)

    def _take_back(self) -> None:
        while self.dropped:
            self.dropped.pop()()

    @property
    def client(self) -> str:
        """For whom this thread works, also while it has given its slot up."""
        slot: Slot | None = getattr(self._thread, "entered", None)  # also while it is given up
        return "" if slot is None else slot.client

    @property
    def is_in_use(self) -> bool:
        """Whether requests are being answered, or were just now: a client sends the next one after a moment.
        Who waits for a network or for the next change uses nothing."""
        queues, lately = [self._queues[work] for work in (QUICK, SLOW, WRITE)], monotonic() - LATELY
        return any(queue.count or queue.moved > lately for queue in queues)

    def count_cached(self, sent: Callable[[], int]) -> None:
        """Says how many kept responses were sent so far, which are in no class."""
        self._cached_sent = sent

    def give_back(self, work: Work, client: str, seconds: float) -> None:
        """Ends what took so much processor time, and admits who is next."""
        queue = self._queues[work]
        with self._lock:
            queue.dismiss(client)
            if seconds:
                self._use.add(client, seconds)
            while queue.waiters and queue.count < queue.slots and (waiter := self._next(queue)) is not None:
                queue.admit(waiter.client)
                waiter.is_admitted = True
                if waiter.client == client and work.rest and self._is_cached_sent():
                    waiter.rest = min(max(seconds * work.rest, SHORTEST_REST), LONGEST_REST)
                self._dequeue(queue, waiter)

    def _is_cached_sent(self) -> bool:
        """Whether kept responses were sent since this was asked last."""
        before, self._cached_seen = self._cached_seen, self._cached_sent()
        return self._cached_seen != before

    def refuse(self, work: Work) -> ApiError:
        """What tells a client to come back later."""
        self._queues[work].refused += 1
        return ApiError(UNAVAILABLE, headers={"Retry-After": RETRY_AFTER})

    def figures(self) -> Iterator[tuple[str, int, int, int]]:
        """Of each class: its name, how many run and wait, and how many were refused."""
        self._take_back()
        for work, queue in self._queues.items():
            yield work.name, queue.count, len(queue.waiters), queue.refused

    def _slot(self) -> Slot | None:
        slot: Slot | None = getattr(self._thread, "slot", None)
        return slot

    def _begin(self, slot: Slot, *, is_continuation: bool) -> None:
        self._acquire(slot.work, slot.client, None if is_continuation else slot.work.patience)
        slot.is_held, slot.began = True, thread_time()
        self._thread.slot = slot

    def _acquire(self, work: Work, client: str, patience: float | None) -> None:
        queue = self._queues[work]
        with self._lock:
            if queue.admit_at_once(client):
                return
            waiter = self._enqueue(queue, client, patience)
        if not self._wait(queue, waiter, patience):
            raise self.refuse(work)
        if waiter.rest:
            sleep(waiter.rest)

    def _enqueue(self, queue: Queue, client: str, patience: float | None) -> Waiter:
        is_bounded = patience is not None
        if is_bounded:
            if self._bounded[client] >= MOST_WAITING_OF_ONE or not self._has_room(client):
                raise self.refuse(queue.work)
            self._bounded[client] += 1
        waiter = Waiter(client, is_bounded, monotonic() + (patience or 0.0) / 2)
        waiter.lock.acquire()
        queue.waiters.append(waiter)
        return waiter

    def _has_room(self, client: str) -> bool:
        """Whether one more may wait. The last of the client with the most who wait gives way to one with fewer."""
        if self._bounded.total() < MOST_WAITING:
            return True
        [(most, number)] = self._bounded.most_common(1)
        if number <= self._bounded[client] + 1:
            return False
        for queue in self._queues.values():
            for waiter in reversed(queue.waiters):
                if waiter.client == most and waiter.is_bounded:
                    self._dequeue(queue, waiter)
                    return True
        return False

    def _wait(self, queue: Queue, waiter: Waiter, patience: float | None) -> bool:
        """Whether it was admitted."""
        end = None if patience is None else monotonic() + patience
        step = queue.work.overdue or (-1 if patience is None else patience)
        while not waiter.lock.acquire(timeout=step):
            with self._lock:
                if waiter not in queue.waiters:
                    break
                now = monotonic()
                if queue.work.overdue and now - queue.moved >= queue.work.overdue:
                    queue.admit(waiter.client)
                    waiter.is_admitted = True
                elif end is None or now < end:
                    continue
                self._dequeue(queue, waiter)
                break
        return waiter.is_admitted

    def _dequeue(self, queue: Queue, waiter: Waiter) -> None:
        queue.waiters.remove(waiter)
        if waiter.is_bounded:
            self._bounded[waiter.client] -= 1
            if not self._bounded[waiter.client]:
                del self._bounded[waiter.client]
        waiter.lock.release()

    def _next(self, queue: Queue) -> Waiter | None:
        """Of those whose client has not all the places that one can have: that of least use. Of several what was
        begun, so that a client has few things under way, and who has waited half of its patience; else the first."""
        now = monotonic()
        use = {client: self._use.of(client, now) for client in {waiter.client for waiter in queue.waiters}}
        allowed = [waiter for waiter in queue.waiters if queue.running.get(waiter.client, 0) < queue.of_one]
        return min(allowed, key=lambda waiter: (use[waiter.client], waiter.low_priority_until > now), default=None)


class ReleasedSlot:
    """What happens without a slot, as a context manager: a class, since every body that is read enters it."""

    __slots__ = ("_admission", "_is_continuation", "_slot", "_work")

    def __init__(self, admission: Admission, work: Work | None, *, is_continuation: bool) -> None:
        self._admission = admission
        self._work = work
        self._is_continuation = is_continuation
        self._slot: Slot | None = None

    def __enter__(self) -> None:
        slot = self._slot = self._admission._slot()
        if slot is None:
            return
        self._admission.give_up(slot)
        if self._work is None:
            return
        try:
            self._admission._acquire(self._work, slot.client, self._work.patience)
        except ApiError:
            self._admission._begin(slot, is_continuation=True)
            raise

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        slot = self._slot
        if slot is None:
            return
        if self._work is not None:
            self._admission.give_back(self._work, slot.client, self._work.price)
        # What failed, and what was refused, may be one of many things that a request does: the others need a slot.
        was_admitted = self._work is not None
        self._admission._begin(slot, is_continuation=self._is_continuation or was_admitted or error is not None)


WORKER = Admission()  # a worker is a process
