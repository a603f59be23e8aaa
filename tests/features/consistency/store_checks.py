"""What `kalends check` finds wrong in a store: any test of the core may end with it (tests/store_checks.py)."""

from collections.abc import Iterator

from kalends.features.consistency import checking
from kalends.settings import Settings
from kalends.store.engine.store import Session


def sentences(session: Session, settings: Settings | None, but: str) -> Iterator[str]:
    checks = checking.CHECKS if settings is None else checking.checks(settings)
    for check in checks:
        if check.name != but:
            yield from (problem.sentence for problem in check.find(session))
