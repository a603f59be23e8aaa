"""Organizers: their fields and the keys of their JSON; their list has the filters of venues."""

from kalends.contract.fields import Kind, RecordField, Sentences, keys_of, table
from kalends.contract.kinds import common
from kalends.contract.kinds.venues import VENUE_FILTERS
from kalends.contract.types.scalars import Email, Url
from kalends.contract.types.texts import Line, Name
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
SHOWN_FIELDS = common.shown_fields("organizer")
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
    *(field.key() for field in SHOWN_FIELDS),
    *common.GLOBAL_KEYS,
    common.REV_KEY,
)
ORGANIZER = Kind(
    *("organizer", "organizers", N_("Organizer"), N_("Organizers"), "organizer", "organizer"),
    *(ORGANIZER_FIELDS, ORGANIZER_KEYS, VENUE_FILTERS),
    shown=SHOWN_FIELDS,
    wp="tribe_organizer",
    schema="Organization",
    details=("phone", "email", "website"),
    form=("organizer", "email", "phone", "website", ..., "description", "slug"),
    detail="email",
    says=Sentences(
        operations={
            "list": N_("List organizers"),
            "create": N_("Create an organizer"),
            "read": N_("Read one organizer"),
            "update": N_("Update an organizer"),
            "delete": N_("Delete an organizer"),
            "read_by_slug": N_("Read an organizer by its slug"),
            "update_by_slug": N_("Update an organizer by its slug"),
            "delete_by_slug": N_("Delete an organizer by its slug"),
            "put_by_external": N_("Create or update the organizer with this id at its source"),
        },
        about=N_("An organizer. Keys without a value are absent."),
        about_tec=N_("An organizer, in the form of tec/v1."),
        purpose="people and groups who organize events",
        new=N_("New organizer"),
        empty=N_("No organizers here"),
        empty_help=N_("An organizer is added with the first event, or here."),
        unused=N_("Only organizers without events"),
        type_name=N_("Type the name of an organizer"),
        add=N_("Add “{name}” as a new organizer"),
        details_of_new=N_("Details of a new organizer"),
        table=N_("a table of organizers, separated by {separator}, encoded as {encoding}"),
    ),
)
