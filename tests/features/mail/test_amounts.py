"""Many digests in bounded memory, each once; and a process that is killed between sending and noting it."""

import tracemalloc
from typing import Any

import pytest
from tests.conftest import World
from tests.effort import effort
from tests.features.mail.post_office import PostOffice

from kalends.calendar.access import SERVICE
from kalends.features.mail import outbox
from kalends.features.mail import rows as mail
from kalends.features.mail.following import digests
from kalends.features.mail.following import rows as follows
from kalends.features.mail.following.rows import WEEKLY, Follow
from kalends.features.mail.letters import to_accounts

FOLLOWERS = effort(200, 10_000)
KILLS = effort(3, 100)
MEGABYTE = 1 << 20


class Killed(BaseException):
    """What a kill leaves: nothing after this line is done."""


def test_digests_are_made_once_and_in_bounded_memory(mailing: World) -> None:
    mailing.make("events", title="Soon", start_date="2026-11-16 20:00:00", end_date="2026-11-16 22:00:00")
    past = "2026-11-08 12:00:00"
    with mailing.calendar.store.write() as session:
        for number in range(FOLLOWERS):
            follow = Follow(0, f"reader{number}@example.org", "en", WEEKLY, "{}", "All", "/events/list/", None, "",
                            past, past, 0, "2026-11-15 12:00:00")  # fmt: skip
            follows.insert(session, follow)
    kind = mailing.calendar.background.kinds[digests.TASK]
    tracemalloc.start()
    for calendar in (mailing.calendar, mailing.calendar):  # again: nothing comes twice
        while True:
            outcome = kind.run(object())  # type: ignore[arg-type]
            with calendar.store.write() as session:
                outcome.also(session)
            if type(outcome).__name__ == "Done":
                break
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    with mailing.calendar.store.read() as session:
        found = session.all("SELECT address, count(*) FROM mail WHERE kind = 'digest' GROUP BY address")
    assert len(found) == FOLLOWERS
    assert {count for _, count in found} == {1}
    assert peak < 30 * MEGABYTE, peak


@pytest.mark.both_stores
def test_killed_before_it_was_noted_it_comes_again_with_the_same_id(
    mailing: World, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(*arguments: Any, **more: Any) -> None:
        raise Killed

    for number in range(KILLS):
        address = f"reader{number}@example.org"
        with mailing.calendar.writing(SERVICE) as work:
            outbox.put(work, to_accounts.test, address, "en", {})
        with monkeypatch.context() as patch:
            patch.setattr(mail, "end", kill)
            with pytest.raises(Killed):
                mailing.calendar.background.run_due()
        assert len(office.to(address)) == 1
        mailing.clock.move(minutes=1)  # the lease ends
        mailing.neighbour()
        mailing.neighbours[-1].background.run_due()
        ids = [message["Message-ID"] for message in office.to(address)]
        assert len(ids) == 2
        assert len(set(ids)) == 1
        mailing.clock.move(minutes=10)
        mailing.calendar.background.run_due()
        assert len(office.to(address)) == 2
