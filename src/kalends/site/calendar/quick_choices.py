"""What is above a page of the calendar: quick choices, and the legend of its categories.

A quick choice is a few days from today, or a filter that is switched on and off.

The owner names them in the setting `quick_choices`: one that is built in, or a category or tag by its name or slug.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from kalends.contract.kinds.event_filters import QUICK
from kalends.languages import N_, translate
from kalends.site.calendar import calendar_days
from kalends.site.calendar.calendar_selection import Selection
from kalends.site.layout.appearance import category_class
from kalends.site.layout.frame import Frame, Pairs
from kalends.store.query.filter_values import FilterChoice
from kalends.values import names
from kalends.values.appearance_texts import quick_names

LIST = "/events/list/"
MOST_IN_LEGEND = 12
WHEN = {"today": N_("Today"), "weekend": N_("This weekend"), "week": N_("This week")}


@dataclass(frozen=True, slots=True)
class QuickChoice:
    """A link that chooses, or takes the choice back."""

    name: str
    href: str
    is_chosen: bool
    mark: str = ""  # the class of a category's colour
    when: str = ""  # one of WHEN


def days_of(when: str, today: date, language: str) -> tuple[date, date]:
    """The days from today on that one of `WHEN` names."""
    if when == "weekend":
        return calendar_days.weekend(today, language)
    if when == "week":
        return today, calendar_days.week_start(today, language) + 6 * calendar_days.ONE_DAY
    return today, today


def quick_choices(
    written: str,
    frame: Frame,
    selection: Selection,
    choices: Mapping[str, Sequence[FilterChoice]],
    other_parameters: Pairs = (),
    when: str = "",
) -> list[QuickChoice]:
    """`other_parameters`: what the address of this page has besides filters; `when`: the days that it is limited
    to."""
    found = []
    for name in quick_names(written):
        word = names.fold(name)
        if word in WHEN:
            wanted = [] if word == when else [("when", word)]
            href = frame.at(LIST, [*selection.pairs, *wanted])
            found.append(QuickChoice(translate(WHEN[word], frame.language), href, word == when, when=word))
        elif word in QUICK:
            href = frame.at(frame.path, [*selection.with_flag(word), *other_parameters])
            found.append(QuickChoice(translate(QUICK[word].label, frame.language), href, bool(selection.get(word))))
        elif named := _named(word, choices):
            field, choice = named
            href = frame.at(frame.path, [*selection.with_term(field, choice), *other_parameters])
            mark = category_class(choice.id, choice.color) if field == "categories" else ""
            found.append(QuickChoice(choice.name, href, selection.has(field, choice), mark))
    return found


def term_names(written: str) -> list[str]:
    """Those of the quick choices that are not built in: they name categories and tags."""
    return [name for name in quick_names(written) if names.fold(name) not in {*WHEN, *QUICK}]


def legend(
    frame: Frame, selection: Selection, categories: Sequence[FilterChoice], other_parameters: Pairs = ()
) -> list[QuickChoice]:
    """The categories at the top with their colours; each is added to those that are chosen, or taken away."""
    found = [
        QuickChoice(
            choice.name,
            frame.at(frame.path, [*selection.with_term("categories", choice), *other_parameters]),
            selection.has("categories", choice),
            category_class(choice.id, choice.color),
        )
        for choice in [one for one in categories if not one.parent][:MOST_IN_LEGEND]
    ]
    return found if len(found) > 1 else []


def _named(word: str, choices: Mapping[str, Sequence[FilterChoice]]) -> tuple[str, FilterChoice] | None:
    """The category or tag of a folded name or slug; None when there is none that has events."""
    for field in ("categories", "tags"):
        for choice in choices[field]:
            if word in (names.fold(choice.slug), names.fold(choice.name)):
                return field, choice
    return None
