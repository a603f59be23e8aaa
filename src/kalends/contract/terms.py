"""The tables of categories and tags."""

from kalends.contract import common
from kalends.contract.fields import Field
from kalends.contract.lists import Ids
from kalends.contract.numbers import Above, Flag, Whole
from kalends.contract.scalars import Color
from kalends.contract.texts import Choice, Name, SlugFilter, TermHtml
from kalends.languages import N_

_FIELDS_OF_BOTH = (
    Field("name", Name(200), N_("The name of the term."), required=True),
    Field("description", TermHtml(), N_("The description of the term, as text or safe HTML.")),
    common.slug(N_("The name of the term in its address.")),
)
TERM_FIELDS = (*_FIELDS_OF_BOTH, *common.EXTERNAL)
CATEGORY_FIELDS = (
    *_FIELDS_OF_BOTH,
    Field("parent", Above(), N_("The id of the parent category; 0 is the top level.")),
    Field("color", Color(), N_("The colour of its events, such as #1f6f8b; empty chooses one."), extension=True),
    *common.EXTERNAL,
)

TERM_ORDERS = ("id", "name", "slug", "count", "description", "include")

TERM_FILTERS = (
    common.PAGE,
    common.PER_PAGE,
    common.search(N_("Terms with this text in their name or slug.")),
    Field("exclude", Ids(), N_("Leave out terms with these ids.")),
    Field("include", Ids(), N_("Only terms with these ids.")),
    common.order(extension=False),
    Field("orderby", Choice(TERM_ORDERS), N_("What to order the terms by.")),
    Field("hide_empty", Flag(True), N_("Leave out terms without a published event."), default=1),
    Field("post", Whole(1), N_("Terms of this event.")),
    Field("event", Whole(1), N_("Terms of this event; it takes precedence over post.")),
    Field("slug", SlugFilter(), N_("Terms with this slug.")),
)
CATEGORY_FILTERS = (
    *TERM_FILTERS,
    Field("parent", Whole(), N_("Direct children of this category; 0 is the top level.")),
)
