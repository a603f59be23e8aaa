"""Names the tests that needed a second attempt, at the end of a run: they passed, and yet something is wrong."""

from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    tests = dict.fromkeys(report.nodeid for report in terminalreporter.stats.get("rerun", ()))
    if tests:
        terminalreporter.section(f"{len(tests)} needed a second attempt", sep="=", yellow=True)
        for test in tests:
            terminalreporter.write_line(test)
