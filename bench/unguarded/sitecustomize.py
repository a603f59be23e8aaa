"""Lets a server of the benchmark fetch from this machine, as if it were another one: slow addresses are here."""

from kalends.calendar.fetching import public_networks

public_networks.is_public = lambda address: True
