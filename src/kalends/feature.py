"""What a feature is: a folder of `features/` that declares itself once. `application.py` lists them.

The core imports no feature. It asks here what they declare, which is data:

    for added in declared("errors"):
        table |= added

What it tells them and asks of them are hooks (`hooks.py`).

Every part is written as `module:name` below the folder, and imported when it is first asked for: a command does not
load the server, and the server no commands.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any


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
    venue_fields: str = ""  # contract: the same of venues
    organizer_fields: str = ""  # contract: the same of organizers
    shown_fields: str = ""  # contract: by kind, a sequence of RecordField that its hook `more_of` answers
    event_filters: str = ""  # contract: a sequence of Field, further filters of lists of events
    representations: str = ""  # contract: a sequence of Representation
    schemas: str = ""  # contract: schemas of the OpenAPI document by their names
    handlers: str = ""  # http: the classes of the handlers of these addresses
    extension: str = ""  # http: an Extension, another interface around this one
    protocols: Mapping[str, str] = field(default_factory=dict)  # http: paths for programs, and what each is for
    screens: str = ""  # admin: screens by their paths
    navigation: str = ""  # admin: entries of the navigation, by the group that they belong to
    tabs: Mapping[str, str] = field(default_factory=dict)  # admin: pages of the settings, by their paths there
    letters: str = ""  # calendar: a sequence of LetterKind
    checks: str = ""  # consistency: a sequence of Check, what `kalends check` looks at in its tables
    commands: Mapping[str, str] = field(default_factory=dict)  # cli: subcommands by their names, `user NAME` below it
    hooks: str = ""  # its answers to those hooks that operations call
    service_hooks: str = ""  # its answers to those hooks that only a running service calls

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
