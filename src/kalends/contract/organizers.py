"""The fields of organizers; their list has the filters of venues."""

from kalends.contract import common
from kalends.contract.fields import Field
from kalends.contract.scalars import Email, Url
from kalends.contract.texts import Line, Name
from kalends.languages import N_

ORGANIZER_FIELDS = (
    Field("organizer", Name(), N_("The name of the organizer."), required=True, default=None),
    *common.publication(None),
    common.description(N_("The description of the organizer, as text or safe HTML."), None),
    common.status(None),
    Field("phone", Line(), N_("The phone number."), default=None),
    Field("website", Url(), N_("The web address of the organizer."), default=None),
    Field("email", Email(), N_("The e-mail address."), default=None),
    common.image(None),
    common.slug(N_("The name of the organizer in its address."), extension=True),
    common.excerpt(extension=True),
    *common.EXTERNAL,
)
