"""Puts venues on the map by their address, where a feature knows a service for that: before the record is stored, so
that no transaction waits for it. It works without scripts."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from kalends import hooks
from kalends.admin.request import AdminRequest
from kalends.admin.setting_fields import country_name
from kalends.calendar.access import Caller
from kalends.calendar.posts import labels
from kalends.calendar.service import Calendar
from kalends.languages import N_

NOT_FOUND = N_("The address was not found on the map")
ON_THE_MAP = N_("“{name}” is on the map: {place}.")
NOT_ON_THE_MAP = N_("“{name}” is not on the map: {reason}.")
FOUND = N_("Found on the map: {place}. Save to keep it.")
PARTS = ("address", "zip", "city", "state", "country")


class Place(NamedTuple):
    """A point, as a form has its coordinates, and what is there; or why it is not known."""

    lat: str = ""
    lng: str = ""
    name: str = ""
    problem: str = ""


Locate = Callable[[Calendar, Caller, Mapping[str, str]], Place]  # by the parts of an address


def usual_country(request: AdminRequest) -> str:
    """Of a new venue: that of the site, else that of the venue that came last."""
    settings = request.settings
    return country_name(settings.country, settings.language) or request.read(labels.last_country)


def is_possible(request: AdminRequest) -> bool:
    return _locator(request) is not None


def locate(request: AdminRequest, address: Mapping[str, str]) -> Place:
    find = _locator(request)
    return find(request.calendar, request.caller, address) if find is not None else Place(problem=NOT_FOUND)


def _locator(request: AdminRequest) -> Locate | None:
    found = (locator(request.settings) for locator in hooks.locator)
    return next((locate for locate in found if locate is not None), None)


def of_new_venue(request: AdminRequest) -> tuple[Place | None, str]:
    """Where the new venue of the form of an event is, and the sentence about it; none without a new one, without an
    address, and where nobody can find it."""
    form = request.form
    name, typed = form.text("venue_name"), {part: form.text(f"venue_{part}") for part in PARTS}
    if form.errors or not name or not (typed["address"] or typed["city"]) or not is_possible(request):
        return None, ""
    place = locate(request, typed)
    if place.problem:
        return place, request.say(NOT_ON_THE_MAP, name=name, reason=request.say(place.problem))
    return place, request.say(ON_THE_MAP, name=name, place=place.name or f"{place.lat}, {place.lng}")
