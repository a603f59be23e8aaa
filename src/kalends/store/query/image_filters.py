"""The conditions of lists of images, by what can be asked of them alone, and which of them a reader sees."""

from kalends.store.engine.conditions import Conditions
from kalends.store.engine.store import Dialect
from kalends.store.query.list_query import ImageFilters, ListQuery
from kalends.store.rows.records import POST_TYPES
from kalends.store.search import parsing
from kalends.values import names


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
