"""Checks what the filters of a list name: statuses, linked records, events and places must be known."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kalends.calendar.access import UnitOfWork, may_ask_for_any_status
from kalends.calendar.lists.typed_values import elements, ids, number, strings
from kalends.calendar.posts import labels, old_slugs
from kalends.contract.errors import EMPTY, LOG_IN_HOW, NOT_IN_ENUM, UNKNOWN, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.event_filters import ENDINGS, EVERYTHING
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.languages import N_
from kalends.store.query import named_records, places_and_costs
from kalends.store.query.list_query import RELEVANCE
from kalends.store.rows import links, merges, posts, series, terms
from kalends.store.rows.records import Event, Post, Term
from kalends.store.rows.visibility import Visibility
from kalends.store.search import parsing

LONGEST_ID = 15


def check_statuses(work: UnitOfWork, values: Values, problems: Problems, *, code: str = NOT_IN_ENUM) -> None:
    """Callers who can edit nothing may only ask for what is published."""
    asked = strings(values, "status")
    if asked is None or asked == [PUBLISH] or may_ask_for_any_status(work.caller):
        return
    problem = FieldError(code, N_("must be one of: {choices}."), choices=PUBLISH)
    if work.caller.is_anonymous:
        how = FieldError("", LOG_IN_HOW)
        problem = FieldError(code, N_("must be {choices} for anonymous readers. {how}"), choices=PUBLISH, how=how)
    problems.add("status", problem)


def linked_ids(
    work: UnitOfWork, visibility: Visibility, values: Values, problems: Problems
) -> dict[str, Sequence[int]]:
    """What events must be linked to: ids by kind."""
    linked: dict[str, Sequence[int]] = {}
    for name, kind in LINKED_KINDS.items():
        if kind.is_term:
            if name in values:
                linked[kind.name] = _term_ids(work, kind, name, values, problems)
        elif name in values:
            asked = ids(values, name) or []
            found = _readable(work, visibility, kind, asked)
            readable = [found[id].id if id in found else None for id in asked]
            _refuse_unknown(name, asked, readable, problems)
            linked[kind.name] = list(dict.fromkeys(id for id in readable if id is not None))
        elif name in problems:
            _suggest_names(work, kind, name, problems)
    return linked


def _readable(work: UnitOfWork, visibility: Visibility, kind: Kind, ids: Sequence[int]) -> dict[int, Post]:
    """The records that ids name, by these; one that was merged is the one that stays."""
    known = posts.find_many(work.session, kind.name, ids)
    live = {id: post for id, post in known.items() if post.status != TRASH and visibility.can_read(post)}
    stays = {id: old_slugs.find(work, visibility, kind, id) for id in ids if id not in live}
    trashed = {id: post for id, post in known.items() if visibility.can_read(post)}
    return trashed | live | {id: post for id, post in stays.items() if isinstance(post, Post)}


class NamedSeries(NamedTuple):
    """A series as the filter of a list names it."""

    id: int
    slug: str
    name: str


def chosen_records(
    work: UnitOfWork, asked: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Post | Term | NamedSeries]]:
    """By filter, the records that values in the address of a page name, each by its value, an id or a slug. Old names
    count, and what the caller may not know of is left out."""
    found: dict[str, dict[str, Post | Term | NamedSeries]] = {name: {} for name in asked}
    for name, written in asked.items():
        numbers = {
            value: int(value) for value in written if value.isascii() and value.isdigit() and len(value) <= LONGEST_ID
        }
        if name not in LINKED_KINDS:
            found[name] = {value: one for value, id in numbers.items() if (one := _series_of(work, id)) is not None}
            continue
        kind = LINKED_KINDS[name]
        if kind.is_term:
            terms_named = {value: _term(work, kind, numbers.get(value, value)) for value in written}
            found[name] = {value: term for value, term in terms_named.items() if term is not None}
        else:
            readable = _readable(work, work.visibility, kind, list(numbers.values()))
            found[name] = {value: readable[number] for value, number in numbers.items() if number in readable}
            slugs = {value: _by_slug(work, kind, value) for value in written if value not in numbers}
            found[name] |= {value: post for value, post in slugs.items() if post is not None}
    return found


def _by_slug(work: UnitOfWork, kind: Kind, slug: str) -> Post | Term | None:
    post = old_slugs.find_live(work, kind, slug)
    is_readable = isinstance(post, Post) and work.visibility.can_read(post)
    return post if is_readable else old_slugs.find(work, work.visibility, kind, slug)


def _series_of(work: UnitOfWork, id: int) -> NamedSeries | None:
    """The series, or another one of its course, if the reader can read one of its dates."""
    for one in (id, *series.of_course(work.session, id)):
        if (known := series.find_readable(work.session, work.visibility, one)) is not None:
            return NamedSeries(id, "", known.template.event.name)
    return None


def current_ids(work: UnitOfWork, kind: Kind, values: Values, name: str) -> list[int] | None:
    """The ids that a filter of a list of other records than events names; of merged records, those that stay. Who
    asks for a status may ask for the merged ones themselves, which are in the trash."""
    asked = ids(values, name)
    return old_slugs.current_ids(work, kind, asked) if asked and "status" not in values else asked


def check_terms(work: UnitOfWork, kind: Kind, values: Values, problems: Problems) -> None:
    """The terms that `include`, `exclude` and `parent` name must exist."""
    for name in ("include", "exclude"):
        asked = ids(values, name) or []
        known = terms.find_many(work.session, kind.name, current_ids(work, kind, values, name) or ())
        stays = merges.merged_into(work.session, kind.name, [id for id in asked if id not in known])
        _refuse_unknown(name, asked, [id if stays.get(id, id) in known else None for id in asked], problems)
    parent = number(values, "parent")
    if parent and terms.find(work.session, kind.name, parent) is None:
        kept = old_slugs.find(work, work.visibility, kind, parent)
        if kept is None:
            problems.add("parent", FieldError(UNKNOWN, N_("is not the id of a category.")))
        else:
            values["parent"] = kept.id


def readable_event(
    work: UnitOfWork, visibility: Visibility, name: str, values: Values, problems: Problems
) -> Event | None:
    """The event that a filter names. One that the caller may not read counts as unknown."""
    id = number(values, name)
    if id is None:
        return None
    event = posts.find(work.session, EVENT.name, id)
    if not isinstance(event, Event) or not visibility.can_read(event):
        problems.add(name, FieldError(UNKNOWN, N_("is not the id of an event.")))
        return None
    return event


def series_named(work: UnitOfWork, visibility: Visibility, values: Values, problems: Problems) -> list[int] | None:
    """The series that a filter names, with `whole` all of its course. What the caller may not know of counts as
    unknown."""
    id = number(values, "series")
    if id is None:
        return None
    found = series.of_course(work.session, id) if values.get("whole") else [id]
    if not any(series.find_readable(work.session, visibility, one) for one in found):
        problems.add("series", FieldError(UNKNOWN, N_("is not the number of a series.")))
    return found


def visible_links(work: UnitOfWork, visibility: Visibility, kind: Kind, event: Event | None) -> list[int] | None:
    """The ids that an event is linked to, None without one; none of an event that is masked for the caller."""
    if event is None:
        return None
    return links.targets(work.session, kind.name, event.id) if visibility.can_unmask(event) else []


def venues_near(work: UnitOfWork, visibility: Visibility, values: Values, problems: Problems) -> list[int] | None:
    """The venues around a point; both coordinates or none."""
    point = [values.get("geoloc_lat"), values.get("geoloc_lng")]
    for name, other in (("geoloc_lat", "geoloc_lng"), ("geoloc_lng", "geoloc_lat")):
        if name in values and other not in values and other not in problems:
            problems.add(other, FieldError(EMPTY, N_("must be sent together with {other}."), other=name))
    if not all(isinstance(coordinate, float) for coordinate in point):
        return None
    radius = values.get("geoloc_radius", work.settings.geoloc_radius)
    lat, lng, kilometres = (float(str(value)) for value in (*point, radius))
    return places_and_costs.venues_near(work.session, visibility, lat, lng, kilometres)


def search(values: Values, problems: Problems) -> parsing.Search | None:
    if "search" not in values:
        return None
    parsed = parsing.parse(str(values["search"]))
    if not parsed.wanted and not parsed.unwanted:
        problems.add("search", FieldError(EMPTY, N_("cannot be blank.")))
    return parsed


def event_search(
    work: UnitOfWork, visibility: Visibility, values: Values, problems: Problems
) -> parsing.Search | None:
    """The words of a search of events, where they may stand, and whether there are any to order by."""
    found = search(values, problems)
    if found is None and values.get("orderby") == RELEVANCE and "search" not in problems:
        problems.add(
            "orderby", FieldError(NOT_IN_ENUM, N_("can be {value} only together with search."), value=RELEVANCE)
        )
    if found is not None and ENDINGS in values:
        found = found.with_endings(str(values[ENDINGS]))
    if found is None or values.get("search_in") != EVERYTHING:
        return found
    if not work.epoch:  # something may be renamed in between
        return named_records.everywhere(work.session, visibility, found)
    asked = (found.words, values.get(ENDINGS), visibility)
    if asked not in work.searches:
        work.searches[asked] = named_records.everywhere(work.session, visibility, found)
    return work.searches[asked]


def _term_ids(work: UnitOfWork, kind: Kind, name: str, values: Values, problems: Problems) -> list[int]:
    """The ids of the terms that a filter names by id or slug; the closest slugs help with one that is unknown."""
    asked = elements(values, name)
    known = [_term_id(work, kind, element) for element in asked]
    unknown = next((element for element, id in zip(asked, known, strict=True) if id is None), None)
    closest = labels.term_slugs(work, kind, unknown) if isinstance(unknown, str) else []
    if closest:
        sentence = N_("has an unknown value: {name}. Closest matches: {closest}.")
        problems.add(name, FieldError(UNKNOWN, sentence, name=unknown, closest=", ".join(closest)))
    _refuse_unknown(name, asked, known, problems)
    return list(dict.fromkeys(id for id in known if id is not None))


def _term_id(work: UnitOfWork, kind: Kind, element: object) -> int | None:
    term = _term(work, kind, element)
    return None if term is None else term.id


def _term(work: UnitOfWork, kind: Kind, element: object) -> Term | None:
    """The term of an id or a slug. What is there comes before what was merged or had this slug earlier."""
    number = element if isinstance(element, int) else None
    term = None if number is None else terms.find(work.session, kind.name, number)
    if term is None:  # a slug may be a number, too
        term = terms.find_by_slug(work.session, kind.name, str(element))
    found: Post | Term | None = term
    if found is None and number is not None:
        found = old_slugs.find(work, work.visibility, kind, number)
    if found is None:
        found = old_slugs.find(work, work.visibility, kind, str(element))
    return found if isinstance(found, Term) else None


def _suggest_names(work: UnitOfWork, kind: Kind, name: str, problems: Problems) -> None:
    """A name was sent where ids are asked for: the ids of the closest names."""
    problem = problems.by_name[name]
    closest = labels.named_ids(work, kind.name, str(problem.arguments.get("value", "")))
    if closest:
        sentence = N_("must be ids, as an array or separated by commas. Closest names: {closest}.")
        problems.by_name[name] = FieldError(problem.code, sentence, closest=", ".join(closest))


def _refuse_unknown(name: str, asked: Sequence[object], known: Sequence[int | None], problems: Problems) -> None:
    for element, id in zip(asked, known, strict=True):
        if id is None:
            problems.add(name, FieldError(UNKNOWN, N_("has an unknown value: {name}."), name=element))
