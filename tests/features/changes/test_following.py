"""The invariant of contract §14: who follows changes has what a read of every record gives, whoever it is and
whatever others do meanwhile; and nobody is told that something is gone which he never could read."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test
from tests.conftest import World, build, close
from tests.effort import effort
from tests.features.changes.mirror import Mirror, difference, everything
from tests.features.consistency.machine import SCOPES, CalendarMachine, numbers
from tests.stores import Template

from kalends.contract.kinds import KIND_OF

READERS = ("anonymous", "contributor", "author", "other_author", "editor", "subscriber")
SHOWN_HIDDEN = ("contributor", "other_author", "editor")  # the others do not ask for what is hidden from lists
LIMITS = (1, 3, 1000)
# What the requests of a batch do with one of a few records.
ACTS = (
    *("publish", "draft", "private", "rename", "hide", "show", "protect", "open", "hand over", "trash", "delete"),
    "create",
)
acts = st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 1)), min_size=2, max_size=6)


class FollowedMachine(CalendarMachine):
    """Everybody follows the changes, each at another pace and by pages of another size."""

    def __init__(self) -> None:
        super().__init__()
        self.mirrors: dict[str, Mirror] = {}
        self.accounts_of: dict[str, int] = {}
        self.number = 0

    @invariant()
    def the_calendar_agrees_with_itself(self) -> None:
        """Other tests look for that."""

    @rule(
        kind=st.sampled_from(("event", "event", "venue", "organizer", "category", "tag")),
        some=st.tuples(numbers, numbers),
        acts=acts,
        scope=st.sampled_from(SCOPES),
        atomic=st.booleans(),
    )
    def change_in_one_transaction(
        self, kind: str, some: tuple[int, int], acts: list[tuple[str, int]], scope: str, atomic: bool
    ) -> None:
        known = {who: set(mirror.follow()) for who, mirror in self.mirrors.items()}
        ids = [self.chosen(kind, number) for number in some]
        requests = [self.request(kind, ids[which], act, scope) for act, which in acts]
        answer = self.world.post("/batch", "administrator", json={"requests": requests, "atomic": atomic})
        assert answer.status_code == 207, answer.text
        assert all(one["status"] < 500 for one in answer.json()["responses"]), answer.text
        for who, mirror in self.mirrors.items():
            mirror.follow()
            gone = {(one["kind"], one["id"]) for one in mirror.told if one["change"] == "gone"}
            assert gone <= known[who], who

    def request(self, kind: str, id: int, act: str, scope: str) -> dict[str, Any]:
        self.number += 1
        plural, word = KIND_OF[kind].plural, f"only-within-{self.number}"
        path = f"/{plural}/{id}"
        scoped = f"?scope={scope}" if kind == "event" else ""
        if act in ("trash", "delete"):
            force = "force=true" if act == "delete" else "force=false"
            return {"method": "DELETE", "path": f"{path}{scoped or '?'}{'&' if scoped else ''}{force}"}
        if act == "create":
            named = {"event": "title", "venue": "venue", "organizer": "organizer"}.get(kind, "name")
            title = {named: word} | ({"start_date": "2026-11-20 10:00:00"} if kind == "event" else {})
            return {"method": "POST", "path": f"/{plural}", "body": title}
        name = {"slug": word, "source": "elsewhere", "external_id": word}
        if KIND_OF[kind].is_term:
            return {"method": "PUT", "path": path, "body": {"slug": word}}
        body = {"rename": name, "hand over": {"author": self.world.ids.get("other_author", 1)}}
        if kind == "event":
            body |= {"hide": {"hide_from_listings": True}, "show": {"hide_from_listings": False}}
            body |= {"protect": {"post_password": "sesame"}, "open": {"post_password": ""}}
        else:
            body |= {"hide": {"status": "draft"}, "show": {"status": "publish"}}
            body |= {"protect": {"status": "private"}, "open": {"status": "pending"}}
        return {"method": "PUT", "path": f"{path}{scoped}", "body": body.get(act, {"status": act})}

    @invariant()
    def copies_are_exact(self) -> None:
        self.number += 1
        for position, who in enumerate(READERS):
            if who not in self.mirrors or self.accounts_of[who] != self.world.ids.get(who, 0):
                hidden = who in SHOWN_HIDDEN
                self.mirrors[who] = Mirror(self.world, who, LIMITS[position % len(LIMITS)], show_hidden=hidden)
                self.accounts_of[who] = self.world.ids.get(who, 0)
            if (self.number + position) % 3 == 0:
                copy = self.mirrors[who].follow()
                expected = everything(self.world, who, show_hidden=who in SHOWN_HIDDEN)
                assert not (found := difference(copy, expected)), (who, found)


@pytest.mark.both_stores
def test_a_copy_is_exact_after_every_page_without_more(
    template: Template, tmp_path_factory: pytest.TempPathFactory
) -> None:
    class Machine(FollowedMachine):
        @staticmethod
        def make_world() -> World:
            return build(template, tmp_path_factory.mktemp("walk"), recurrence_months="2", changes_days="36500")

        @staticmethod
        def close_world(world: World) -> None:
            close(template, world)

    chosen = settings(
        max_examples=effort(3, 150),
        stateful_step_count=effort(20, 60),
        suppress_health_check=list(HealthCheck),
        deadline=None,
        phases=effort((Phase.generate,), (Phase.generate, Phase.shrink)),
    )
    run_state_machine_as_test(Machine, settings=chosen)
