"""A recurrence as clients of Events Calendar Pro write it, as the object of ours that says the same."""

import re
from collections.abc import Iterator, Mapping
from functools import wraps
from typing import Any

import falcon

from kalends.contract.operations.model import COMPAT_ROOT
from kalends.http.messages import bodies
from kalends.http.request_context import context_of
from kalends.http.router import DescribedResource, Responder
from kalends.http.service import Service
from kalends.values import dates, recurrence
from kalends.values.dates import NotADate, Wall
from kalends.values.recurrence import RecurrenceError
from kalends.values.recurrence.parsing import KEYS
from kalends.values.recurrence.rules import WEEKDAYS

FIELD = "recurrence"
EVENTS = f"{COMPAT_ROOT}/tribe/events/v1/events"
NOT_UNDERSTOOD = '299 - "The recurrence was not understood: it is left out."'
FREQUENCIES = {
    **dict.fromkeys(("day", "daily"), "DAILY"),
    **dict.fromkeys(("week", "weekly"), "WEEKLY"),
    **dict.fromkeys(("month", "monthly"), "MONTHLY"),
    **dict.fromkeys(("year", "yearly", "annual", "annually"), "YEARLY"),
}
WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1}
KNOWN = frozenset(
    {"type", "interval", "end_type", "end", "end_count", "end_date", "count", "until", "on", "day", "days"}
    | {"number", "month", "week", "year", "same_time", "same_day", "custom", "occurrences", "frequency", "ends"}
)
Json = Mapping[str, Any]


class NotUnderstood(Exception):
    """The object says something that no rule of ours is known for."""


def with_known_recurrence(resource: DescribedResource, path: str, responder: Responder) -> Responder:
    """The responder of a write: below `/wp-json`, an event that repeats in words of the Pro plugin repeats by a rule,
    and one whose words are not known is a single event, with a warning."""
    if path != EVENTS and not path.startswith(f"{EVENTS}/"):
        return responder
    service = resource.service

    @wraps(responder)
    def respond(req: falcon.Request, resp: falcon.Response, **where: Any) -> None:
        if not context_of(req).caller.is_anonymous and _may_name_it(req, service):
            sent = bodies.read(req, service.settings.max_body)
            written = sent.get(FIELD)
            if isinstance(written, Mapping | list) and not _is_ours(written):
                try:
                    bodies.replace(req, {**sent, FIELD: native_recurrence(written)})
                except NotUnderstood:
                    bodies.replace(req, {name: value for name, value in sent.items() if name != FIELD})
                    resp.append_header("Warning", NOT_UNDERSTOOD)
        responder(req, resp, **where)

    return respond


def _may_name_it(req: falcon.Request, service: Service) -> bool:
    if getattr(req.context, "replaced_body", None) is not None:
        return True
    media_type = (req.content_type or bodies.JSON).partition(";")[0].strip().lower()
    if media_type not in (bodies.JSON, bodies.FORM):
        return False
    return FIELD.encode() in bodies.raw(req, service.settings.max_body) or FIELD in req.query_string


def _is_ours(written: object) -> bool:
    return isinstance(written, Mapping) and bool(written) and set(written) <= set(KEYS)


def native_recurrence(written: object) -> dict[str, Any]:
    """`{rule, dates, exceptions}`. Raises NotUnderstood."""
    if isinstance(written, Mapping):
        given = _plain(written)
        rules = _listed(given["rules"]) if "rules" in given else [written]
        excluded = _listed(given.get("exclusions", []))
        if "rules" in given and set(given) - {"rules", "exclusions", "description"}:
            raise NotUnderstood
    else:
        rules, excluded = _listed(written), []
    found: dict[str, Any] = {
        "dates": [one for rule in rules for one in _dates(rule)],
        "exceptions": [one for rule in excluded for one in _dates(rule)],
    }
    if len(found["exceptions"]) != len(excluded):
        raise NotUnderstood
    repeating = [rule for rule in rules if not [*_dates(rule)]]
    if len(repeating) > 1:
        raise NotUnderstood
    found["rule"] = _rule(repeating[0]) if repeating else ""
    try:
        recurrence.parse(found)
    except RecurrenceError:
        raise NotUnderstood from None
    return found


def _listed(value: object) -> list[object]:
    """A list, also as a form or PHP writes it."""
    if isinstance(value, Mapping):
        return [*value.values()]
    if isinstance(value, list):
        return value
    raise NotUnderstood


def _plain(value: object) -> dict[str, Any]:
    """An object with keys of one spelling."""
    if not isinstance(value, Mapping):
        raise NotUnderstood
    return {str(key).lower().replace("-", "_").replace(" ", "_"): inner for key, inner in value.items()}


