"""The controls for a recurring event: a preset with a few choices, or any iCalendar rule.

The controls and the rule are two writings of the same thing: `rule_of` composes a rule, `controls_of` finds the
controls that would compose it. A rule that no preset can express is shown as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from kalends.values import dates

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
NEVER, UNTIL, COUNT = "never", "until", "count"
NONE, DAILY, WEEKLY, MONTHLY_DAY, MONTHLY_WEEKDAY, MONTHLY_LAST, YEARLY, CUSTOM = (
    "none",
    "daily",
    "weekly",
    "monthly_day",
    "monthly_weekday",
    "monthly_last",
    "yearly",
    "custom",
)
FREQUENCIES = {
    DAILY: "DAILY",
    WEEKLY: "WEEKLY",
    MONTHLY_DAY: "MONTHLY",
    MONTHLY_WEEKDAY: "MONTHLY",
    MONTHLY_LAST: "MONTHLY",
    YEARLY: "YEARLY",
}
REPEAT_CONTROLS = (
    *("repeat", "repeat_interval", "repeat_weekday", "repeat_end", "repeat_until", "repeat_count", "repeat_rule"),
    *("repeat_dates[]", "repeat_exceptions[]"),
)


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
    dates: tuple[str, ...] = ()  # beside the rule
    exceptions: tuple[str, ...] = ()
    # The weekday that follows the start, since the form has ticked it by itself. It says nothing about the rule.
    suggested: str = field(default="", compare=False)


def controls_in(form: Mapping[str, Sequence[str]]) -> Repeats:
    def first(name: str, default: str = "") -> str:
        return (form.get(name) or (default,))[0].strip()

    def several(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value.strip() for value in form.get(name, ()) if value.strip()))

    weekdays = frozenset(form.get("repeat_weekday", ())) & frozenset(WEEKDAYS)
    if weekdays == {first("repeat_suggested")}:
        weekdays = weekday_of(first("start_day")) or weekdays
    return Repeats(
        preset=first("repeat", NONE),
        interval=first("repeat_interval") or "1",
        weekdays=weekdays,
        end=first("repeat_end", NEVER),
        until=first("repeat_until"),
        count=first("repeat_count"),
        rule=first("repeat_rule"),
        dates=several("repeat_dates[]"),
        exceptions=several("repeat_exceptions[]"),
        suggested="".join(weekday_of(first("start_day"))) if first("repeat_suggested") else "",
    )


def controls_sent(repeats: Repeats) -> dict[str, list[str]]:
    """What a browser would send of them."""
    return {
        "repeat": [repeats.preset],
        "repeat_interval": [repeats.interval],
        "repeat_weekday": sorted(repeats.weekdays),
        "repeat_end": [repeats.end],
        "repeat_until": [repeats.until],
        "repeat_count": [repeats.count],
        "repeat_rule": [repeats.rule],
        "repeat_dates[]": list(repeats.dates),
        "repeat_exceptions[]": list(repeats.exceptions),
    }


def for_single(start_day: str) -> Repeats:
    """The controls of an event that does not repeat: the weekday of its start is ticked already."""
    weekday = weekday_of(start_day)
    return Repeats(weekdays=weekday, suggested="".join(weekday))


def following_start(repeats: Repeats, start_day: str) -> Repeats:
    """The controls of an event that repeats on the weekday of its start: that one follows the start."""
    weekday = weekday_of(start_day)
    is_following = repeats.preset == WEEKLY and repeats.weekdays == weekday
    return replace(repeats, suggested="".join(weekday)) if is_following else repeats


def is_same(one: Repeats, other: Repeats) -> bool:
    """Whether the controls describe the same; those of an event that does not repeat describe nothing."""
    return one == other or one.preset == other.preset == NONE


def weekday_of(day: str) -> frozenset[str]:
    """The weekday of a day, if it is one."""
    found = dates.day_in(day)
    return frozenset({WEEKDAYS[found.weekday()]}) if found else frozenset()


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
    if repeats.preset == MONTHLY_LAST and start:
        parts.append(f"BYDAY={_last_weekday(start)}")
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


def controls_of(recurrence: Mapping[str, object] | None, start_day: str, last_day: date | None = None) -> Repeats:
    """The controls for a stored recurrence. `last_day`: that of its rule, if it has UNTIL."""
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
    return replace(
        beside,
        preset=preset,
        interval=parts.get("INTERVAL", "1"),
        weekdays=_weekdays(parts, start_day) if preset == WEEKLY else frozenset(),
        end=UNTIL if last_day else COUNT if "COUNT" in parts else NEVER,
        until=last_day.isoformat() if last_day else "",
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
        case "MONTHLY", {"BYDAY": day, **others} if start and not others and day == _last_weekday(start):
            return MONTHLY_LAST
        case "MONTHLY", {"BYDAY": day, **others} if start and not others and day == _nth_weekday(start):
            return MONTHLY_WEEKDAY
        case "YEARLY", rules if not rules:
            return YEARLY
    return None


def is_last_weekday(day: date) -> bool:
    """Whether a month has this weekday no more."""
    return (day + timedelta(days=7)).month != day.month


def _weekdays(parts: Mapping[str, str], start_day: str) -> frozenset[str]:
    """Those of a weekly rule; one that names none goes by its start."""
    return frozenset(parts.get("BYDAY", "").split(",")) & frozenset(WEEKDAYS) or weekday_of(start_day)


def _last_weekday(day: date) -> str:
    """The last Friday of a month is -1FR."""
    return f"-1{WEEKDAYS[day.weekday()]}"


def _nth_weekday(day: date) -> str:
    """The second Tuesday of a month is 2TU; a fifth one is the last, since most months have four."""
    nth = (day.day - 1) // 7 + 1
    return f"{nth}{WEEKDAYS[day.weekday()]}" if nth < 5 else _last_weekday(day)


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else ()
