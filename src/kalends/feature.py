"""What a feature is: a folder of `features/` that declares itself once. `application.py` lists them.

The core imports no feature. It asks here what they declare, and calls their hooks:

    for add_routes in declared("routes"):
        add_routes(app, service)
    for hook in hooks("changed"):
        hook(work)

Every part is written as `module:name` below the folder, and imported when it is first asked for: a command does not
load the server, and the server no commands.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

# What the core tells features, and when.
HOOKS = {
    "apply_fields": "(work, event, values, problems): what a request has sent is applied to an event, new or stored",
    "apply_filters": "(work, query, values, problems) -> query: a list of events has filters that features declare",
    "page_blocks": "(page) -> blocks: a page has room for them (site/pages/page_blocks.py)",
    "former_ids": "(work, id): the records, as kind and id, that had a number in another calendar; the last first",
    "identities": "(session, kind, ids): sources and the ids there that records had before they were merged, by id",
    "record_blocks": "(request, place, kind, ids): HTML by id for a place on a page of the admin with these records",
    "changed": "(work, *, is_part): once in a transaction that has `work.changed_events`, before it commits",
    "post_letter": "(work, kind, address, facts, …): the core or a feature wants a letter sent (calendar/letters.py)",
    "after_password": "(session, user, settings, *, in_browser) -> bool: whether a right password is not enough",
    "security": "(work or calendar, entry): who signed in, was refused, or has other rights (calendar/security.py)",
    "listed_events": "(work, name): the label and the ids of events that belong together, for the table of events",
    "page_links": "(about, settings): pages with a list or an event have room for links; returns paths and labels",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A capability beside the core. Empty: it has no such part."""

    name: str  # that of its folder
    # Its tables and their keys, which a copy is read by; tables come after those that they reference. Its folder
    # `schema` has the scripts that make them.
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settings: str = ""  # settings: a class of further ones; its module imports nothing else of `kalends`
    addresses: str = ""  # contract: a sequence of Address, with their operations
    errors: str = ""  # contract: rows of the table of errors by their names
    groups: Mapping[str, str] = field(default_factory=dict)  # what people call the groups of these addresses
    event_fields: str = ""  # contract: a sequence of RecordField, further rows of the table of events
    event_filters: str = ""  # contract: a sequence of Field, further filters of lists of events
    representations: str = ""  # contract: a sequence of Representation
    schemas: str = ""  # contract: schemas of the OpenAPI document by their names
    handlers: str = ""  # http: the classes of the handlers of these addresses
    around_writes: str = ""  # http: a function (service, path, responder) that wraps every write of the interface
    routes: str = ""  # http: a function (app, service) that adds routes beside the interface
    extension: str = ""  # http: an Extension, another interface around this one
    protocols: Mapping[str, str] = field(default_factory=dict)  # http: paths for programs, and what each is for
    ways_to_sign_in: str = ""  # admin: a function (request, place, user) -> HTML for a page (admin/request.py)
    second_step: str = ""  # admin: a function (request, user, stay) that answers where a password is not enough
    locator: str = ""  # admin: a function (settings) -> what finds an address, or None (admin/locating.py)
    before_screens: str = ""  # admin: a function (request, screen) that may answer in place of a screen
    screens: str = ""  # admin: screens by their paths
    navigation: str = ""  # admin: entries of the navigation, by the group that they belong to
    tabs: Mapping[str, str] = field(default_factory=dict)  # admin: pages of the settings, by their paths there
    tasks: str = ""  # calendar: a function of the calendar that registers kinds of work for later
    letters: str = ""  # calendar: a sequence of LetterKind
    sends_letters: str = ""  # calendar: a function (settings) -> bool: whether letters are sent now
    checks: str = ""  # consistency: a function that returns what `kalends check` looks at in its tables
    sample_data: str = ""  # cli: a function (calendar, console) that fills a calendar which has no events
    commands: Mapping[str, str] = field(default_factory=dict)  # cli: subcommands by their names, `user NAME` below it
    hooks: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = self.hooks.keys() - HOOKS.keys()
        assert not unknown, f"{self.name}: there is no hook {unknown}"

    @property
    def folder(self) -> Traversable:
        """Where it is; what is in its folder `static` is served beside the files of the site."""
        return files("kalends.features") / self.name

    def load(self, part: str) -> Any:
        """What `module:name` stands for."""
        module, _, name = part.partition(":")
        return getattr(import_module(f"kalends.features.{self.name}.{module}"), name)


def features() -> tuple[Feature, ...]:
    """All of them, in the order in which they may build on one another."""
    listed: tuple[Feature, ...] = import_module("kalends.application").FEATURES
    return listed


@cache
def declared(part: str) -> tuple[Any, ...]:
    """What the features have as one of their parts."""
    return tuple(one.load(reference) for one in features() if (reference := getattr(one, part)))


@cache
def hooks(name: str) -> tuple[Callable[..., Any], ...]:
    """What the features do when the core tells them something."""
    assert name in HOOKS, name
    return tuple(one.load(one.hooks[name]) for one in features() if name in one.hooks)
