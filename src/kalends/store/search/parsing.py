"""Parses the text of a search, and builds the conditions that find its words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kalends.store.engine.store import Condition, Conditions, Dialect, Session
from kalends.store.engine.suffix_index import Forms
from kalends.store.search.word_matches import SearchScope, any_of, matches
from kalends.values import endings, names

# A comma divides words as a blank does, but not the digits of a number.
TERM = re.compile(r'(-?)"([^"]*)"|((?:[^\s,;،、，；]|(?<=\d),(?=\d))+)')
LONE_LETTERS = re.compile(r"(?<!\w)(\w) & (\w)(?!\w)")  # R & B is one word
QUOTES = re.compile("[“”„‟«»＂]")
EVERYTHING_OPEN: Condition = ("TRUE", [])
WHOLE_INDEX = SearchScope(listed=True)


@dataclass(frozen=True, slots=True)
class Search:
    """Words that must occur and words that must not, as texts are searched. What was quoted or has punctuation inside
    is one word with blanks in it."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    # Of events: for some words, those records (a kind and ids) that have it in their names, which counts as well.
    named: Mapping[str, Sequence[tuple[str, Sequence[int]]]] = field(default_factory=dict)
    # Of wanted words that may have other endings: the parts of a text of which one will do.
    forms: Mapping[str, Forms] = field(default_factory=dict)

    @property
    def words(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.wanted, self.unwanted

    def only(self, words: Sequence[str] = (), unwanted: Sequence[str] = ()) -> "Search":
        """Some of its words, without the records that have them in their names."""
        return Search(tuple(words), tuple(unwanted), forms=self.forms)

    def forms_of(self, words: Sequence[str]) -> list[Forms]:
        return [self.forms.get(word, (word,)) for word in words]

    def with_endings(self, language: str) -> "Search":
        """A search that finds its words with other endings of a language as well."""
        found = {word: endings.forms(word, language) for word in self.wanted}
        return replace(self, forms={word: forms for word, forms in found.items() if forms != (word,)})


def parse(text: str) -> Search:
    """Signs that are no word do not count; where there is nothing else, they are looked for, and few words have
    any."""
    wanted: list[str] = []
    unwanted: list[str] = []
    signs: tuple[list[str], list[str]] = [], []
    for minus, phrase, word in TERM.findall(LONE_LETTERS.sub(r"\1&\2", QUOTES.sub('"', text))):
        if not phrase and word.startswith("-") and len(word) > 1:
            minus, word = "-", word[1:]
        if plain := names.searched(phrase or word):
            (unwanted if minus else wanted).append(plain)
        elif sign := (phrase or word).strip():
            signs[bool(minus)].append(names.fold(sign))
    if not wanted and not unwanted:
        wanted, unwanted = signs
    return Search(tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(unwanted)))


def phrase(text: str) -> Search:
    """A text that must occur as it is."""
    return Search((names.searched(text) or names.fold(text),), ())


def conditions(
    session: Session,
    kind: str,
    t: str,
    search: Search,
    opened: Condition = EVERYTHING_OPEN,
    scope: SearchScope = WHOLE_INDEX,
) -> Conditions:
    """Every wanted word occurs in the record, and no unwanted one does. `opened`: where it is false, only the title
    counts."""
    found = Conditions()
    if search.wanted:
        found.extend(_occur(session, kind, t, search.forms_of(search.wanted), opened, scope))
    for word in search.unwanted:
        inner = _occur(session, kind, t, [(word,)], opened, scope)
        found.add(f"NOT ({inner.where})", *inner.parameters)
    return found


def text_conditions(dialect: Dialect, search: Search, opened: Condition) -> Conditions:
    """The same of events `e` without the word index, for a few of them."""
    wanted = search.forms_of(search.wanted)
    found = _occur_in_text(dialect, "event", "e", wanted, opened) if wanted else Conditions()
    for word in search.unwanted:
        inner = _occur_in_text(dialect, "event", "e", [(word,)], opened)
        found.add(f"NOT ({inner.where})", *inner.parameters)
    return found


def _occur(
    session: Session, kind: str, t: str, words: Sequence[Forms], opened: Condition, scope: SearchScope
) -> Conditions:
    """By the word index; the texts themselves are read only where that is not exact."""
    found = Conditions()
    indexed = matches(session, kind, words, scope)
    if indexed is not None:
        found.add(f"{t}.{indexed.key} IN ({indexed.sql})", *indexed.parameters)
    if indexed is None or not indexed.exact:
        found.extend(_occur_in_text(session.dialect, kind, t, words, opened))
    elif opened != EVERYTHING_OPEN and not indexed.listed:
        text = Conditions()
        text.add(f"{kind}_text.rowid = {t}.id")
        for forms in words:
            text.add(any_of(session.dialect.contains("title"), len(forms)), *forms)
        is_open, parameters = opened
        found.add(
            f"({is_open} OR EXISTS (SELECT 1 FROM {kind}_text WHERE {text.where}))", *parameters, *text.parameters
        )
    return found


def _occur_in_text(dialect: Dialect, kind: str, t: str, words: Sequence[Forms], opened: Condition) -> Conditions:
    text = Conditions()
    text.add(f"{kind}_text.rowid = {t}.id")
    is_open, parameters = opened
    for forms in words:
        in_title, in_body = (any_of(dialect.contains(column), len(forms)) for column in ("title", "body"))
        text.add(f"({in_title} OR ({is_open} AND {in_body}))", *forms, *parameters, *forms)
    found = Conditions()
    found.add(f"EXISTS (SELECT 1 FROM {kind}_text WHERE {text.where})", *text.parameters)
    return found
