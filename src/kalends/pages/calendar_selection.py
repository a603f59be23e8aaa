"""The filters in the address of a calendar page: parsing, labels, and addresses without one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kalends.languages import N_, translate
from kalends.pages.layout import Pairs
from kalends.store.query.days import Choice

# The parameter names of the API, so that a query string works for pages, feeds and API.
CHOICES = {
    "categories": N_("Category"),
    "tags": N_("Tag"),
    "venue": N_("Venue"),
    "organizer": N_("Organizer"),
}
POINT = ("geoloc_lat", "geoloc_lng", "geoloc_radius")
NAMES = ("search", *CHOICES, "series", "featured", *POINT)
FEATURED = N_("Featured")
NEARBY = N_("Near me")
ONE_SERIES = N_("One series")
MAX_LENGTH = 500


@dataclass(frozen=True, slots=True)
class Active:
    """An active filter, and the query of the page without it."""

    label: str
    value: str
    rest: Pairs


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a select element."""

    value: str
    name: str
    depth: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Selection:
    """The filters of an address, in a fixed order."""

    pairs: Pairs

    @classmethod
    def read(cls, sent: Mapping[str, object]) -> "Selection":
        """Empty form fields are ignored."""
        found = {name: _text(sent.get(name)) for name in NAMES}
        if not (found["geoloc_lat"] and found["geoloc_lng"]):
            found |= dict.fromkeys(POINT, "")
        return cls([(name, value[:MAX_LENGTH]) for name, value in found.items() if value])

    def __bool__(self) -> bool:
        return bool(self.pairs)

    def get(self, name: str) -> str:
        return next((value for other, value in self.pairs if other == name), "")

    def without(self, *names: str) -> Pairs:
        return [(name, value) for name, value in self.pairs if name not in names]

    def active(self, choices: Mapping[str, Sequence[Choice]], language: str) -> list[Active]:
        found = []
        for name, value in self.pairs:
            if name in CHOICES:
                label = translate(CHOICES[name], language)
                for one in value.split(","):
                    others = ",".join(other for other in value.split(",") if other != one)
                    rest = [(n, others if n == name else v) for n, v in self.pairs if n != name or others]
                    found.append(Active(label, _name(choices[name], one), rest))
            elif name == "series":
                found.append(Active("", translate(ONE_SERIES, language), self.without(name)))
            elif name == "featured":
                found.append(Active("", translate(FEATURED, language), self.without(name)))
            elif name == "geoloc_lat":
                radius = self.get("geoloc_radius")
                words = f"{radius} km" if radius else ""
                found.append(Active(translate(NEARBY, language), words, self.without(*POINT)))
            elif name == "search":
                found.append(Active("", f"“{value}”", self.without(name)))
        return found

    def options(self, choices: Mapping[str, Sequence[Choice]], name: str) -> list[Option]:
        """The options of a filter, categories as a tree; a current value that is not among them is added."""
        chosen = self.get(name)
        by_slug = name in ("categories", "tags")
        found = [
            Option(value, choice.name, depth, chosen in (value, str(choice.id)))
            for choice, depth in _tree(choices[name])
            for value in [choice.slug if by_slug else str(choice.id)]
        ]
        if chosen and not any(option.is_chosen for option in found):
            names = ", ".join(_name(choices[name], one) for one in chosen.split(","))
            found.append(Option(chosen, names, 0, True))
        return found


def _tree(choices: Sequence[Choice]) -> list[tuple[Choice, int]]:
    """Children after their parent, each with its depth; terms without a listed parent are at the top."""
    known = {choice.id for choice in choices}
    below: dict[int, list[Choice]] = {}
    for choice in choices:
        below.setdefault(choice.parent if choice.parent in known else 0, []).append(choice)

    def walk(parent: int, depth: int) -> list[tuple[Choice, int]]:
        found = []
        for choice in below.get(parent, []):
            found += [(choice, depth), *walk(choice.id, depth + 1)]
        return found

    return walk(0, 0)


def _name(choices: Sequence[Choice], value: str) -> str:
    folded = value.strip().casefold()
    return next((c.name for c in choices if folded in (c.slug.casefold(), str(c.id))), value)


def _text(value: object) -> str:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return ",".join(part for element in value if (part := _text(element)))
    return value.strip() if isinstance(value, str) else ""
