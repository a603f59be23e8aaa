"""The conditions of lists of venues, organizers, categories and tags, by what can be asked of them alone."""

from kalends.store.engine.store import Condition, Conditions, Dialect, Ids, Session
from kalends.store.query.list_query import MARGIN, ImageFilters, ListQuery, shifted
from kalends.store.rows import tallies
from kalends.store.rows.records import POST_TYPES
from kalends.store.rows.visibility import Visibility, among
from kalends.store.search import parsing
from kalends.values import names

# The conditions of lists of images, by what can be asked of them alone, and which of them a reader sees.


def image_conditions(found: Conditions, query: ListQuery, dialect: Dialect) -> None:
    images = query.images
    _seen(found, query, images.user)
    if images.unused:
        for kind in POST_TYPES:
            found.add(f"NOT EXISTS (SELECT 1 FROM {kind} r WHERE r.image = p.id)")
        # It may be one of the smaller sizes.
        found.add("p.file <> ? AND p.sizes NOT LIKE ? ESCAPE '!'", images.logo, f'%"{_escaped(images.logo)}"%')
    if images.mime_type is not None:
        found.add("p.mime_type = ?", images.mime_type)
    _named(found, images, dialect)


def _named(found: Conditions, images: ImageFilters, dialect: Dialect) -> None:
    if images.file_part is not None:
        found.add(dialect.contains("p.file"), names.fold(images.file_part))
    if images.words is not None:
        words, search = Conditions(), parsing.parse(images.words)
        # Of older ones only the name of the file here is known, which has hyphens.
        in_name = f"({dialect.contains('p.sort_name')} OR {dialect.contains('p.file')})"
        for word in search.wanted:
            words.add(in_name, word, word.replace(" ", "-"))
        for word in search.unwanted:
            words.add(f"NOT {in_name}", word, word.replace(" ", "-"))
        in_file = dialect.contains("p.file")
        found.add(f"({in_file} OR ({words.where}))", names.fold(images.words), *words.parameters)
    if images.slugs is not None:
        # A file name has one form of a slug, and its folder is a year and a month.
        found.add(
            "(" + " OR ".join("p.file LIKE ? ESCAPE '!'" for _ in images.slugs) + ")",
            *(f"____/__/{_escaped(slug)}.%" for slug in images.slugs),
        )


def _seen(found: Conditions, query: ListQuery, user: int) -> None:
    """The rule of `can_see_image` as a condition: a readable record shows it, or the reader uploaded it."""
    if query.visibility.everything:
        return
    seen, parameters = ["p.author = ?"] if user else [], [user] if user else list[object]()
    if not query.only_editable:
        for kind in POST_TYPES:
            shown, more = query.visibility.where_readable("r")
            if kind == "event":
                opened, opened_parameters = query.visibility.where_unmasked("r")
                shown, more = f"{shown} AND {opened}", [*more, *opened_parameters]
            seen.append(f"EXISTS (SELECT 1 FROM {kind} r WHERE r.image = p.id AND {shown})")
            parameters += more
    found.add(f"({' OR '.join(seen)})" if seen else "FALSE", *parameters)


def _escaped(text: str) -> str:
    for sign in "!%_":
        text = text.replace(sign, f"!{sign}")
    return text


def companion_conditions(session: Session, found: Conditions, query: ListQuery) -> None:
    found.add_condition(query.visibility.where_readable("p"))
    if query.statuses is None:
        found.add("p.status <> 'trash'")
    else:
        found.add_in(query.visibility.status("p"), query.statuses)
    if query.search is not None:
        found.extend(parsing.conditions(session, query.kind, "p", query.search))
    if query.has_events is not None:
        some, parameters = events_of(query.kind, query.visibility)
        has_some = f"(EXISTS ({some}) OR {_has_hidden(query.kind, 'p.id', query.visibility)})"
        found.add(has_some if query.has_events else f"NOT {has_some}", *parameters)
    if query.upcoming_at is not None:
        some, parameters = events_of(query.kind, query.visibility, query.upcoming_at)
        found.add(f"EXISTS ({some})", *parameters)


def events_of(kind: str, visibility: Visibility, not_ended_at: str | None = None) -> Condition:
    """A query for the events of a record `p`, as a reader finds them: without hidden and masked ones."""
    found = Conditions()
    found.add("l.target = p.id")
    if visibility.is_public:
        found.add("l.visibility_level = 2")
    else:
        found.add_condition(visibility.where_readable("e"))
        found.add_condition(visibility.where_unmasked("e"))
        found.add_condition(visibility.where_listed("e"))
        found.add("e.status <> 'trash'")
    if not_ended_at is not None:
        found.add("l.end_local >= ?", shifted(not_ended_at, -MARGIN))
        found.add("e.end_utc > ?", not_ended_at)
    needs_event = not visibility.is_public or not_ended_at is not None
    join = "JOIN event e ON e.id = l.event" if needs_event else ""
    return f"SELECT 1 FROM event_{kind} l {join} WHERE {found.where}", found.parameters


def term_conditions(found: Conditions, query: ListQuery, dialect: Dialect) -> None:
    for word in () if query.search is None else query.search.wanted:
        found.add(dialect.contains("p.words"), word)
    if query.slug is not None:
        found.add("p.slug_key = ?", names.slug_key(query.slug))
    if query.parents is not None:
        found.add(f"p.parent {dialect.in_ids}", Ids(query.parents))
    if query.modified_after is not None:  # the journal has the time of the last change
        found.add("NOT EXISTS (SELECT 1 FROM journal j WHERE j.rev = p.rev AND j.at <= ?)", query.modified_after)
    if not query.hide_empty:
        return
    open_to_all = has_public_events(query.kind, "p.id", query.visibility)
    if query.visibility.is_public:
        found.add(open_to_all)
        return
    sql, parameters = query.visibility.where_editable("e")
    status = query.visibility.status("e")
    found.add(
        f"({open_to_all} OR EXISTS (SELECT 1 FROM event_{query.kind} l JOIN event e ON e.id = l.event"
        f" WHERE l.target = p.id AND l.visibility_level < 2 AND {status} = 'publish' AND {sql}))",
        *parameters,
    )


def has_public_events(kind: str, id: str, visibility: Visibility) -> str:
    """The condition that a public event has a term; events of its descendants count for a category."""
    listed = f"EXISTS (SELECT 1 FROM event_{kind} l WHERE l.target = {id} AND l.visibility_level = 2)"
    return f"({listed} OR {_has_hidden(kind, id, visibility)})"


def _has_hidden(kind: str, id: str, visibility: Visibility) -> str:
    """The condition that a record has a published event that no tally of everybody's lists counts."""
    hidden = tallies.has_hidden(kind, id)
    return f"({hidden} OR EXISTS ({due_links(kind, visibility)} AND l.target = {id}))" if visibility.due else hidden


def due_links(kind: str, visibility: Visibility) -> str:
    """The links of the events that are due and have no password."""
    return (
        f"SELECT l.target AS id FROM event_{kind} l JOIN event d ON d.id = l.event"
        f" WHERE {among('d', visibility.due)} AND d.password IS NULL"
    )
