"""Other forms of a word that somebody looks for: plural and singular, and simple endings, by language."""

from functools import lru_cache

STEMMERS = {
    "en": "english",
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt_BR": "portuguese",
    "ar": "arabic",
}
# Endings that replace another one, which no beginning of a word has in common.
REPLACED: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (("ies", "y"), ("ses", "s")),
    "es": (("ces", "z"), ("s", "")),
    "fr": (("aux", "al"), ("s", "")),
    "it": (("chi", "co"), ("ghi", "go"), ("i", "o")),
    "nl": (("zen", "s"), ("ven", "f")),
    "pt_BR": (("oes", "ao"), ("ais", "al"), ("ns", "m"), ("s", "")),
}
LONGEST_ENDING = 3  # letters: organizations are no organ
SHORTEST = 3  # letters of a form
LONGEST = 40  # letters of a word that is reduced


@lru_cache(1024)
def forms(word: str, language: str) -> tuple[str, ...]:
    """What to look for instead of a word, as texts are searched: every text with the word has one of these parts."""
    if language not in STEMMERS or not SHORTEST < len(word) <= LONGEST or not word.isalpha():
        return (word,)
    found = {word, _reduced(word, language)}
    for plural, singular in REPLACED.get(language, ()):
        for ending, other in ((plural, singular), (singular, plural)):
            if ending and word.endswith(ending):
                found.add(word.removesuffix(ending) + other)
    long = sorted(form for form in found if len(form) >= SHORTEST)
    return tuple(form for form in long if not any(other in form for other in long if other != form))


def _reduced(word: str, language: str) -> str:
    """The stem, where it is little shorter; else the word without one or two letters, if it has the same stem."""
    import snowballstemmer  # few processes search

    stemmer = snowballstemmer.stemmer(STEMMERS[language])  # it has a state, so no two threads share one
    stem = stemmer.stemWord(word)
    if word.startswith(stem) and len(stem) >= max(SHORTEST, len(word) - LONGEST_ENDING):
        return str(stem)
    return next((word[:end] for end in (-2, -1) if stemmer.stemWord(word[:end]) == stem), word)
