"""Work for later, in one place: rows with a due time (store/rows/tasks.py), which any process of any node may run.

A kind of work is a function that runs one task and says what becomes of it:

    def run(run: Run) -> Outcome:
        message = calendar.read(SERVICE, messages.find, int(run.task.key))
        send(message)                                   # raises Failed("the server is away"): tried again later
        return Done(also=lambda session: messages.mark_sent(session, message.id))

    SENDING = Kind("mail", N_("Mail"), run, retries=(60, 300, 3600), at_once=2, longest=0)

It is registered where the application is composed: `calendar.background.register(SENDING)` (application.py). Whoever
causes such work adds a task in the transaction of its cause:

    tasks.add(work.session, "mail", str(message.id), due=work.now_text, payload="")

`longest` says for how many seconds ahead it is asked: one that is due later was noted by a clock that was ahead, and
is due now. There is one task for each kind and key; adding it again changes its due time and payload. Within a second
of its time, one process takes it: its lease is renewed while it runs, and ends some seconds after the process was
killed; then another process takes the task. So what a run does outside of the store (send, fetch) is done at least
once. What it changes in the store belongs into `also`, which is called in the transaction that ends the run, and only
if the lease was not lost: that is done exactly once.

- `Done()`: the task is gone. Of a kind with `every`, it is due again after so many seconds.
- `Again(due=…)`: it runs again at that time. With `after=REV`, when something changed after that change.
- `raise Failed("why", seconds=…)`: it is tried again, by default after the seconds that `retries` says. Any other
  exception is logged and does the same. After the last one it is given up (`gave_up`, in the same transaction) and
  shown in the admin until somebody asks for it again; a kind with `every` is never given up.
- Long work (long_work.py) calls `run.pause()` between its parts, outside of transactions: that waits as long as the
  part took, and raises `LeaseLost` when the task is no longer this process's own.

Work that only this process can do, as it has something that is never stored, is held from the beginning:
`background.hold(session, kind, key)` in the transaction of its cause, and `background.begin(kind, key, function)`
after it. If the process is killed, another one calls the kind's own function, which tells that it was interrupted.

Tests call `calendar.background.run_due()`, which runs what is due in the calling thread.
"""
