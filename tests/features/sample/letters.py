"""The letter to who takes over the wishes of somebody."""

from kalends.calendar.letters import Facts, letter
from kalends.site.letters import Draft, LetterReader


@letter("Wishes handed over", {"name": "anna"})
def wishes_handed_over(facts: Facts, to: LetterReader) -> Draft:
    return Draft(subject="Wishes", paragraphs=[f"The wishes of {facts['name']} are yours."], reason="")


LETTERS = [wishes_handed_over]
