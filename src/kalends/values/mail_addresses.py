"""Addresses of mail: what is accepted, how a mail server gets them, and by what two of them are the same.

Nothing that ends a line or hides text comes through, so an address can stand in a header.
"""

import re
import unicodedata
from dataclasses import dataclass

from kalends.values import names

LONGEST = 254  # characters, as a mail server takes it
LONGEST_LOCAL = 64  # bytes before the @
LONGEST_NAME = 200

# Control, format and private characters, lone surrogates, line and paragraph separators.
FORBIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ATOM = re.compile(r"[^\s@<>()\[\],;:\\\".]+(?:\.[^\s@<>()\[\],;:\\\".]+)*")
_QUOTED = re.compile(r'"(?:[^"\\]|\\[ -~])+"')
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_NAMED = re.compile(r"(?P<name>.*?)\s*<(?P<address>[^<>]+)>")


class NotAnAddress(ValueError):
    """A text that is no address, or one that no header could carry."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address with the name of who has it, which may be empty."""

    address: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.name else self.address


def is_plain(text: str) -> bool:
    """Whether a text has nothing that could begin another line of a header, or hide in it."""
    return not any(unicodedata.category(character) in FORBIDDEN for character in text)


def checked(written: str, *, also_local: bool = False) -> str:
    """The address as people read it, its host in lower case. `also_local`: also a host without a dot."""
    address = written.strip(" ")
    local, at, domain = address.rpartition("@")
    if not at or not is_plain(address) or len(address) > LONGEST:
        raise NotAnAddress
    if len(local.encode()) > LONGEST_LOCAL or not (_ATOM.fullmatch(local) or _QUOTED.fullmatch(local)):
        raise NotAnAddress
    labels = ascii_domain(domain).split(".")
    if (len(labels) < 2 and not also_local) or not all(_LABEL.fullmatch(label) for label in labels):
        raise NotAnAddress
    if labels[-1].isdigit() or len(local.encode()) + 1 + len(".".join(labels)) > LONGEST:
        raise NotAnAddress
    return f"{local}@{domain.lower()}"


def is_address(written: str) -> bool:
    try:
        checked(written, also_local=True)
    except NotAnAddress:
        return False
    return True


def ascii_domain(domain: str) -> str:
    """The host as the network knows it: `xn--…` for other letters than a to z."""
    try:
        return domain.lower().encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise NotAnAddress from None


def on_the_wire(address: str) -> str:
    """The address as a mail server takes it. Other letters before the @ stay: they need a server with SMTPUTF8."""
    local, _, domain = address.rpartition("@")
    return f"{local}@{ascii_domain(domain)}"


def key(address: str) -> str:
    """What is the same for two ways to write one address."""
    return names.fold(on_the_wire(address))


def mailbox(written: str) -> Mailbox:
    """`Town hall <events@example.org>`, with or without quotes around the name, or an address alone."""
    text = written.strip()
    found = _NAMED.fullmatch(text)
    if found is None:
        return Mailbox(checked(text, also_local=True))
    name = found["name"].strip()
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = re.sub(r"\\(.)", r"\1", name[1:-1])
    if not is_plain(name) or len(name) > LONGEST_NAME:
        raise NotAnAddress
    return Mailbox(checked(found["address"], also_local=True), name)
