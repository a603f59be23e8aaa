"""Which features the calendar has. One that is not listed here is not there."""

from kalends.feature import Feature
from kalends.features.assistants import ASSISTANTS
from kalends.features.changes import CHANGES
from kalends.features.consistency import CONSISTENCY
from kalends.features.custom_fields import CUSTOM_FIELDS
from kalends.features.demo import DEMO
from kalends.features.exporting import EXPORTING
from kalends.features.geocoding import GEOCODING
from kalends.features.history import HISTORY
from kalends.features.importing import IMPORTING
from kalends.features.mail import MAIL
from kalends.features.presence import PRESENCE
from kalends.features.signing_in import SIGNING_IN
from kalends.features.sources import SOURCES
from kalends.features.webhooks import WEBHOOKS
from kalends.features.wordpress import WORDPRESS

# Each may import those before it.
FEATURES: tuple[Feature, ...] = (
    HISTORY,
    PRESENCE,
    GEOCODING,
    CHANGES,
    MAIL,
    CUSTOM_FIELDS,
    WEBHOOKS,
    SIGNING_IN,
    CONSISTENCY,
    EXPORTING,
    IMPORTING,
    SOURCES,
    WORDPRESS,
    ASSISTANTS,
    DEMO,
)