def _dates(rule: object) -> Iterator[str]:
    """The one date that a rule of the type `Date` adds or takes out."""
    given = _plain(rule)
    custom = _plain(given["custom"]) if isinstance(given.get("custom"), Mapping) else {}
    if str(custom.get("type", given.get("type", ""))).lower() == "date":
        named = custom.get("date", given.get("date"))
        yield str(_plain(named).get("date", "") if isinstance(named, Mapping) else named or "")


def _rule(written: object) -> str:
    given = _plain(written)
    custom = given.pop("custom", None)
    if isinstance(custom, Mapping) and custom:
        given |= _plain(custom)
    if set(given) - KNOWN:
        raise NotUnderstood
    words = re.split(r"[\s_-]+", str(given.get("type") or given.get("frequency") or "").lower().strip())
    words = [word for word in words if word != "every"]
    days = _weekly_days(given)
    if words == ["weekday"] or words == ["weekdays"]:
        words, days = ["week"], [*WEEKDAYS[:5]]
    frequency = FREQUENCIES.get(words[0]) if len(words) == 1 else None
    if frequency is None:
        raise NotUnderstood
    parts = [f"FREQ={frequency}"]
    if str(given.get("interval") or 1) != "1":
        parts.append(f"INTERVAL={given['interval']}")
    if frequency == "WEEKLY" and days:
        parts.append(f"BYDAY={','.join(days)}")
    elif frequency in ("MONTHLY", "YEARLY"):
        parts += _month_parts(given, frequency)
    elif given.get("on") or days:
        raise NotUnderstood
    return ";".join([*parts, *_end(given)])


def _weekly_days(given: Json) -> list[str]:
    week = _plain(given["week"]) if isinstance(given.get("week"), Mapping) else {}
    found = given.get("days") or week.get("day") or given.get("on") or given.get("day") or []
    if isinstance(found, str):
        found = re.split(r"[,\s]+", found.strip())
    found = _listed(found) if isinstance(found, list | Mapping) else [found]
    if given.get("on") and not all(_weekday(one) for one in found):
        return []  # the day of a month
    return [_weekday(one) or _unknown() for one in found]


def _month_parts(given: Json, frequency: str) -> Iterator[str]:
    """Which day of a month: `first monday`, 15, or `{"number": "First", "day": 1}`."""
    year = _plain(given["year"]) if isinstance(given.get("year"), Mapping) else {}
    if months := year.get("month"):
        yield f"BYMONTH={','.join(map(str, _listed(months) if isinstance(months, list | Mapping) else [months]))}"
    month = _plain(given["month"]) if isinstance(given.get("month"), Mapping) else year
    number, day = month.get("number", given.get("number")), month.get("day", given.get("day"))
    if given.get("on"):
        number, _, day = str(given["on"]).lower().strip().partition(" ")
    if number in (None, ""):
        if given.get("days") or day:
            raise NotUnderstood
        return
    position = ORDINALS.get(str(number).lower())
    if position is not None:
        yield f"BYDAY={position}{_weekday(str(day).removeprefix('of ').strip()) or _unknown()}"
    elif str(number).isdigit() and not day:
        yield f"BYMONTHDAY={number}"
    else:
        raise NotUnderstood


def _weekday(value: object) -> str:
    """Of a name, its beginning, or a number, of which 1 is Monday."""
    text = str(value).lower().strip()
    if text.isdigit():
        return WEEKDAYS[int(text) - 1] if 1 <= int(text) <= 7 else ""
    return next(
        (WEEKDAYS[number] for number, name in enumerate(WEEKDAY_NAMES) if len(text) > 1 and name.startswith(text)), ""
    )


def _unknown() -> str:
    raise NotUnderstood


def _end(given: Json) -> Iterator[str]:
    """When it ends: never, after some dates, or on a day."""
    kind = str(given.get("end_type") or given.get("ends") or "").lower()
    count = given.get("end_count") or given.get("count") or given.get("occurrences")
    until = given.get("end_date") or given.get("until") or given.get("end")
    if kind in ("after", "count", "occurrences") or (not kind and count):
        yield f"COUNT={count or until}"
    elif kind in ("on", "date", "until", "by") or (not kind and until):
        try:
            moment = dates.read(str(until or ""))
        except NotADate:
            raise NotUnderstood from None
        if not isinstance(moment, Wall):
            raise NotUnderstood
        yield f"UNTIL={moment.at:%Y%m%d}"
    elif kind not in ("never", ""):
        raise NotUnderstood
