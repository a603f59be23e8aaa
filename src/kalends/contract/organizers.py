"""The fields of organizers and the keys of their JSON; their list has the filters of venues."""

from kalends.contract import common
from kalends.contract.fields import RecordField, keys_of, table
from kalends.contract.scalars import Email, Url
from kalends.contract.texts import Line, Name
from kalends.languages import N_

ORGANIZER_FIELDS = table(
    "Organizer",
    RecordField(
        "organizer",
        Name(),
        N_("The name of the organizer."),
        required=True,
        default=None,
        label=N_("Name"),
        column="name",
        csv=("Organizer Name", "Name", "Organizer"),
        wp="title",
    ),
    *common.publication(None),
    common.description(
        N_("The description of the organizer, as text or safe HTML."),
        None,
        csv=("Organizer Description", "Description"),
        always=False,
    ),
    common.status(None),
    RecordField(
        "phone",
        Line(),
        N_("The phone number."),
        default=None,
        label=N_("Phone"),
        is_searched=True,
        always=False,
        control="tel",
        tec="phone",
    ),
    RecordField(
        "website",
        Url(),
        N_("The web address of the organizer."),
        default=None,
        label=N_("Website"),
        is_searched=True,
        always=False,
        csv=("Organizer Website", "Website", "URL"),
        tec="website",
    ),
    RecordField(
        "email",
        Email(),
        N_("The e-mail address."),
        default=None,
        label=N_("E-mail"),
        is_searched=True,
        always=False,
        csv=("Organizer Email", "Email", "E-mail"),
        tec="email",
    ),
    common.image(None, csv=("Organizer Featured Image", "Featured Image", "Image")),
    common.slug(N_("The name of the organizer in its address."), extension=True),
    common.excerpt(extension=True),
    *common.external(always=False),
)
ORGANIZER_KEYS = keys_of(
    ORGANIZER_FIELDS,
    common.ID_KEY,
    *("author", "status", "date", "date_utc"),
    *common.CHANGED_KEYS,
    common.PAGE_KEY,
    *("organizer", "description", "excerpt"),
    common.SLUG_KEY,
    *("image", "phone", "website", "email"),
    *("source", "external_id"),
    common.JSON_LD_KEY,
    ...,
    *common.GLOBAL_KEYS,
    common.REV_KEY,
)
