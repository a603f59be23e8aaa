"""The words of a search in what a page shows: marked, and a passage of the text around one that is nowhere else."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from kalends.values import names
from kalends.values.marks import is_mark

AROUND = 70  # letters of a passage before and after the word
MOST_LETTERS = 20_000  # of a text that a passage is looked for in


@dataclass(frozen=True, slots=True)
class SearchMarks:
    """The words, as they are searched."""

    words: Sequence[str]

    def mark(self, text: str) -> Markup:
        """A text with each of the words in a `mark` element."""
        if not self._is_any_in(text):  # most texts have none
            return escape(text)
        plain, places = names.searched_with_positions(text)
        pieces, end = list[Markup](), 0
        for start, last in _joined(self._found(plain, places)):
            stop = last
            while stop < len(text) and is_mark(text[stop]):
                stop += 1
            pieces += [escape(text[end:start]), Markup("<mark>{}</mark>").format(text[start:stop])]
            end = stop
        return Markup("").join([*pieces, escape(text[end:])])

    def passage(self, displayed: Sequence[str], texts: Sequence[str]) -> str:
        """The part of the texts around the first word that is not in what is shown anyway; empty if there is none."""
        visible = "\n".join(map(names.searched, displayed))
        missing = [word for word in self.words if word not in visible]
        for text in texts if missing else ():
            if SearchMarks(missing)._is_any_in(text[:MOST_LETTERS]):
                plain, places = names.searched_with_positions(text[:MOST_LETTERS])
                found = [at for word in missing if (at := plain.find(word)) >= 0]
                return _around(text, places[min(found)]) if found else ""
        return ""

    def _is_any_in(self, text: str) -> bool:
        plain = names.searched(text)
        return any(word in plain for word in self.words)

    def _found(self, plain: str, positions: Sequence[int]) -> list[tuple[int, int]]:
        """Where the words begin and end in the text itself."""
        found = []
        for word in self.words:
            at = plain.find(word)
            while at >= 0:
                found.append((positions[at], positions[at + len(word) - 1] + 1))
                at = plain.find(word, at + len(word))
        return sorted(found)


def _joined(found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, stop in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(stop, joined[-1][1])
        else:
            joined.append((start, stop))
    return joined


def _around(text: str, position: int) -> str:
    """Whole words around a place."""
    start, stop = max(0, position - AROUND), min(len(text), position + AROUND)
    part = text[start:stop]
    if start:
        part = "…" + part[part.find(" ", 0, AROUND) + 1 :]
    if stop < len(text):
        last = part.rfind(" ", AROUND)
        part = (part[:last] if last > 0 else part).rstrip(".,;: ") + "…"
    return part
