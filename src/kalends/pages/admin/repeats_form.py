"""The controls for a recurring event: a preset with a few choices, or any iCalendar rule.

The controls and the rule are two writings of the same thing: `rule_of` composes a rule, `controls_of` finds the
controls that would compose it. A rule that no preset can express is shown as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from kalends.values import dates

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
NEVER, UNTIL, COUNT = "never", "until", "count"
NONE, DAILY, WEEKLY, MONTHLY_DAY, MONTHLY_WEEKDAY, YEARLY, CUSTOM = (
    "none",
    "daily",
    "weekly",
    "monthly_day",
    "monthly_weekday",
    "yearly",
    "custom",
)
FREQUENCIES = {
    DAILY: "DAILY",
    WEEKLY: "WEEKLY",
    MONTHLY_DAY: "MONTHLY",
    MONTHLY_WEEKDAY: "MONTHLY",
    YEARLY: "YEARLY",
}


@dataclass(frozen=True, slots=True)
class Repeats:
    """The values of the controls."""

    preset: str = NONE
    interval: str = "1"
    weekdays: frozenset[str] = frozenset()
    end: str = NEVER
    until: str = ""
    count: str = ""
    rule: str = ""  # as it was typed, for CUSTOM
    dates: tuple[str, ...] = ()  # dates beside the rule, which the form keeps
    exceptions: tuple[str, ...] = ()


def controls_in(form: Mapping[str, Sequence[str]]) -> Repeats:
    def first(name: str, default: str = "") -> str:
        return (form.get(name) or (default,))[0].strip()

    return Repeats(
        preset=first("repeat", NONE),
        interval=first("repeat_interval") or "1",
        weekdays=frozenset(form.get("repeat_weekday", ())) & frozenset(WEEKDAYS),
        end=first("repeat_end", NEVER),
        until=first("repeat_until"),
        count=first("repeat_count"),
        rule=first("repeat_rule"),
        dates=tuple(form.get("repeat_dates[]", ())),
        exceptions=tuple(form.get("repeat_exceptions[]", ())),
    )


def recurrence_of(repeats: Repeats, start_day: str) -> object:
    """What the field `recurrence` is sent: empty for a single event."""
    rule = rule_of(repeats, start_day)
    return {"rule": rule, "dates": repeats.dates, "exceptions": repeats.exceptions} if rule else ""


def rule_of(repeats: Repeats, start_day: str) -> str:
    """The rule that the controls describe. Values that cannot be read stay in it, and are refused with its name."""
    if repeats.preset == CUSTOM:
        return repeats.rule
    if repeats.preset not in FREQUENCIES:
        return ""
    parts = [f"FREQ={FREQUENCIES[repeats.preset]}"]
    if repeats.interval != "1":
        parts.append(f"INTERVAL={repeats.interval}")
    start = dates.day_in(start_day)
    if repeats.preset == WEEKLY and repeats.weekdays:
        parts.append("BYDAY=" + ",".join(day for day in WEEKDAYS if day in repeats.weekdays))
    if repeats.preset == MONTHLY_WEEKDAY and start:
        parts.append(f"BYDAY={_nth_weekday(start)}")
    if repeats.end == UNTIL and repeats.until:
        parts.append(f"UNTIL={repeats.until.replace('-', '')}")
    if repeats.end == COUNT and repeats.count:
        parts.append(f"COUNT={repeats.count}")
    return ";".join(parts)


def missing_end(repeats: Repeats) -> list[str]:
    """The control that says when a series ends, if it is chosen and empty."""
    if repeats.preset not in FREQUENCIES:
        return []
    needed = {UNTIL: ("repeat_until", repeats.until), COUNT: ("repeat_count", repeats.count)}
    control, value = needed.get(repeats.end, ("", "given"))
    return [] if value else [control]


def controls_of(recurrence: Mapping[str, object] | None, start_day: str) -> Repeats:
    """The controls for a stored recurrence."""
    if not recurrence:
        return Repeats()
    rule = str(recurrence["rule"])
    beside = Repeats(
        dates=tuple(map(str, _list(recurrence.get("dates")))),
        exceptions=tuple(map(str, _list(recurrence.get("exceptions")))),
    )
    parts = dict(part.partition("=")[::2] for part in rule.removeprefix("RRULE:").split(";") if part)
    if (preset := _preset(parts, start_day)) is None:
        return replace(beside, preset=CUSTOM, rule=rule)
    until = parts.get("UNTIL", "")[:8]
    return replace(
        beside,
        preset=preset,
        interval=parts.get("INTERVAL", "1"),
        weekdays=frozenset(parts.get("BYDAY", "").split(",") if preset == WEEKLY else ()) & frozenset(WEEKDAYS),
        end=UNTIL if until else COUNT if "COUNT" in parts else NEVER,
        until=f"{until[:4]}-{until[4:6]}-{until[6:]}" if until else "",
        count=parts.get("COUNT", ""),
    )


def _preset(parts: Mapping[str, str], start_day: str) -> str | None:
    """The preset that composes this rule, if one does."""
    start = dates.day_in(start_day)
    weekday_rules = {name: value for name, value in parts.items() if name.startswith("BY")}
    match parts.get("FREQ"), weekday_rules:
        case "DAILY", rules if not rules:
            return DAILY
        case "WEEKLY", rules if set(rules) <= {"BYDAY"} and set(rules.get("BYDAY", "MO").split(",")) <= {*WEEKDAYS}:
            return WEEKLY
        case "MONTHLY", rules if not rules or (start and rules == {"BYMONTHDAY": str(start.day)}):
            return MONTHLY_DAY
        case "MONTHLY", {"BYDAY": day, **others} if start and not others and day == _nth_weekday(start):
            return MONTHLY_WEEKDAY
        case "YEARLY", rules if not rules:
            return YEARLY
    return None


def _nth_weekday(day: date) -> str:
    """The second Tuesday of a month is 2TU; a fifth one is the last, since most months have four."""
    nth = (day.day - 1) // 7 + 1
    return f"{nth if nth < 5 else -1}{WEEKDAYS[day.weekday()]}"


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else ()
